/** Saved queries: the view, the files behind it, and saving. */
import * as vscode from 'vscode';
import type { SavedQuery } from '../../../../api/contract/saved-queries.ts';
import { languageId } from '../../../../server/src/protocol.ts';
import { commands } from '../../contributions.ts';
import type { ConnectionNames } from '../../session/connection-names.ts';
import { connectionKeyOf } from '../../../../core/src/connections/connection-profile.ts';
import type { Session } from '../../session/session.ts';
import { readSettings } from '../../session/settings.ts';
import { hasEdits } from '../../ui/has-edits.ts';
import { presentFailure, registerCommand } from '../../ui/register-command.ts';
import { DisposableStore, type DisposableLike } from '../../../../core/src/util/disposables.ts';
import type { Logger } from '../../../../core/src/util/logger.ts';
import { ArrangementStore } from './view/arrangement-store.ts';
import { OpenQueries } from './saving/open-queries.ts';
import { ComparedTexts } from './creating/compared-texts.ts';
import { CreateCommands } from './creating/create-commands.ts';
import { followConnections } from './following/follow-connections.ts';
import { createKnownQueries, type KnownQueries } from './records/known-queries.ts';
import type { KnownQuery } from '../../../../core/src/saved-queries/known-query.ts';
import { openLink } from './commands/open-link.ts';
import { QueryCommands } from './commands/query-commands.ts';
import { registerWorkspaceSymbols } from './commands/workspace-symbols.ts';
import { QueryConnections } from './records/query-connection.ts';
import { showQuery } from './commands/show-query.ts';
import { QueryNews } from './records/query-news.ts';
import { openDocumentOf } from './records/open-document.ts';
import { quickOpen } from './commands/quick-open.ts';
import { readVersion, type ReadVersion } from './versions/read-version.ts';
import { RememberedQueries } from './records/remembered-queries.ts';
import { registerSaving } from './saving/register-saving.ts';
import { parseSavedQueryUri, savedQueryScheme, savedQueryUri } from './records/saved-query-uri.ts';
import { SavedQueriesStore } from './records/saved-queries-store.ts';
import {
  parseVersionUri,
  registerVersionDocuments,
  versionRecordOf,
  versionUri,
} from './versions/version-documents.ts';
import { VersionStore } from '../../../../core/src/saved-queries/version-store.ts';
import { registerView } from './view/view.ts';

export type { ReadVersion } from './versions/read-version.ts';

export interface SavedQueriesDependencies {
  readonly context: vscode.ExtensionContext;
  readonly log: Logger;
  readonly session: Session;
  readonly names: ConnectionNames;
}

export interface SeenVersion {
  readonly version: number;
  /** When it was saved, or first seen here where nobody says; milliseconds since 1970. */
  readonly at: number;
  readonly uri: vscode.Uri;
}

export interface SavedQueriesFeature extends DisposableLike {
  /** Offers to make saved queries of documents, with what says the model of a document. */
  readonly offerCreating: (modelOf: (document: vscode.TextDocument) => string) => void;
  /** The record behind a document, as the buffer knows it; undefined for other documents. */
  readonly recordOf: (uri: vscode.Uri) => KnownQuery | undefined;
  /** The connection that a document's saved query is on; undefined for other documents. */
  readonly connectionOf: (uri: vscode.Uri) => string | undefined;
  /** How many open queries of a connection have edits that are not saved. */
  readonly unsavedQueries: (connection: string) => number;
  /** Fires when a record was read, saved or listed. */
  readonly onDidChange: vscode.Event<string | undefined>;
  /** Fires when a document became a saved query, or a version of one. */
  readonly onDidCreate: vscode.Event<{ readonly from: vscode.TextDocument; readonly record: SavedQuery }>;
  /** All saved queries of the connection, with their texts. */
  readonly known: KnownQueries;
  /** Where a saved query of the current connection opens as a document; undefined while not connected. */
  readonly uriOf: (query: Pick<KnownQuery, 'query_id' | 'name'>) => vscode.Uri | undefined;
  /** One version, from the service or from those seen on this machine. */
  readonly readVersion: (queryId: string, version: number) => Promise<ReadVersion>;
  /** The versions of a document's saved query that were seen here, the newest first, as documents; none for others. */
  readonly versionsOf: (uri: vscode.Uri) => Promise<readonly SeenVersion[]>;
  /** Asks for one of them, by names, descriptions and texts; undefined when the person left. */
  readonly pick: (title: string) => Promise<KnownQuery | undefined>;
}

