/** Saved queries: the view, the files behind it, and saving. */
import * as vscode from 'vscode';
import { languageId } from '../../../../server/src/protocol.ts';
import { commands } from '../../contributions.ts';
import { connectionKeyOf } from '../../session/connection-profile.ts';
import type { Session } from '../../session/session.ts';
import { readSettings } from '../../session/settings.ts';
import { ExpectedError } from '../../ui/failure.ts';
import { presentFailure, registerCommand } from '../../ui/register-command.ts';
import { DisposableStore, type DisposableLike } from '../../util/disposables.ts';
import type { Logger } from '../../util/logger.ts';
import { ArrangementStore } from './arrangement-store.ts';
import { BaseArchive } from './base-archive.ts';
import { Bases } from './bases.ts';
import { saveAsNew } from './commands/save-as-new.ts';
import { createKnownQueries, type KnownQueries } from './known-queries.ts';
import type { KnownQuery } from './known-query.ts';
import { openLink } from './open-link.ts';
import { registerQueryCommands } from './query-commands.ts';
import { noteCreated, openDocumentOf, openQuery, requireConnected } from './query-context.ts';
import { freeName } from './query-name.ts';
import { quickOpen } from './quick-open.ts';
import { RememberedQueries } from './remembered-queries.ts';
import { saveQuery } from './save-query.ts';
import { parseSavedQueryUri, savedQueryKey, savedQueryScheme, savedQueryUri } from './saved-query-uri.ts';
import { SavedQueriesStore } from './saved-queries-store.ts';
import { SavedQueryFileSystem } from './saved-query-file-system.ts';
import { trackBuffers } from './track-buffers.ts';
import { textToSave } from './text-to-save.ts';
import { registerVersionDocuments, versionRecordOf } from './version-documents.ts';
import { VersionStore } from './version-store.ts';
import { registerView } from './view.ts';

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
  /** Asks for one of them, by names, descriptions and texts; undefined when the person left. */
  readonly pick: (title: string) => Promise<KnownQuery | undefined>;
}

export function registerSavedQueries(deps: SavedQueriesDependencies): SavedQueriesFeature {
  const { context, log, session } = deps;
  const disposables = new DisposableStore();
  const remembered = disposables.add(
    new RememberedQueries(context.globalState, () =>
      session.state.kind === 'connected' ? connectionKeyOf(session.state.profile) : undefined,
    ),
  );
  const versions = new VersionStore({
    folder: vscode.Uri.joinPath(context.globalStorageUri, 'versions').fsPath,
    log,
  });
  const store = disposables.add(new SavedQueriesStore({ session, log, remembered, versions }));
  const bases = new Bases();
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
  disposables.add(registerVersionDocuments(versions));
  const archiveFolder = context.storageUri ?? context.globalStorageUri;
  const archive = new BaseArchive(vscode.Uri.joinPath(archiveFolder, 'bases'));
  disposables.add(trackBuffers({ bases, archive, log }));

  const arrangement = disposables.add(new ArrangementStore(context.globalState));
  const queries = { log, session, store, remembered, arrangement, bases, versions, fileSystem };
  const known = createKnownQueries(store, session);
  disposables.add(registerView(queries));
  disposables.add(registerQueryCommands(queries, known));
  disposables.add(
    vscode.window.registerUriHandler({
      handleUri: (uri) =>
        openLink(queries, uri, () => readSettings().connections).catch((error: unknown) =>
          presentFailure(log, 'opening a link', error),
        ),
    }),
  );
  disposables.add(
    registerCommand(log, commands.savedQuerySaveAsNew, async (argument) => {
      const document = await documentOf(argument);
      const { client, connection } = requireConnected(session);
      const text = textToSave(argument, document);
      if (text.trim() === '')
        throw new ExpectedError(vscode.l10n.t('The document is empty: there is nothing to save.'));
      const source = bases.get(savedQueryKey(document.uri));
      const saved = await saveAsNew({
        client,
        text,
        model: deps.modelOf(document),
        models: session.state.kind === 'connected' ? session.state.models : [],
        suggestedName: source === undefined ? '' : freeName(source.name, (name) => store.hasName(name)),
        suggestedDescription: source?.description ?? '',
        isKnownName: (name) => store.hasName(name),
        failed: (error) => void presentFailure(log, commands.savedQuerySaveAsNew, error),
      });
      if (saved === undefined) return;
      noteCreated(queries, connection, saved);
      await openQuery(queries, connection, saved);
      await closeIfSaved(document, text);
      vscode.window.setStatusBarMessage(vscode.l10n.t('"{0}" is saved as version 1.', saved.name), 5_000);
    }),
  );
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
        ? versionRecordOf(uri)
        : (bases.get(savedQueryKey(uri)) ?? store.get(address.queryId));
    },
    connectionOf: (uri) => parseSavedQueryUri(uri)?.connection,
    onDidChange: store.onDidChange,
    uriOf: (query) => {
      if (session.state.kind !== 'connected') return undefined;
      const { name } = session.state.profile;
      return openDocumentOf(name, query.query_id)?.uri ?? savedQueryUri(name, query);
    },
    known,
    pick: async (title) => await quickOpen({ log, known, remembered }, title),
    dispose: () => disposables.dispose(),
  };
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
