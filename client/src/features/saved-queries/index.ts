/** Saved queries: the view, the files behind it, and saving. */
import * as vscode from 'vscode';
import { languageId } from '../../../../server/src/protocol.ts';
import { commands, views } from '../../contributions.ts';
import { connectionKeyOf } from '../../session/connection-profile.ts';
import type { Session } from '../../session/session.ts';
import { ExpectedError } from '../../ui/failure.ts';
import { presentFailure, registerCommand } from '../../ui/register-command.ts';
import { DisposableStore, type DisposableLike } from '../../util/disposables.ts';
import type { Logger } from '../../util/logger.ts';
import { BaseArchive } from './base-archive.ts';
import { Bases } from './bases.ts';
import { deleteQuery, offerCreateAgain } from './commands/delete-query.ts';
import { saveAsNew } from './commands/save-as-new.ts';
import { createKnownQueries, type KnownQueries } from './known-queries.ts';
import type { KnownQuery } from './known-query.ts';
import { RememberedQueries } from './remembered-queries.ts';
import { saveQuery } from './save-query.ts';
import { parseSavedQueryUri, savedQueryKey, savedQueryScheme, savedQueryUri } from './saved-query-uri.ts';
import { SavedQueriesStore } from './saved-queries-store.ts';
import { SavedQueriesTree } from './saved-queries-tree.ts';
import { SavedQueryFileSystem } from './saved-query-file-system.ts';
import { trackBuffers } from './track-buffers.ts';
import { textToSave } from './text-to-save.ts';
import { registerVersionDocuments } from './version-documents.ts';
import { VersionStore } from './version-store.ts';

export interface SavedQueriesDependencies {
  readonly context: vscode.ExtensionContext;
  readonly log: Logger;
  readonly session: Session;
  /** The model of a document, as the person sees it. */
  readonly modelOf: (document: vscode.TextDocument) => string;
}

export interface SavedQueriesFeature extends DisposableLike {
  /** The record behind a document, as the buffer knows it; undefined for other documents. */
  readonly recordOf: (uri: vscode.Uri) => KnownQuery | undefined;
  /** The connection that a document's saved query is on; undefined for other documents. */
  readonly connectionOf: (uri: vscode.Uri) => string | undefined;
  /** Fires when a record was read, saved or listed. */
  readonly onDidChange: vscode.Event<string | undefined>;
  /** All saved queries of the connection, with their texts. */
  readonly known: KnownQueries;
  /** Where a saved query of the current connection opens as a document; undefined while not connected. */
  readonly uriOf: (query: Pick<KnownQuery, 'query_id' | 'name'>) => vscode.Uri | undefined;
}

