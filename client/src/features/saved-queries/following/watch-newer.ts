/**
 * Says early that somebody saved a newer version: looks when an open saved query comes to the front and before its
 * first edit, quietly and seldom. A failed look says nothing: the next save does. Where somebody gave the query another
 * name, its editor gets it too, also when the list is read.
 */
import * as vscode from 'vscode';
import type { SavedQuery } from '../../../../../api/contract/saved-queries.ts';
import { commands } from '../../../contributions.ts';
import type { Session } from '../../../session/session.ts';
import { hasEdits } from '../../../ui/has-edits.ts';
import { ExpectedError } from '../../../../../core/src/util/failure.ts';
import { registerCommand } from '../../../ui/register-command.ts';
import { shownUris } from '../../../ui/shown-uris.ts';
import { DisposableStore, type DisposableLike } from '../../../../../core/src/util/disposables.ts';
import type { Logger } from '../../../../../core/src/util/logger.ts';
import { isSameText } from '../../../../../core/src/saved-queries/same-text.ts';
import type { OpenQueries } from '../saving/open-queries.ts';
import { setStatusBarMessage, showInformationMessage } from '../../../ui/shown/notifications.ts';
import { savedQueryUriOf } from '../conflicts/conflict-commands.ts';
import { shortName, versionAndAuthor } from '../conflicts/conflict-view.ts';
import type { DocumentSaves } from '../saving/document-saves.ts';
import { LookSchedule } from './look-schedule.ts';
import { openDocument } from '../saving/open-document.ts';
import type { QueryConnections } from '../records/query-connection.ts';
import type { QueryTabs } from './query-tabs.ts';
import {
  nameInUri,
  parseSavedQueryUri,
  savedQueryKey,
  savedQueryScheme,
  savedQueryUri,
} from '../records/saved-query-uri.ts';
import type { SavedQueriesStore } from '../records/saved-queries-store.ts';
import type { SavedQueryFileSystem } from '../saving/saved-query-file-system.ts';
import { showDifference } from '../versions/version-documents.ts';
import { errorName } from '../../../../../core/src/util/errors.ts';

export interface WatchNewerDependencies {
  readonly session: Session;
  readonly connections: QueryConnections;
  readonly store: SavedQueriesStore;
  readonly queries: OpenQueries;
  readonly saves: DocumentSaves;
  readonly fileSystem: SavedQueryFileSystem;
  readonly tabs: QueryTabs;
  readonly log: Logger;
  /** Whether a buffer without edits follows newer versions by itself. */
  readonly follows: () => boolean;
}

/** No query is asked about more often than this by itself. */
const lookEveryMs = 30_000;

