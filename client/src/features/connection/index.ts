/** Choosing, adding and leaving connections. */
import * as vscode from 'vscode';
import { commands, contextKeys, settings, settingsSection } from '../../contributions.ts';
import type { ConnectionProfile } from '../../session/connection-profile.ts';
import type { SecretStore } from '../../session/secrets.ts';
import type { Session } from '../../session/session.ts';
import type { Settings } from '../../session/settings.ts';
import { registerCommand } from '../../ui/register-command.ts';
import { DisposableStore, type DisposableLike } from '../../util/disposables.ts';
import type { Logger } from '../../util/logger.ts';
import { addConnection } from './add-connection.ts';
import { connectTo, pickConnection, promptForSecret } from './choose-connection.ts';
import { environmentConnection } from './environment-connection.ts';
import { LastConnection } from './last-connection.ts';

export interface ConnectionDependencies {
  readonly context: vscode.ExtensionContext;
  readonly log: Logger;
  readonly session: Session;
  readonly secrets: SecretStore;
  readonly settings: () => Settings;
  /** The connection to the sandbox started from this window, if it runs. */
  readonly sandboxProfile: () => ConnectionProfile | undefined;
}

export function registerConnection(deps: ConnectionDependencies): DisposableLike {
  const { context, log, session, secrets } = deps;
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
  const connect = (profile: ConnectionProfile) => connectTo(profile, { session, secrets, last });

  disposables.add(
    registerCommand(log, commands.connectionConnect, async (name) => {
      const profile =
        typeof name === 'string'
          ? known().find((each) => each.name === name)
          : await pickConnection(known(), session);
      if (profile !== undefined) await connect(profile);
    }),
  );
  disposables.add(
    registerCommand(log, commands.connectionAdd, async () => {
      const added = await addConnection(known(), secrets);
      if (added !== undefined) await connect(added);
    }),
  );
  disposables.add(
    registerCommand(log, commands.connectionDisconnect, async () => {
      await last.set(undefined);
      await session.disconnect();
    }),
  );
  disposables.add(
    registerCommand(log, commands.connectionRetry, async () => {
      const { state } = session;
      if (state.kind === 'failed' || state.kind === 'connected') await connect(state.profile);
      else await vscode.commands.executeCommand(commands.connectionConnect);
    }),
  );
  disposables.add(
    registerCommand(log, commands.connectionUpdateSecret, async () => {
      const { state } = session;
      const profile = state.kind === 'disconnected' ? await pickConnection(known(), session) : state.profile;
      if (profile !== undefined && (await promptForSecret(profile, secrets))) await connect(profile);
    }),
  );

  const publish = () => {
    const current = deps.settings();
    void vscode.commands.executeCommand('setContext', contextKeys.hasConnections, known().length > 0);
    for (const { message } of current.problems) void vscode.window.showWarningMessage(message);
  };
  publish();
  disposables.add(
    vscode.workspace.onDidChangeConfiguration((event) => {
      if (event.affectsConfiguration(`${settingsSection}.${settings.connections}`)) publish();
    }),
  );

  const first = fromEnvironment?.profile ?? known().find((profile) => profile.name === last.get());
  if (first !== undefined) void session.connect(first);
  return disposables;
}
