/** Saved queries as files in a Git repository: registers the source control and links files to queries. */
import * as vscode from 'vscode';
import { DisposableStore, type DisposableLike } from '#base/disposables.ts';
import { errorName } from '#base/errors.ts';
import type { Logger } from '#base/logger.ts';
import { stackOf } from '#base/shown-text/stack-of.ts';
import { commands, contextKeys } from '#client/contributions.ts';
import type { Session } from '#client/session/session.ts';
import { commandsIn } from '#client/ui/register-command.ts';
import type { KnownQuery } from '#core/saved-queries/known-query.ts';
import { registerServiceTexts } from './service-texts.ts';
import type { QuerySourceControl } from './source-control.ts';
import { SyncFolder } from './sync-folder.ts';

export interface SourceControlDependencies {
  readonly log: Logger;
  readonly session: Session;
  readonly uriOf: (query: Pick<KnownQuery, 'query_id' | 'name'>) => vscode.Uri | undefined;
  /** Fires when a saved query has been read or saved in this window. */
  readonly onDidChangeQuery: vscode.Event<string | undefined>;
}

export interface SourceControlFeature extends DisposableLike {
  /** Returns the model of a file's query; undefined for other documents. */
  readonly recordOf: (uri: vscode.Uri) => { readonly model: string } | undefined;
  /** Returns the file for a saved query on the current connection. */
  readonly fileOfQuery: (queryId: string) => vscode.Uri | undefined;
  /** Fires when files are assigned to other queries, or when the queries' fields change. */
  readonly onDidChange: vscode.Event<void>;
}

export function registerSourceControl(deps: SourceControlDependencies): SourceControlFeature {
  const { log, session } = deps;
  const disposables = new DisposableStore();
  const folder = disposables.add(new SyncFolder({ session, log }));
  let control: Promise<QuerySourceControl> | undefined;
  disposables.add(registerServiceTexts(folder));
  disposables.add(
    folder.onDidFind((root) => {
      void vscode.commands.executeCommand('setContext', contextKeys.hasQueryFiles, true);
      control = showFolder(folder, root, disposables);
      control.catch((error: unknown) => log.error(`showing source control failed: ${stackOf(error)}`));
    }),
  );
  disposables.add(deps.onDidChangeQuery((id) => followSaved(folder, id, log)));
  const register = commandsIn(disposables, log);
  register(commands.gitRefresh, () => folder.refresh());
  register(commands.gitPull, async () => (await import('./file-commands.ts')).pullQueries(folder));
  register(commands.gitPush, async () => (await import('./push-queries.ts')).pushQueries(folder));
  register(commands.gitCompare, async (argument) =>
    (await import('./file-commands.ts')).compareFile(folder, argument),
  );
  register(commands.gitResolve, async (argument) =>
    (await import('./file-commands.ts')).resolveFile(folder, argument),
  );
  register(commands.gitOpenFile, async (argument) =>
    (await import('./file-commands.ts')).openFileOf(folder, argument),
  );
  register(commands.gitOpenSaved, async (argument) =>
    (await import('./file-commands.ts')).openSaved(folder, deps.uriOf, argument),
  );
  register(commands.gitState, async () => (await control)?.state());
  void folder.find();
  return {
    recordOf: (uri) => {
      const file = folder.fileOf(uri);
      return file && { model: file.here.draft.model };
    },
    fileOfQuery: (queryId) => folder.fileOfQuery(queryId),
    onDidChange: folder.onDidChange,
    dispose: () => disposables.dispose(),
  };
}

/** Shows the source control once a folder of saved queries is found. Loaded only then, since most windows have none. */
async function showFolder(
  folder: SyncFolder,
  root: vscode.Uri,
  disposables: DisposableStore,
): Promise<QuerySourceControl> {
  const [{ QuerySourceControl }, { registerFileLens }] = await Promise.all([
    import('./source-control.ts'),
    import('./file-lens.ts'),
  ]);
  disposables.add(registerFileLens(folder));
  return disposables.add(new QuerySourceControl(folder, root));
}

/** Compares a query again after it was saved in this window; does nothing if it was only read with the list. */
function followSaved(folder: SyncFolder, id: string | undefined, log: Logger): void {
  const known = folder.comparison?.there.some((query) => query.id === id) ?? false;
  if (id === undefined || !known) return;
  folder
    .changed(id)
    .catch((error: unknown) => log.debug(`following a saved query failed: ${errorName(error)}`));
}
