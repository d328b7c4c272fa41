/** Services over the person's own PostgreSQL databases, one process a database, shared by all windows. */
import * as vscode from 'vscode';
import { DisposableStore, type DisposableLike } from '#base/disposables.ts';
import { errorName } from '#base/errors.ts';
import { commands, contextKeys } from '#client/contributions.ts';
import { commandsIn } from '#client/ui/register-command.ts';
import type { ConnectionProfile } from '#core/connections/connection-profile.ts';
import type { OwnDataDependencies } from './dependencies.ts';
import type { OwnDatabases } from './own-databases.ts';

export interface OwnDataFeature extends DisposableLike {
  /** The connections whose services this window uses. */
  readonly profiles: () => readonly ConnectionProfile[];
  /** Asks for a database and starts a service over it; undefined if the user cancels. @throws ExpectedError */
  readonly connect: () => Promise<ConnectionProfile | undefined>;
  /** Starts the service over a known database; undefined if it is not known. @throws ExpectedError */
  readonly start: (key: string) => Promise<ConnectionProfile | undefined>;
}

export function registerOwnData(deps: OwnDataDependencies): OwnDataFeature {
  const disposables = new DisposableStore();
  let loading: Promise<OwnDatabases> | undefined;
  let profiles: readonly ConnectionProfile[] = [];
  const setProfiles = (value: typeof profiles) => {
    profiles = value;
    void vscode.commands.executeCommand('setContext', contextKeys.ownDataRunning, value.length > 0);
  };
  const load = () =>
    (loading ??= import('./own-databases.ts').then(({ OwnDatabases }) =>
      disposables.add(new OwnDatabases(deps, setProfiles)),
    ));
  const { session, context, log } = deps;
  let told: unknown;
  disposables.add(
    session.onDidChangeState(() => {
      const { state } = session;
      if (state.kind !== 'connected' || state.profile.source !== 'local' || state.client === told) return;
      told = state.client;
      void import('./login-notes.ts')
        .then(({ tellLoginNotes }) => tellLoginNotes(state.client, state.profile, context.globalState))
        .catch((error: unknown) => log.warn(`notes about the login were not read: ${errorName(error)}`));
    }),
  );
  const on = commandsIn(disposables, deps.log);
  on(commands.ownDataRole, [], async () => (await load()).makeReadingRole());
  on(commands.ownDataStop, [], async () => (await load()).stop());
  on(commands.ownDataForget, [], async () => (await load()).forget());
  return {
    profiles: () => profiles,
    connect: async () => (await load()).connect(),
    start: async (key) => (await load()).start(key),
    dispose: () => disposables.dispose(),
  };
}
