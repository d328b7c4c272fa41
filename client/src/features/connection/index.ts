/** Registers the commands to choose, add, edit, test and disconnect connections. */
import { DisposableStore, type DisposableLike } from '#base/disposables.ts';
import { commandsIn } from '#client/ui/register-command.ts';
import { environmentConnection } from '#core/connections/environment-connection.ts';
import { ConnectionCommands } from './connection-commands.ts';
import type { ConnectionDependencies } from './dependencies.ts';
import { followSettings } from './follow-settings.ts';
import { goOn } from './go-on.ts';
import { LastConnection } from './last-connection.ts';
import type { ManageDependencies } from './manage-connections.ts';
import { reportFailures } from './report-failure.ts';

export type { StateSnapshot } from './connection-commands.ts';

export function registerConnection(deps: ConnectionDependencies): DisposableLike {
  const { context, log, session, secrets } = deps;
  const disposables = new DisposableStore();
  const fromEnvironment = environmentConnection(process.env);
  if (fromEnvironment !== undefined) secrets.provide(fromEnvironment.profile, fromEnvironment.secret);
  const failures = disposables.add(reportFailures(session));
  const manage: ManageDependencies = {
    session,
    secrets,
    last: new LastConnection(context.workspaceState, context.globalState),
    folderAnswers: deps.folderAnswers,
    known: () => {
      const extra = [fromEnvironment?.profile, deps.sandboxProfile()].filter(
        (profile) => profile !== undefined,
      );
      return [...extra, ...deps.ownProfiles(), ...deps.settings().connections];
    },
    askedFor: failures.askedFor,
    unsavedQueries: deps.unsavedQueries,
  };
  const own = disposables.add(new ConnectionCommands(deps, manage));
  own.register(commandsIn(disposables, log));
  disposables.add(followSettings(deps, manage));
  const isExpected = fromEnvironment !== undefined || manage.last.get() !== undefined;
  void session.resume(() => goOn(deps, manage, fromEnvironment?.profile), isExpected);
  return disposables;
}