export function registerSavedQueries(deps: SavedQueriesDependencies): SavedQueriesFeature {
  const { context, log, session } = deps;
  const disposables = new DisposableStore();
  const remembered = disposables.add(
    new RememberedQueries(context.globalState, () =>
      session.state.kind === 'connected' ? connectionKeyOf(session.state.profile) : undefined,
    ),
  );
  const store = disposables.add(new SavedQueriesStore(session, log, remembered));
  const bases = new Bases();
  const versions = new VersionStore({
    folder: vscode.Uri.joinPath(context.globalStorageUri, 'versions').fsPath,
    log,
  });
  const fileSystem = disposables.add(
    new SavedQueryFileSystem({
      session,
      store,
      bases,
      versions,
      save: (request) =>
        saveQuery(request, {
          log,
          takeTheirs: (uri) => {
            const listener = vscode.workspace.onDidSaveTextDocument((document) => {
              if (document.uri.toString() !== uri.toString()) return;
              listener.dispose();
              fileSystem.reload(uri);
            });
          },
        }),
    }),
  );
  disposables.add(
    vscode.workspace.registerFileSystemProvider(savedQueryScheme, fileSystem, { isCaseSensitive: true }),
  );
  disposables.add(registerVersionDocuments());
  const archiveFolder = context.storageUri ?? context.globalStorageUri;
  const archive = new BaseArchive(vscode.Uri.joinPath(archiveFolder, 'bases'));
  disposables.add(trackBuffers({ bases, archive, log }));

  const tree = disposables.add(new SavedQueriesTree(store, session));
  const view = disposables.add(
    vscode.window.createTreeView(views.savedQueries, { treeDataProvider: tree, showCollapseAll: true }),
  );
  disposables.add(
    session.onDidChangeState((state) => {
      view.description = state.kind === 'connected' ? state.profile.name : '';
      view.message = state.kind === 'failed' ? state.reason : undefined;
    }),
  );

  const requireRecord = async (argument: unknown): Promise<KnownQuery> => {
    const queryId = queryIdOf(argument);
    if (queryId === undefined)
      throw new ExpectedError(vscode.l10n.t('Choose a saved query in the view first.'));
    requireOwnConnection(argument, session);
    return store.get(queryId) ?? (await session.requireClient().savedQueries.get(queryId));
  };
  const open = async (query: KnownQuery) => {
    const { state } = session;
    if (state.kind !== 'connected') return;
    await vscode.window.showTextDocument(savedQueryUri(state.profile.name, query), { preview: true });
    remembered.noteOpened(query.query_id);
  };

  disposables.add(
    registerCommand(log, commands.savedQueryOpen, async (argument) => {
      session.requireClient();
      const query =
        queryIdOf(argument) === undefined ? await quickOpen(store.list()) : await requireRecord(argument);
      if (query !== undefined) await open(query);
    }),
  );
  disposables.add(
    registerCommand(log, commands.savedQuerySaveAsNew, async (argument) => {
      const document = await documentOf(argument);
      const client = session.requireClient();
      const text = textToSave(argument, document);
      if (text.trim() === '')
        throw new ExpectedError(vscode.l10n.t('The document is empty: there is nothing to save.'));
      const source = bases.get(savedQueryKey(document.uri));
      const saved = await saveAsNew({
        client,
        text,
        model: deps.modelOf(document),
        models: session.state.kind === 'connected' ? session.state.models : [],
        suggestedName: source === undefined ? '' : copyName(source.name, (name) => store.hasName(name)),
        suggestedDescription: source?.description ?? '',
        isKnownName: (name) => store.hasName(name),
        failed: (error) => void presentFailure(log, commands.savedQuerySaveAsNew, error),
      });
      if (saved === undefined) return;
      store.put(saved);
      if (session.state.kind === 'connected') versions.note(session.state.profile.name, saved);
      remembered.noteCreated(saved.query_id);
      await open(saved);
      await closeIfSaved(document, text);
      vscode.window.setStatusBarMessage(vscode.l10n.t('"{0}" is saved as version 1.', saved.name), 5_000);
    }),
  );
  disposables.add(
    registerCommand(log, commands.savedQueryCopyId, async (argument) => {
      await vscode.env.clipboard.writeText((await requireRecord(argument)).query_id);
    }),
  );
  disposables.add(
    registerCommand(log, commands.savedQueryDelete, async (argument) => {
      const target = argument ?? activeQueryArgument();
      const { query_id: queryId } = await requireRecord(target);
      const client = session.requireClient();
      // What is deleted is the newest version, so that is what is named, and kept for creating it again.
      const query = await client.savedQueries.get(queryId);
      if (!(await deleteQuery(client, query))) return;
      store.remove(query.query_id);
      const isHere = () => session.state.kind === 'connected' && session.state.client === client;
      if (session.state.kind === 'connected' && isHere()) {
        fileSystem.noteDeleted(savedQueryUri(session.state.profile.name, query));
      }
      void offerCreateAgain(client, query).then(
        (created) => created && isHere() && store.put(created),
        (error: unknown) => presentFailure(log, commands.savedQueryDelete, error),
      );
    }),
  );
  disposables.add(registerCommand(log, commands.savedQueriesRefresh, () => store.refresh()));
  disposables.add(
    registerCommand(log, commands.queryNew, async () => {
      const document = await vscode.workspace.openTextDocument({ language: languageId, content: '' });
      await vscode.window.showTextDocument(document);
    }),
  );

  return {
    recordOf: (uri) => {
      const address = parseSavedQueryUri(uri);
      return address === undefined
        ? undefined
        : (bases.get(savedQueryKey(uri)) ?? store.get(address.queryId));
    },
    connectionOf: (uri) => parseSavedQueryUri(uri)?.connection,
    onDidChange: store.onDidChange,
    uriOf: (query) =>
      session.state.kind === 'connected' ? savedQueryUri(session.state.profile.name, query) : undefined,
    known: createKnownQueries(store, session),
    dispose: () => disposables.dispose(),
  };
}