export function registerSavedQueries(deps: SavedQueriesDependencies): SavedQueriesFeature {
  const { context, log, session, names } = deps;
  const disposables = new DisposableStore();
  const remembered = disposables.add(
    new RememberedQueries(context.globalState, () =>
      session.state.kind === 'connected' ? connectionKeyOf(session.state.profile) : undefined,
    ),
  );
  const versions = new VersionStore({
    folder: vscode.Uri.joinPath(context.globalStorageUri, 'versions').fsPath,
    log,
    keyOf: (connection) => names.keyOf(connection),
  });
  const store = disposables.add(new SavedQueriesStore({ session, log, remembered, versions }));
  const queries = disposables.add(new OpenQueries());
  const connections = new QueryConnections(session, names);
  const { fileSystem, tabs } = disposables.add(
    registerSaving({ context, log, session, connections, store, queries, versions }),
  );
  disposables.add(followConnections({ names, connections, tabs, log }));
  disposables.add(registerVersionDocuments(versions));

  const compared = new ComparedTexts();
  disposables.add(compared.register());
  const onDidCreate = disposables.add(
    new vscode.EventEmitter<{ readonly from: vscode.TextDocument; readonly record: SavedQuery }>(),
  );

  const arrangement = disposables.add(new ArrangementStore(context.globalState));
  const news = new QueryNews({ session, store, remembered, versions, queries, fileSystem });
  const known = createKnownQueries(store, session);
  const view = disposables.add(
    registerView({ log, session, store, arrangement, remembered, versions, queries }),
  );
  const showing = { session, remembered, tabs };
  const opening = { ...showing, versions, news };
  disposables.add(new QueryCommands({ ...opening, log, store, connections, known }));
  disposables.add(
    vscode.window.registerUriHandler({
      handleUri: (uri) =>
        openLink(opening, uri, () => readSettings().connections).catch((error: unknown) =>
          presentFailure(log, 'opening a link', error),
        ),
    }),
  );
  const offerCreating = (modelOf: (document: vscode.TextDocument) => string) =>
    disposables.add(
      new CreateCommands({
        context,
        log,
        session,
        store,
        queries,
        compared,
        modelOf,
        closeIfStranded: async (document) => {
          const isStranded =
            document.uri.scheme === savedQueryScheme && connections.nameNow(document.uri) === undefined;
          if (isStranded) await tabs.closeKeptElsewhere(document);
        },
        onSaved: (connection, record, from) => {
          news.noteCreated(connection, record);
          if (from !== undefined) onDidCreate.fire({ from, record });
        },
        // Whoever saved a query works on it: its tab stays, and its row is shown.
        open: async (connection, record) => {
          await showQuery(showing, connection, record, { isPreview: false });
          await view.reveal(record.query_id);
        },
      }),
    );
  disposables.add(
    registerCommand(log, commands.queryNew, async () => {
      const document = await vscode.workspace.openTextDocument({ language: languageId, content: '' });
      await vscode.window.showTextDocument(document);
    }),
  );

  const about = aboutDocuments({ session, store, queries, versions });
  disposables.add(registerWorkspaceSymbols({ list: () => known.list(), uriOf: about.uriOf }));

  return {
    ...about,
    onDidChange: store.onDidChange,
    known,
    readVersion: (queryId, version) => readVersion({ session, versions }, queryId, version),
    pick: async (title) => await quickOpen({ log, known, remembered }, title),
    offerCreating,
    onDidCreate: onDidCreate.event,
    dispose: () => disposables.dispose(),
  };
}

/** What other features ask about documents. */
function aboutDocuments(deps: {
  readonly session: Session;
  readonly store: SavedQueriesStore;
  readonly queries: OpenQueries;
  readonly versions: VersionStore;
}): Pick<SavedQueriesFeature, 'recordOf' | 'connectionOf' | 'unsavedQueries' | 'uriOf' | 'versionsOf'> {
  const { session, store, queries, versions } = deps;
  return {
    recordOf: (uri) => {
      const address = parseSavedQueryUri(uri);
      return address === undefined
        ? versionRecordOf(uri)
        : (queries.baseOf(uri) ?? store.get(address.queryId));
    },
    connectionOf: (uri) => parseSavedQueryUri(uri)?.connection,
    unsavedQueries: (connection) =>
      vscode.workspace.textDocuments.filter(
        (document) => parseSavedQueryUri(document.uri)?.connection === connection && hasEdits(document),
      ).length,
    uriOf: (query) => {
      if (session.state.kind !== 'connected') return undefined;
      const { name } = session.state.profile;
      return openDocumentOf(name, query.query_id)?.uri ?? savedQueryUri(name, query);
    },
    versionsOf: async (uri) => {
      const address = parseSavedQueryUri(uri) ?? parseVersionUri(uri);
      if (address === undefined) return [];
      const kept = await versions.versions(address.connection, address.queryId);
      return kept.map(({ record, seenAt }) => ({
        version: record.version,
        at: record.last_modified_at === undefined ? seenAt : Date.parse(record.last_modified_at),
        uri: versionUri(address.connection, record),
      }));
    },
  };
}
