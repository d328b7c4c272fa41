/** Choosing, adding, changing, testing and leaving connections. */
import * as vscode from 'vscode';
import type { MissingScope } from '../../../../api/client/token.ts';
import { commands, contextKeys, settings, settingsSection } from '../../contributions.ts';
import { homeOf, type ConnectionNames } from '../../session/connection-names.ts';
import {
  connectionKeyOf,
  sandboxKey,
  type ConnectionProfile,
} from '../../../../core/src/connections/connection-profile.ts';
import type { FolderAnswers } from '../../session/folder-answers.ts';
import { isUnanswered } from '../../../../core/src/connections/folder-entry.ts';
import { affectsNetwork, readNetworkSettings } from '../../session/network.ts';
import type { ClientDependencies } from '../../session/open-client.ts';
import type { Session } from '../../session/session.ts';
import { ExpectedError } from '../../../../core/src/util/failure.ts';
import { presentFailure, registerCommand } from '../../ui/register-command.ts';
import { DisposableStore, type DisposableLike } from '../../../../core/src/util/disposables.ts';
import { setStatusBarMessage, showInformationMessage } from '../../ui/shown/notifications.ts';
import { connectTo, pickConnection, pickProfile, promptForSecret } from './choose-connection.ts';
import { environmentConnection } from '../../../../core/src/connections/environment-connection.ts';
import { LastConnection, sameConnection } from './last-connection.ts';
import type { ManageDependencies } from './manage-connections.ts';
import { reportFailures } from './report-failure.ts';
import { moveSecrets, SettingProblemsReport } from './secrets-in-settings.ts';
import type { ConnectionTester } from './test-report/index.ts';
import { errorName } from '../../../../core/src/util/errors.ts';

export interface ConnectionDependencies extends ClientDependencies {
  readonly context: vscode.ExtensionContext;
  readonly session: Session;
  readonly names: ConnectionNames;
  readonly folderAnswers: FolderAnswers;
  readonly version: string;
  /** The connection to the sandbox, if it runs. */
  readonly sandboxProfile: () => ConnectionProfile | undefined;
  /** Starts the sandbox, or joins the one that runs. @throws ExpectedError */
  readonly startSandbox: () => Promise<ConnectionProfile>;
  /** How many open queries of a connection have edits that are not saved. */
  readonly unsavedQueries: (connection: string) => number;
}

/** What the state command answers: plain data. */
export interface StateSnapshot {
  readonly kind: string;
  readonly name?: string | undefined;
  readonly source?: string | undefined;
  readonly key?: string | undefined;
  readonly isProtected?: boolean | undefined;
  readonly allowChanges?: boolean | undefined;
  /** Why nothing can be saved or changed, while connected. */
  readonly withoutWrite?: MissingScope | undefined;
  readonly failure?: string | undefined;
  readonly reason?: string | undefined;
  readonly models?: number | undefined;
}

export interface ConnectionFeature extends DisposableLike {
  /** Connects because a person wants to. */
  readonly connect: (profile: ConnectionProfile) => Promise<void>;
}

