/** Picking a connection and making sure its secret is there. */
import * as vscode from 'vscode';
import { resolveDeployment } from '../../../../api/contract/deployment.ts';
import { commands } from '../../contributions.ts';
import type { ConnectionProfile } from '../../session/connection-profile.ts';
import type { SecretStore } from '../../session/secrets.ts';
import type { Session } from '../../session/session.ts';
import type { LastConnection } from './last-connection.ts';

/** Asks which connection to use; the other ways to get one are rows of the same list. */
export async function pickConnection(
  profiles: readonly ConnectionProfile[],
  session: Session,
): Promise<ConnectionProfile | undefined> {
  const current = session.state.kind === 'disconnected' ? undefined : session.state.profile.name;
  const rows = profiles.map((profile) => ({
    label: `$(${profile.protected ? 'shield' : 'plug'}) ${profile.name}`,
    description: [profile.environment, profile.name === current ? vscode.l10n.t('current') : undefined]
      .filter((text) => text !== undefined)
      .join(' · '),
    detail: resolveDeployment(profile).baseUrl,
    profile,
    command: undefined,
  }));
  const others = [
    {
      label: `$(add) ${vscode.l10n.t('Add Connection...')}`,
      profile: undefined,
      command: commands.connectionAdd,
    },
    {
      label: `$(beaker) ${vscode.l10n.t('Start Sandbox')}`,
      profile: undefined,
      command: commands.sandboxStart,
    },
  ];
  const chosen = await vscode.window.showQuickPick(
    [
      ...rows,
      { label: '', kind: vscode.QuickPickItemKind.Separator, profile: undefined, command: undefined },
      ...others,
    ],
    {
      title: vscode.l10n.t('Connect to'),
      placeHolder: vscode.l10n.t('Choose a connection'),
      matchOnDetail: true,
    },
  );
  if (chosen?.command !== undefined) await vscode.commands.executeCommand(chosen.command);
  return chosen?.profile;
}

/** Asks for a client secret and stores it. False when the person gave none. */
export async function promptForSecret(profile: ConnectionProfile, secrets: SecretStore): Promise<boolean> {
  const secret = await vscode.window.showInputBox({
    title: vscode.l10n.t('Client secret of {0}', profile.name),
    prompt: vscode.l10n.t(
      'Kept in the secret storage of this editor, for {0} only.',
      resolveDeployment(profile).authUrl,
    ),
    password: true,
    ignoreFocusOut: true,
  });
  if (secret === undefined || secret === '') return false;
  await secrets.set(profile, secret);
  return true;
}

export async function connectTo(
  profile: ConnectionProfile,
  deps: { readonly session: Session; readonly secrets: SecretStore; readonly last: LastConnection },
): Promise<void> {
  if ((await deps.secrets.get(profile)) === undefined && !(await promptForSecret(profile, deps.secrets)))
    return;
  await deps.last.set(profile.source === 'settings' ? profile.name : undefined);
  const state = await vscode.window.withProgress(
    { location: { viewId: 'identityQueries.savedQueries' } },
    async () => await deps.session.connect(profile),
  );
  if (state.kind !== 'failed' || state.profile !== profile) return;
  const update = vscode.l10n.t('Update Secret');
  const again = vscode.l10n.t('Connect Again');
  const chosen = await vscode.window.showErrorMessage(
    vscode.l10n.t('Not connected to {0}. {1}', profile.name, state.reason),
    ...(state.isAuthFailure ? [update, again] : [again]),
  );
  if (chosen === update) await vscode.commands.executeCommand(commands.connectionUpdateSecret);
  if (chosen === again) await vscode.commands.executeCommand(commands.connectionRetry);
}
