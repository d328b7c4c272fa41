/** Applies changes to settings, secrets and workspace trust to the current connection immediately. */
import * as vscode from 'vscode';
import { DisposableStore, type DisposableLike } from '#base/disposables.ts';
import { contextKeys, settings, settingsSection } from '#client/contributions.ts';
import { homeOf } from '#client/session/connection-names.ts';
import { affectsNetwork } from '#client/session/network.ts';
import { presentFailure } from '#client/ui/register-command.ts';
import { connectTo } from './choose-connection.ts';
import type { ConnectionDependencies } from './dependencies.ts';
import type { ManageDependencies } from './manage-connections.ts';
import { SettingProblemsReport } from './secrets-in-settings.ts';

export function followSettings(deps: ConnectionDependencies, manage: ManageDependencies): DisposableLike {
  const { session, names, secrets } = deps;
  const disposables = new DisposableStore();
  const problems = new SettingProblemsReport();
  const publish = () => {
    const known = manage.known();
    void vscode.commands.executeCommand('setContext', contextKeys.hasConnections, known.length > 0);
    problems.show(deps.settings().problems);
    names.update(known);
    takeUp(deps, manage);
  };
  publish();
  disposables.add(
    session.onDidChangeState((state) => {
      names.update(manage.known());
      if (state.kind === 'connected' || state.kind === 'failed') takeUp(deps, manage);
    }),
  );
  disposables.add(
    vscode.workspace.onDidChangeConfiguration((event) => {
      if (event.affectsConfiguration(`${settingsSection}.${settings.connections}`)) publish();
      if (affectsNetwork(event))
        void import('./tell-changed.ts').then(({ networkChanged }) =>
          networkChanged(session, (profile) => connectTo(profile, manage)),
        );
    }),
  );
  disposables.add(vscode.workspace.onDidGrantWorkspaceTrust(publish));
  disposables.add(deps.folderAnswers.onDidChange(publish));
  disposables.add(
    secrets.onDidChange((isOf) => {
      // A connection that failed because of its secret reconnects when another window stores a new one.
      const { state } = session;
      if (state.kind === 'failed' && state.isAuthFailure && isOf(state.profile))
        void secrets.needsToBeAsked(state.profile).then((isMissing) => {
          if (!isMissing && session.state === state) void session.connect(state.profile);
        });
    }),
  );
  return disposables;
}

/** Applies changes to the current connection's settings, including its name, immediately. */
function takeUp({ session, names, log }: ConnectionDependencies, { last }: ManageDependencies): void {
  const current = () => (session.state.kind === 'disconnected' ? undefined : session.state.profile);
  const profile = current();
  const changed = profile && names.find(profile.name, homeOf(profile));
  if (profile === undefined || changed?.source !== 'settings') return;
  session.updateProfile(changed);
  const isRenamed = current()?.name !== profile.name;
  if (isRenamed)
    last
      .set(changed)
      .then(undefined, (error: unknown) => void presentFailure(log, 'renaming a connection', error));
}