export function registerConnection(deps: ConnectionDependencies): ConnectionFeature {
  const { context, log, session, secrets, names, folderAnswers } = deps;
  const disposables = new DisposableStore();
  const last = new LastConnection(context.workspaceState, context.globalState);
  const fromEnvironment = environmentConnection(process.env);
  if (fromEnvironment !== undefined) secrets.setTransient(fromEnvironment.profile, fromEnvironment.secret);

  const known = (): readonly ConnectionProfile[] => {
    const extra = [fromEnvironment?.profile, deps.sandboxProfile()].filter(
      (profile) => profile !== undefined,
    );
    return [...extra, ...deps.settings().connections];
  };
  const failures = disposables.add(reportFailures(session));
  const manage: ManageDependencies = {
    session,
    secrets,
    last,
    folderAnswers,
    known,
    askedFor: (profile) => failures.askedFor(profile),
    unsavedQueries: deps.unsavedQueries,
  };
  const connect = (profile: ConnectionProfile) => connectTo(profile, manage);
  const current = () => (session.state.kind === 'disconnected' ? undefined : session.state.profile);
  const byName = (name: string) => {
    const found = known().find((profile) => profile.name === name) ?? names.find(name);
    if (found === undefined) throw new ExpectedError(vscode.l10n.t('There is no connection {0}.', name));
    return found;
  };
  let tester: Promise<ConnectionTester> | undefined;
  const requireTester = () =>
    (tester ??= import('./test-report/index.ts').then(({ ConnectionTester }) =>
      disposables.add(new ConnectionTester(deps, deps.version)),
    ));

  const register = (id: Parameters<typeof registerCommand>[1], handler: (argument: unknown) => unknown) =>
    disposables.add(registerCommand(log, id, handler));
  register(commands.connectionConnect, async (name) => {
    const profile = typeof name === 'string' ? byName(name) : await pickConnection(known(), session);
    if (profile !== undefined) await connect(profile);
  });
  register(commands.connectionAdd, async () => {
    const { addConnection } = await import('./connection-form.ts');
    const added = await addConnection({ ...manage, known: known() });
    if (added !== undefined) await connect(added);
  });
  register(commands.connectionEdit, async (name) => {
    const { edit } = await import('./manage-connections.ts');
    await edit(name ?? configuredCurrent(current()), manage);
  });
  register(commands.connectionSignOut, async (name) => {
    const { signOut } = await import('./manage-connections.ts');
    await signOut(name, manage);
  });
  register(commands.connectionDelete, async (argument) => {
    const { remove } = await import('./manage-connections.ts');
    await remove(argument, manage);
  });
  register(commands.connectionReview, async (name) => {
    const { review } = await import('./manage-connections.ts');
    await review(name, manage);
  });
  register(commands.connectionDisconnect, async () => {
    await last.set(undefined);
    await session.disconnect();
  });
  register(commands.connectionRetry, async () => {
    const profile = current();
    if (profile?.source === 'sandbox') {
      await connect(await deps.startSandbox());
      return;
    }
    // What was changed in the settings since counts.
    const fresh = known().find((each) => each.name === profile?.name && each.source === profile.source);
    if (profile !== undefined) await connect(fresh ?? profile);
    else await vscode.commands.executeCommand(commands.connectionConnect);
  });
  register(commands.connectionUpdateSecret, async () => {
    const profile = current() ?? (await pickProfile(known(), undefined, vscode.l10n.t('Update Secret')));
    if (profile?.secretSource !== undefined) throw secretFromElsewhere(profile);
    if (profile !== undefined && (await promptForSecret(profile, secrets))) await connect(profile);
  });
  register(commands.connectionTest, async (name) => {
    const profile =
      typeof name === 'string'
        ? byName(name)
        : (current() ?? (await pickProfile(known(), undefined, vscode.l10n.t('Test Connection'))));
    if (profile === undefined) return undefined;
    return await (await requireTester()).test(profile);
  });
  register(commands.connectionCopyReport, async () => {
    const text = (await requireTester()).text;
    if (text === undefined) throw new ExpectedError(vscode.l10n.t('No connection has been tested yet.'));
    await vscode.env.clipboard.writeText(text);
    setStatusBarMessage(vscode.l10n.t('The report is copied.'), 3_000);
  });
  register(commands.connectionMoveSecrets, async () => {
    const { moved, incomplete } = await moveSecrets(secrets);
    if (incomplete > 0)
      throw new ExpectedError(
        vscode.l10n.t(
          '{0} connections with a secret are not complete: their secrets stay where they are until they are.',
          incomplete,
        ),
      );
    void showInformationMessage(
      moved === 0
        ? vscode.l10n.t('No secrets are left in the settings.')
        : vscode.l10n.t(
            '{0} secrets were moved to the secret storage and removed from the settings. Whoever had the file may know them: renew them.',
            moved,
          ),
    );
  });
  register(commands.networkUpdatePassphrase, async () => {
    const file = readNetworkSettings().dispatcher.certificateFile;
    if (file === undefined)
      throw new ExpectedError(
        vscode.l10n.t('No client certificate is set (identityQueries.network.clientCertificate).'),
      );
    const { promptForPassphrase } = await import('./manage-connections.ts');
    const isGiven = await promptForPassphrase(file, secrets);
    if (isGiven && session.state.kind === 'failed') await connect(session.state.profile);
  });
  register(commands.sandboxSwitch, async () => {
    const profile = current();
    if (profile?.source !== 'sandbox') {
      await connect(await deps.startSandbox());
      return;
    }
    const real = known().filter(({ source }) => source !== 'sandbox');
    const [only] = real.length === 1 && real[0]?.folderEntry === undefined ? real : [];
    const back = sameConnection(last.real, real) ?? only;
    if (back !== undefined) await connect(back);
    else await vscode.commands.executeCommand(commands.connectionConnect);
  });
  register(commands.connectionState, () => snapshotOf(session));

  const problems = new SettingProblemsReport();
  const publish = () => {
    void vscode.commands.executeCommand('setContext', contextKeys.hasConnections, known().length > 0);
    problems.show(deps.settings().problems);
    names.update(known());
    takeUp();
  };
  /** What the settings say of the current connection counts at once, its name included. */
  const takeUp = () => {
    const profile = current();
    const changed = profile && names.find(profile.name, homeOf(profile));
    if (profile === undefined || changed?.source !== 'settings') return;
    session.updateProfile(changed);
    const isRenamed = current()?.name !== profile.name;
    if (isRenamed)
      last
        .set(changed)
        .then(undefined, (error: unknown) => void presentFailure(log, 'renaming a connection', error));
  };
  publish();
  disposables.add(
    session.onDidChangeState((state) => {
      names.update(known());
      if (state.kind === 'connected' || state.kind === 'failed') takeUp();
    }),
  );
  disposables.add(
    vscode.workspace.onDidChangeConfiguration((event) => {
      if (event.affectsConfiguration(`${settingsSection}.${settings.connections}`)) publish();
      if (affectsNetwork(event)) void networkChanged(session, connect);
    }),
  );
  disposables.add(vscode.workspace.onDidGrantWorkspaceTrust(publish));
  disposables.add(folderAnswers.onDidChange(publish));
  disposables.add(
    secrets.onDidChange((isOf) => {
      // Put right in another window: what failed for its secret works again here too.
      const { state } = session;
      if (state.kind === 'failed' && state.isAuthFailure && isOf(state.profile))
        void secrets.needsToBeAsked(state.profile).then((isMissing) => {
          if (!isMissing && session.state === state) void session.connect(state.profile);
        });
    }),
  );

  void session.resume(goOn);
  return { connect, dispose: () => disposables.dispose() };

  /** Goes on where the window was left: with the connection of the environment, else the last one, the sandbox included. */
  async function goOn(): Promise<void> {
    const remembered = last.get();
    if (fromEnvironment !== undefined) await session.connect(fromEnvironment.profile);
    else if (remembered?.key === sandboxKey) {
      try {
        await session.connect(await deps.startSandbox());
      } catch (error) {
        log.warn(`the sandbox was not started again: ${errorName(error)}`);
      }
    } else {
      const profile = sameConnection(remembered, known());
      if (profile !== undefined && isUnanswered(profile)) void tellChanged(profile, connect);
      else if (profile !== undefined) await session.connect(profile);
    }
  }
}

