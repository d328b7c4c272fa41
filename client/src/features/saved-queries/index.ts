/** Saved queries: the view, their documents, and saving. */
import * as vscode from 'vscode';
import type { SavedQuery } from '#api/contract/saved-queries.ts';
import { DisposableStore, type DisposableLike } from '#base/disposables.ts';
import type { Logger } from '#base/logger.ts';
import { contextKeys } from '#client/contributions.ts';
import type { ConnectionNames } from '#client/session/connection-names.ts';
import { readConnections } from '#client/session/connection-settings.ts';
import type { FeatureDependencies } from '#client/session/feature-dependencies.ts';
import { homeNamed } from '#client/session/home-named.ts';
import { isHere } from '#client/session/is-here.ts';
import type { Session } from '#client/session/session.ts';
import { hasEdits } from '#client/ui/has-edits.ts';
import type { HomeOfQuery } from '#client/ui/home-of-query.ts';
import { namingFailure } from '#client/ui/naming-failure.ts';
import { presentFailure } from '#client/ui/register-command.ts';
import { connectionKeyOf } from '#core/connections/connection-profile.ts';
import type { KnownQuery } from '#core/saved-queries/known-query.ts';
import { VersionStore } from '#core/saved-queries/version-store.ts';
import { savedQueryScheme } from '#server/protocol.ts';
import type { OpenLinkDependencies } from './commands/open-link.ts';
import { QueryCommands } from './commands/query-commands.ts';
import { showQuery } from './commands/show-query.ts';
import { registerWorkspaceSymbols } from './commands/workspace-symbols.ts';
import { ComparedTexts } from './creating/compared-texts.ts';
import { CreateCommands, type MadeFrom } from './creating/create-commands.ts';
import { followConnections } from './following/follow-connections.ts';
import type { Moved } from './following/query-tabs.ts';
import { withQuery } from './records/explain-failure.ts';
import { createKnownQueries, type KnownQueries } from './records/known-queries.ts';
import { openDocumentOf } from './records/open-document.ts';
import { QueryConnections } from './records/query-connection.ts';
import { QueryNews } from './records/query-news.ts';
import { QueryVersions } from './records/query-versions.ts';
import { RememberedQueries } from './records/remembered-queries.ts';
import { SavedQueriesStore } from './records/saved-queries-store.ts';
import { nameInUri, parseSavedQueryUri, savedQueryUri } from './records/saved-query-uri.ts';
import { tabsOfText } from './saving/new-tabs.ts';
import { OpenQueries } from './saving/open-queries.ts';
import { registerSaving } from './saving/register-saving.ts';
import { readVersion, type ReadVersion } from './versions/read-version.ts';
import {
  parseVersionUri,
  registerVersionDocuments,
  versionRecordOf,
  versionUri,
} from './versions/version-documents.ts';
import { ArrangementStore } from './view/arrangement-store.ts';
import type { QueryOutcomes } from './view/query-outcomes.ts';
import { registerView } from './view/view.ts';

export interface SavedQueriesDependencies extends FeatureDependencies {
  readonly names: ConnectionNames;
  /** Outcomes of the saved queries that are controls. */
  readonly outcomes: QueryOutcomes;
}

export interface SeenVersion {
  readonly version: number;
  /** Time at which the version was saved, or first seen, in milliseconds since 1970; undefined if unknown. */
  readonly at: number | undefined;
  readonly uri: vscode.Uri;
}

export interface MadeQuery extends MadeFrom {
  readonly record: SavedQuery;
}