export function watchNewer(deps: WatchNewerDependencies): DisposableLike {
  const { session, connections, store, queries, saves, fileSystem, tabs, log } = deps;
  const disposables = new DisposableStore();
  const schedule = new LookSchedule(lookEveryMs);
  /** The newest version that a person was told of, by query. */
  const told = new Map<string, number>();
  const looking = new Set<string>();

  const newestOf = async (uri: vscode.Uri) => {
    const { client, connection, queryId } = await connections.of(uri);
    const record = await client.savedQueries.get(queryId);
    fileSystem.noteRecord(connection, record);
    return { record, to: savedQueryUri(connection, record) };
  };
  const isBehind = (uri: vscode.Uri, record: SavedQuery) => {
    const base = queries.baseOf(uri);
    return base !== undefined && record.version > base.version;
  };

  const look = async (document: vscode.TextDocument, { isTyping = false, isDue = false }) => {
    const { uri } = document;
    const key = savedQueryKey(uri);
    if (uri.scheme !== savedQueryScheme || session.state.kind !== 'connected') return;
    if (queries.baseOf(uri) === undefined || looking.has(key) || !(schedule.take(key) || isDue)) return;
    looking.add(key);
    const { record, to } = await newestOf(uri).finally(() => looking.delete(key));
    const base = queries.baseOf(uri);
    if (document.isClosed || base === undefined || queries.conflictOf(uri) !== undefined) return;
    const isNewer = record.version > base.version;
    const isOnlyBeside = isSameText(record.query_string, base.query_string);
    const isFollowing = isNewer && !hasEdits(document) && (isOnlyBeside || deps.follows());
    // The same text under another name, model or description: edits go on from there.
    if (isNewer && isOnlyBeside && hasEdits(document)) queries.of(uri).rebase(record);
    // Nobody's editor is changed for another one between two keys; the next look does it.
    const isStaying = isTyping && hasEdits(document);
    const shown = isStaying ? document : await showUnderName(document, to, isFollowing ? record : undefined);
    if (isFollowing) {
      if (shown === document) fileSystem.reload(uri, record);
      sayShown(record);
    }
    if (
      !isNewer ||
      isOnlyBeside ||
      isFollowing ||
      (told.get(savedQueryKey(shown.uri)) ?? 0) >= record.version
    )
      return;
    told.set(savedQueryKey(shown.uri), record.version);
    await notice(shown, record);
  };

  /** Whatever the query is called by now; what a person was told of it is not told again. */
  const showUnderName = async (document: vscode.TextDocument, to: vscode.Uri, content?: SavedQuery) => {
    const from = document.uri;
    if (from.toString() === to.toString()) return document;
    // It comes to the front as it is moved, and was looked at just now.
    schedule.take(savedQueryKey(to));
    const shown = await tabs.move(document, to, content);
    if (shown === document) return document;
    told.set(savedQueryKey(to), told.get(savedQueryKey(from)) ?? 0);
    const message = vscode.l10n.t('"{0}" is called "{1}" now.', nameInUri(from), nameInUri(to));
    setStatusBarMessage(`$(sync) ${message}`, 5_000);
    return shown;
  };

  /** The version whose name an editor was to get, by document: one that has to stay is not tried again for the same. */
  const followed = new Map<string, number>();
  const followNames = () => {
    const shown = shownUris();
    for (const document of vscode.workspace.textDocuments) {
      const { uri } = document;
      const address = document.isClosed ? undefined : parseSavedQueryUri(uri);
      if (address === undefined || !connections.isCurrent(address.connection)) continue;
      const known = store.get(address.queryId);
      const [key, base] = [savedQueryKey(uri), queries.baseOf(uri)];
      const isWatched = shown.has(uri.toString()) && !looking.has(key);
      if (known === undefined || base === undefined || !isWatched) continue;
      const to = savedQueryUri(connections.nameNow(uri) ?? address.connection, known);
      if (to.toString() === uri.toString() || followed.get(key) === known.version) continue;
      followed.set(key, known.version);
      // What is known here already need not be asked for.
      if (base.version < known.version) lookInBackground(document, { isDue: true });
      else inBackground(showUnderName(document, to));
    }
  };

  const notice = async (document: vscode.TextDocument, record: SavedQuery) => {
    const reload = hasEdits(document) ? vscode.l10n.t('Merge...') : vscode.l10n.t('Reload');
    const compare = vscode.l10n.t('Compare');
    const message = vscode.l10n.t('"{0}" has a newer version: {1}.', record.name, versionAndAuthor(record));
    const chosen = await showInformationMessage(message, reload, compare);
    if (chosen === compare) await compareWithNewest(document.uri);
    if (chosen === reload) await reloadNewest(document.uri);
  };

  const reloadNewest = async (uri: vscode.Uri) => {
    const document = await vscode.workspace.openTextDocument(uri);
    if (hasEdits(document)) {
      // Nothing typed is dropped: what is newer is merged, or asked about.
      const { client } = await connections.of(uri);
      const effect = await saves.check({ uri, text: document.getText(), client, isExplicit: true });
      if (effect.kind === 'clear') sayNewest(queries.baseOf(uri));
      return;
    }
    const { record, to } = await newestOf(uri);
    if (isBehind(uri, record)) sayShown(record);
    else sayNewest(record);
    if ((await showUnderName(document, to, record)) === document) fileSystem.reload(uri, record);
  };

  const compareWithNewest = async (uri: vscode.Uri) => {
    const { record } = await newestOf(uri);
    const mine = hasEdits(openDocument(uri)) ? vscode.l10n.t('yours') : vscode.l10n.t('in the editor');
    await showDifference(record, uri, `${shortName(record)}: ${versionAndAuthor(record)} ↔ ${mine}`);
  };

  const inBackground = (work: Promise<unknown>) => {
    void work.catch((error: unknown) => {
      // Another connection, or nobody there: that is said when somebody saves.
      if (!(error instanceof ExpectedError)) {
        log.debug(`looking for a newer version failed: ${errorName(error)}`);
      }
    });
  };
  const lookInBackground = (
    document: vscode.TextDocument | undefined,
    how: { readonly isTyping?: boolean; readonly isDue?: boolean } = {},
  ) => {
    if (document !== undefined) inBackground(look(document, how));
  };
  const lookAtActive = () => {
    lookInBackground(vscode.window.activeTextEditor?.document);
    followNames();
  };
  disposables.add(vscode.window.onDidChangeActiveTextEditor(lookAtActive));
  disposables.add(
    vscode.window.onDidChangeWindowState((state) => {
      if (state.focused) lookAtActive();
    }),
  );
  disposables.add(
    vscode.workspace.onDidChangeTextDocument(({ document, contentChanges }) => {
      if (contentChanges.length > 0 && document.uri.scheme === savedQueryScheme)
        lookInBackground(document, { isTyping: true });
    }),
  );
  disposables.add(
    // Whoever wrote the record notes in the same breath which version the editors show.
    store.onDidChange(() => queueMicrotask(followNames)),
  );
  disposables.add(
    registerCommand(log, commands.savedQueryReload, (argument) => reloadNewest(savedQueryUriOf(argument))),
  );
  disposables.add(
    registerCommand(log, commands.savedQueryCompareWithNewest, (argument) =>
      compareWithNewest(savedQueryUriOf(argument)),
    ),
  );
  return disposables;
}

function sayShown(record: SavedQuery): void {
  const message = vscode.l10n.t('"{0}" now shows {1}.', record.name, versionAndAuthor(record));
  setStatusBarMessage(`$(sync) ${message}`, 5_000);
}

function sayNewest(record: SavedQuery | undefined): void {
  if (record === undefined) return;
  const message = vscode.l10n.t('"{0}" is at its newest version, {1}.', record.name, record.version);
  setStatusBarMessage(`$(check) ${message}`, 5_000);
}
