/** Actions on a connection: review, sign out, delete. */
import * as vscode from 'vscode';
import { commands } from '#client/contributions.ts';
import { deleteConnection } from '#client/session/connection-settings.ts';
import type { SecretStore } from '#client/session/secrets.ts';
import type { Session } from '#client/session/session.ts';
import { showInformationMessage, mayDestroy } from '#client/ui/shown/notifications.ts';
import { showInputBox } from '#client/ui/shown/prompts.ts';
import type { ConnectionProfile } from '#core/connections/connection-profile.ts';
import { ExpectedError } from '#core/failures/failure.ts';
import { connectTo, pickProfile, type ConnectDependencies } from './choose-connection.ts';
import { askAbout } from './folder-question.ts';
import { moveSecrets } from './secrets-in-settings.ts';

export interface ManageDependencies extends ConnectDependencies {
  readonly known: () => readonly ConnectionProfile[];
  /** Returns the number of a connection's open queries with unsaved changes. */
  readonly unsavedQueries: (connection: string) => number;
}

/** Returns the connection to edit. @param name name of the connection; if undefined, the user chooses. */
export async function chooseToEdit(
  name: string | undefined,
  deps: ManageDependencies,
): Promise<ConnectionProfile | undefined> {
  return await configured(name, deps, vscode.l10n.t('Edit Connection'));
}

/** Asks for a folder's permissions again. @param name name of the connection; if undefined, the user chooses. */
export async function review(name: string | undefined, deps: ManageDependencies): Promise<void> {
  const asking = deps.known().filter(({ folderEntry }) => folderEntry?.wants !== undefined);
  if (asking.length === 0)
    throw new ExpectedError(vscode.l10n.t('No connection of this folder needs your permission.'));
  const profile =
    asking.find((each) => each.name === name) ??
    (asking.length === 1
      ? asking[0]
      : await pickProfile(asking, undefined, vscode.l10n.t('Review Folder Connection')));
  const answered = profile && (await askAbout(profile, deps.folderAnswers));
  if (answered === undefined || !isCurrent(deps.session, answered)) return;
  // Disconnect instead of asking for a secret: a revoked permission must take effect immediately.
  if (await deps.secrets.needsToBeAsked(answered)) await leave(answered, deps);
  else await connectTo(answered, deps);
}

/** Disconnects and deletes the secret; the connection remains in the settings. */
export async function signOut(name: string | undefined, deps: ManageDependencies): Promise<void> {
  const { state } = deps.session;
  const profile =
    name !== undefined
      ? deps.known().find((each) => each.name === name)
      : state.kind === 'disconnected'
        ? await configured(name, deps, vscode.l10n.t('Sign Out'))
        : state.profile;
  if (profile === undefined) {
    if (name === undefined) return;
    throw new ExpectedError(vscode.l10n.t('There is no connection "{0}".', name));
  }
  await leave(profile, deps);
  await deps.secrets.delete(profile);
  const wasKept = profile.source === 'settings' && profile.secretSource === undefined;
  void showInformationMessage(
    wasKept
      ? vscode.l10n.t('Signed out of {0}. Its client secret was deleted from this machine.', profile.name)
      : vscode.l10n.t('Signed out of {0}. Its client secret was never kept here.', profile.name),
  );
}

/** @param name name of the connection; if undefined, the user chooses. */
export async function remove(name: string | undefined, deps: ManageDependencies): Promise<void> {
  const profile = await configured(name, deps, vscode.l10n.t('Delete Connection'));
  if (profile === undefined) return;
  const unsaved = deps.unsavedQueries(profile.name);
  const isWanted = await mayDestroy(vscode.l10n.t('Delete the connection "{0}"?', profile.name), {
    detail: [
      vscode.l10n.t('Its client secret is deleted too. Nothing is deleted on the service.'),
      ...(unsaved === 0
        ? []
        : [vscode.l10n.t("Without it, you can't save these open queries: {0}.", unsaved)]),
    ].join('\n'),
    keep: vscode.l10n.t('Keep'),
    destroy: vscode.l10n.t('Delete'),
  });
  if (!isWanted) return;
  await leave(profile, deps);
  const others = deps.known().filter(({ name }) => name !== profile.name);
  await deps.secrets.forget(profile, others);
  await deleteConnection(profile.name);
}

async function leave(profile: ConnectionProfile, deps: ManageDependencies): Promise<void> {
  if (!isCurrent(deps.session, profile)) return;
  await deps.last.set(undefined);
  await deps.session.disconnect();
}

/**
 * Returns whether the window's current connection has this profile's name. Only such windows use an updated profile.
 */
export function isCurrent(session: Session, profile: ConnectionProfile): boolean {
  return session.state.kind !== 'disconnected' && session.state.profile.name === profile.name;
}

/** Returns the chosen connection from the settings. @throws ExpectedError if there is none. */
async function configured(
  name: string | undefined,
  deps: ManageDependencies,
  title: string,
): Promise<ConnectionProfile | undefined> {
  const profiles = deps.known().filter(({ source }) => source === 'settings');
  if (name !== undefined) {
    const found = profiles.find((profile) => profile.name === name);
    if (found === undefined)
      throw new ExpectedError(vscode.l10n.t('There is no connection "{0}" in the settings.', name));
    return found;
  }
  const { state } = deps.session;
  return await pickProfile(profiles, state.kind === 'disconnected' ? undefined : state.profile, title);
}

/** Asks for the passphrase of the client certificate's key and stores it. Returns false if the user entered none. */
export async function promptForPassphrase(file: string, secrets: SecretStore): Promise<boolean> {
  const passphrase = await showInputBox({
    title: vscode.l10n.t('Passphrase of the client certificate'),
    prompt: vscode.l10n.t('Kept in the secret storage of this editor, for {0}.', file),
    password: true,
    ignoreFocusOut: true,
  });
  if (passphrase === undefined || passphrase === '') return false;
  await secrets.setPassphrase(file, passphrase);
  return true;
}

/** Returns the error for a secret that can't be entered here. */
export function secretFromElsewhere(profile: ConnectionProfile): ExpectedError {
  return new ExpectedError(
    profile.secretSource?.kind === 'variable'
      ? vscode.l10n.t('The secret of {0} comes from an environment variable: change it there.', profile.name)
      : vscode.l10n.t('The secret of {0} comes from a program: change it there.', profile.name),
    [
      {
        title: vscode.l10n.t('Edit Connection'),
        command: commands.connectionEdit,
        arguments: [profile.name],
      },
    ],
  );
}

/** Moves the secrets in the settings to the secret storage. */
export async function moveAllSecrets(secrets: SecretStore): Promise<void> {
  const { moved, incomplete } = await moveSecrets(secrets);
  if (incomplete > 0)
    throw new ExpectedError(
      incomplete === 1
        ? vscode.l10n.t('1 connection with a secret is incomplete. Complete it, then move its secret.')
        : vscode.l10n.t(
            '{0} connections with a secret are incomplete. Complete them, then move their secrets.',
            incomplete,
          ),
    );
  void showInformationMessage(
    moved === 0
      ? vscode.l10n.t('No secrets are left in the settings.')
      : moved === 1
        ? vscode.l10n.t(
            'The secret was moved to the secret storage and removed from the settings. Others may have seen the file, so renew it.',
          )
        : vscode.l10n.t(
            '{0} secrets were moved to the secret storage and removed from the settings. Others may have seen the file, so renew them.',
            moved,
          ),
  );
}