export interface SavedQueriesFeature extends DisposableLike {
  /** Registers the commands that create saved queries from documents. `modelOf` returns a document's model. */
  readonly offerCreating: (modelOf: (document: vscode.TextDocument) => string) => void;
  /** Returns the record of a document's buffer; undefined for other documents. */
  readonly recordOf: (uri: vscode.Uri) => KnownQuery | undefined;
  /** Returns the connection of a document's saved query; undefined for other documents. */
  readonly connectionOf: (uri: vscode.Uri) => string | undefined;
  /** Returns the connection that a document's saved query belongs to, and how to connect to it. */
  readonly homeOf: (uri: vscode.Uri) => HomeOfQuery | undefined;
  /** Returns the number of a connection's open queries with unsaved changes. */
  readonly unsavedQueries: (connection: string) => number;
  /** Fires when a record has been read, saved or listed. */
  readonly onDidChange: vscode.Event<string | undefined>;
  /** Fires when a document has become a saved query or a new version of one. */
  readonly onDidCreate: vscode.Event<MadeQuery>;
  /** Fires when an open query has a new URI, since it or its connection was renamed. */
  readonly onDidMove: vscode.Event<Moved>;
  /** All saved queries of the connection, with their text. */
  readonly known: KnownQueries;
  /** Returns the URI of a saved query on the current connection, or undefined while not connected. */
  readonly uriOf: (query: Pick<KnownQuery, 'query_id' | 'name'>) => vscode.Uri | undefined;
  /** Returns a query's name and URI as the current connection knows them now; undefined for other documents. */
  readonly nowOf: (uri: vscode.Uri) => { readonly name: string; readonly uri: vscode.Uri } | undefined;
  /** Reads one version from the service or from this machine. */
  readonly readVersion: (queryId: string, version: number) => Promise<ReadVersion>;
  /** Returns the versions of a document's saved query as documents, newest first; empty for other documents. */
  readonly versionsOf: (uri: vscode.Uri) => Promise<readonly SeenVersion[]>;
  /** Prompts for a saved query by name, description or text. Returns undefined if the user cancels. */
  readonly pick: (title: string) => Promise<KnownQuery | undefined>;
}

export function registerSavedQueries(deps: SavedQueriesDependencies): SavedQueriesFeature {
  const { context, log, session, names, outcomes } = deps;
  const disposables = new DisposableStore();
  const remembered = disposables.add(
    new RememberedQueries(context.globalState, () =>
      session.state.kind === 'disconnected' ? undefined : connectionKeyOf(session.state.profile),
    ),
  );
  const versions = new VersionStore({
    folder: vscode.Uri.joinPath(context.globalStorageUri, 'versions').fsPath,
    log,
    keyOf: (connection) => names.keyOf(connection),
  });
  const store = disposables.add(new SavedQueriesStore({ session, log, remembered, versions }));
  const allVersions = disposables.add(new QueryVersions({ kept: versions, session, store, log }));
  const queries = disposables.add(new OpenQueries());
  const connections = new QueryConnections(session, names);
  const { fileSystem, tabs, newerVersions } = disposables.add(
    registerSaving({
      context,
      log,
      session,
      connections,
      store,
      queries,
      versions,
      onGone: ({ connection, queryId }) => news.noteGone(connection, queryId),
      explainUnread: (uri, error) => reading(uri, () => Promise.reject(error as Error)),
    }),
  );
  disposables.add(followConnections({ names, connections, tabs, log }));
  disposables.add(
    registerVersionDocuments(allVersions, ({ connection, queryId }) =>
      connections.isCurrent(connection) ? store.get(queryId)?.name : undefined,
    ),
  );

  const compared = new ComparedTexts();
  disposables.add(compared.register());
  const onDidCreate = disposables.add(new vscode.EventEmitter<MadeQuery>());

  const arrangement = disposables.add(new ArrangementStore(context.globalState));
  const news = new QueryNews({
    session,
    connections,
    store,
    remembered,
    versions,
    queries,
    fileSystem,
    newerVersions,
  });
  const known = createKnownQueries(store, session);
  const view = disposables.add(
    registerView({
      log,
      session,
      connections,
      store,
      arrangement,
      remembered,
      kept: versions,
      versions: allVersions,
      queries,
      outcomes,
      news,
    }),
  );
  /** Explains a failure to read a query. */
  const reading = async <Read>(uri: vscode.Uri, work: () => Promise<Read>): Promise<Read> => {
    const address = parseSavedQueryUri(uri);
    if (address === undefined) return await work();
    const name = nameInUri(uri);
    return await namingFailure(
      (reason) => vscode.l10n.t('The saved query "{0}" could not be opened: {1}', name, reason),
      () => withQuery({ news, ...address, name }, work),
    );
  };
  const load = (uri: vscode.Uri) => reading(uri, () => fileSystem.load(uri));
  disposables.add(
    vscode.window.onDidChangeActiveTextEditor((editor) => {
      const address = editor && parseSavedQueryUri(editor.document.uri);
      if (address === undefined) return;
      if (isHere(session, address.connection)) remembered.noteOpened(address.queryId);
      void vscode.commands.executeCommand('setContext', contextKeys.hasOpenedQuery, true);
    }),
  );
  const showing = { session, tabs, load };
  const opening = { ...showing, connections, versions: allVersions, news };
  disposables.add(new QueryCommands({ ...opening, log, store, remembered, known, rows: view.rows }));
  disposables.add(registerLinks(opening, log));
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
          if (from !== undefined) onDidCreate.fire({ ...from, record });
        },
        // The user is working with the query, so keep its tab open and reveal its row.
        open: async (connection, record, from) => {
          const { becomeDocument, letGo } = await import('./becoming/become-document.ts');
          const uri = savedQueryUri(connection, record);
          const isNew = openDocumentOf(connections, connection, record.query_id) === undefined;
          if (from !== undefined && isNew && tabsOfText(from.document.uri).length > 0) {
            fileSystem.prepare(uri, record);
            await becomeDocument(from, uri);
          } else {
            await showQuery(showing, connection, record, { isPreview: false });
            if (from?.isEdited === false) await letGo(from);
          }
          await view.reveal(record.query_id);
        },
      }),
    );

  const about = aboutDocuments({ session, store, queries, versions: allVersions, connections, names });
  disposables.add(registerWorkspaceSymbols({ list: () => known.list(), uriOf: about.uriOf }));

  return {
    ...about,
    onDidChange: store.onDidChange,
    known,
    readVersion: (queryId, version) => readVersion({ session, versions: allVersions }, queryId, version),
    pick: async (title) => {
      const { quickOpen } = await import('./commands/quick-open.ts');
      return await quickOpen({ log, known, remembered }, title);
    },
    offerCreating,
    onDidCreate: onDidCreate.event,
    onDidMove: tabs.onDidMove,
    dispose: () => disposables.dispose(),
  };
}