/** Nothing that a folder wants is asked about before a person does something. */
async function tellChanged(
  profile: ConnectionProfile,
  connect: (profile: ConnectionProfile) => Promise<void>,
): Promise<void> {
  const review = vscode.l10n.t('Review and Connect...');
  const chosen = await showInformationMessage(
    vscode.l10n.t(
      '{0} is not connected: what the folder {1} wants for it has changed.',
      profile.name,
      profile.folderEntry?.folder ?? '',
    ),
    review,
  );
  if (chosen === review) await connect(profile);
}

function configuredCurrent(profile: ConnectionProfile | undefined): string | undefined {
  return profile?.source === 'settings' ? profile.name : undefined;
}

function secretFromElsewhere(profile: ConnectionProfile): ExpectedError {
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

/** Settings of the network count from the next connection on; what runs is not cut off. */
async function networkChanged(
  session: Session,
  connect: (profile: ConnectionProfile) => Promise<void>,
): Promise<void> {
  const { state } = session;
  if (state.kind === 'failed' && !state.isAuthFailure) await session.connect(state.profile);
  if (state.kind !== 'connected') return;
  const again = vscode.l10n.t('Connect Again');
  const chosen = await showInformationMessage(
    vscode.l10n.t('The new network settings count from the next connection to {0}.', state.profile.name),
    again,
  );
  if (chosen === again && session.state.kind === 'connected') await connect(session.state.profile);
}

function snapshotOf(session: Session): StateSnapshot {
  const { state } = session;
  if (state.kind === 'disconnected') return { kind: state.kind };
  const { profile } = state;
  return {
    kind: state.kind,
    name: profile.name,
    source: profile.source,
    key: connectionKeyOf(profile),
    isProtected: profile.protected,
    allowChanges: profile.allowChanges,
    ...(state.kind === 'failed' ? { failure: state.failure, reason: state.reason } : {}),
    ...(state.kind === 'connected' ? { models: state.models.length, withoutWrite: state.withoutWrite } : {}),
  };
}