function queryIdOf(argument: unknown): string | undefined {
  if (typeof argument !== 'object' || argument === null || !('queryId' in argument)) return undefined;
  return typeof argument.queryId === 'string' ? argument.queryId : undefined;
}

/** @throws ExpectedError when the query is of another connection than the chosen one. */
function requireOwnConnection(argument: unknown, session: Session): void {
  if (typeof argument !== 'object' || argument === null || !('connection' in argument)) return;
  const { state } = session;
  if (state.kind === 'connected' && state.profile.name === argument.connection) return;
  throw new ExpectedError(
    vscode.l10n.t('This query belongs to {0}. Connect to it first.', String(argument.connection)),
    [{ title: vscode.l10n.t('Connect...'), command: commands.connectionConnect }],
  );
}

function activeQueryArgument(): unknown {
  const uri = vscode.window.activeTextEditor?.document.uri;
  return uri === undefined ? undefined : parseSavedQueryUri(uri);
}

/** The document a command is for: named by its address, else the active one. */
async function documentOf(argument: unknown): Promise<vscode.TextDocument> {
  if (
    typeof argument === 'object' &&
    argument !== null &&
    'uri' in argument &&
    typeof argument.uri === 'string'
  ) {
    return await vscode.workspace.openTextDocument(vscode.Uri.parse(argument.uri, true));
  }
  const active = vscode.window.activeTextEditor?.document;
  if (active?.languageId !== languageId) {
    throw new ExpectedError(vscode.l10n.t('Open the query that you want to save first.'), [
      { title: vscode.l10n.t('New Query'), command: commands.queryNew },
    ]);
  }
  return active;
}

async function quickOpen(queries: readonly KnownQuery[]): Promise<KnownQuery | undefined> {
  const chosen = await vscode.window.showQuickPick(
    queries.map((query) => ({
      label: query.name,
      description: `v${query.version}`,
      ...(query.description ? { detail: query.description } : {}),
      query,
    })),
    { placeHolder: vscode.l10n.t('Open a saved query'), matchOnDetail: true },
  );
  return chosen?.query;
}

/** "Name (2)", or the next number that is free as far as known. */
function copyName(name: string, isTaken: (name: string) => boolean): string {
  for (let number = 2; ; number += 1) {
    const candidate = `${name} (${number})`;
    if (!isTaken(candidate)) return candidate;
  }
}

/** An untitled draft whose whole text is now on the service has done its work. */
async function closeIfSaved(draft: vscode.TextDocument, savedText: string): Promise<void> {
  if (!draft.isUntitled || draft.getText() !== savedText) return;
  const tabs = vscode.window.tabGroups.all
    .flatMap((group) => group.tabs)
    .filter(
      (tab) => tab.input instanceof vscode.TabInputText && tab.input.uri.toString() === draft.uri.toString(),
    );
  if (tabs.length === 0) return;
  const active = vscode.window.activeTextEditor;
  await vscode.window.showTextDocument(draft);
  await vscode.commands.executeCommand('workbench.action.revertAndCloseActiveEditor');
  if (active !== undefined) await vscode.window.showTextDocument(active.document, active.viewColumn);
}