/** Handles links to saved queries from outside the editor. */
const registerLinks = (opening: OpenLinkDependencies, log: Logger): DisposableLike =>
  vscode.window.registerUriHandler({
    async handleUri(uri) {
      try {
        const { openLink } = await import('./commands/open-link.ts');
        await openLink(opening, uri, () => readConnections().connections);
      } catch (error) {
        await presentFailure(log, 'opening a link', error);
      }
    },
  });

/** Returns facts about documents for other features. */
function aboutDocuments(deps: {
  readonly session: Session;
  readonly store: SavedQueriesStore;
  readonly queries: OpenQueries;
  readonly versions: QueryVersions;
  readonly connections: QueryConnections;
  readonly names: ConnectionNames;
}): Pick<
  SavedQueriesFeature,
  'recordOf' | 'connectionOf' | 'homeOf' | 'unsavedQueries' | 'uriOf' | 'nowOf' | 'versionsOf'
> {
  const { session, store, queries, versions, connections, names } = deps;
  return {
    homeOf: (uri) => {
      const { connection } = parseSavedQueryUri(uri) ?? parseVersionUri(uri) ?? {};
      if (connection === undefined) return undefined;
      const now = connections.nameNow(uri) ?? names.nameNow(connection);
      return homeNamed({ session, names }, { name: connection, now });
    },
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
      return openDocumentOf(connections, name, query.query_id)?.uri ?? savedQueryUri(name, query);
    },
    nowOf: (uri) => {
      const { connection, queryId } = parseSavedQueryUri(uri) ?? {};
      if (connection === undefined || queryId === undefined || !isHere(session, connection)) return undefined;
      const query = store.get(queryId);
      return query && { name: query.name, uri: savedQueryUri(connection, query) };
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
