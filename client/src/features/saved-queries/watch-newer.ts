/**
 * Says early that somebody saved a newer version: looks when an open saved query comes to the front and before its
 * first edit, quietly and seldom. A failed look says nothing: the next save does.
 */
import * as vscode from 'vscode';
import type { SavedQuery } from '../../../../api/contract/saved-queries.ts';
import { commands } from '../../contributions.ts';
import type { Session } from '../../session/session.ts';
import { ExpectedError } from '../../ui/failure.ts';
import { registerCommand } from '../../ui/register-command.ts';
import { DisposableStore, type DisposableLike } from '../../util/disposables.ts';
import type { Logger } from '../../util/logger.ts';
import { isSameText, type Bases } from './bases.ts';
import { savedQueryUriOf } from './conflict-commands.ts';
import { shortName, versionAndAuthor } from './conflict-view.ts';
import type { DocumentSaves } from './document-saves.ts';
import { LookSchedule } from './look-schedule.ts';
import { openDocument } from './open-document.ts';
import { connectionOf } from './query-connection.ts';
import { savedQueryKey, savedQueryScheme } from './saved-query-uri.ts';
import type { SavedQueryFileSystem } from './saved-query-file-system.ts';
import { showDifference } from './version-documents.ts';

export interface WatchNewerDependencies {
  readonly session: Session;
  readonly bases: Bases;
  readonly saves: DocumentSaves;
  readonly fileSystem: SavedQueryFileSystem;
  readonly log: Logger;
  /** Whether a buffer without edits follows newer versions by itself. */
  readonly follows: () => boolean;
}

/** No query is asked about more often than this by itself. */
const lookEveryMs = 30_000;

export function watchNewer(deps: WatchNewerDependencies): DisposableLike {
  const { session, bases, saves, fileSystem, log } = deps;
  const disposables = new DisposableStore();
  const schedule = new LookSchedule(lookEveryMs);
  /** The newest version that a person was told of, by query. */
  const told = new Map<string, number>();

  const newestOf = async (uri: vscode.Uri): Promise<SavedQuery> => {
    const { client, connection, queryId } = await connectionOf(session, uri);
    const record = await client.savedQueries.get(queryId);
    fileSystem.noteRecord(connection, record);
    return record;
  };
  const isBehind = (uri: vscode.Uri, record: SavedQuery) => {
    const base = bases.get(savedQueryKey(uri));
    return base !== undefined && record.version > base.version;
  };

  const look = async (document: vscode.TextDocument) => {
    const { uri } = document;
    const key = savedQueryKey(uri);
    const { state } = session;
    if (uri.scheme !== savedQueryScheme || state.kind !== 'connected') return;
    if (bases.get(key) === undefined || !schedule.take(key)) return;
    const record = await newestOf(uri);
    if (document.isClosed || !isBehind(uri, record) || saves.conflictOf(uri) !== undefined) return;
    const isOnlyBeside = isSameText(record.query_string, bases.get(key)?.query_string ?? '');
    if (!document.isDirty && (isOnlyBeside || deps.follows())) {
      fileSystem.reload(uri, record);
      sayShown(record);
      return;
    }
    if (isOnlyBeside || (told.get(key) ?? 0) >= record.version) return;
    told.set(key, record.version);
    await notice(document, record);
  };

  const notice = async (document: vscode.TextDocument, record: SavedQuery) => {
    const reload = document.isDirty ? vscode.l10n.t('Merge...') : vscode.l10n.t('Reload');
    const compare = vscode.l10n.t('Compare');
    const message = vscode.l10n.t('"{0}" has a newer version: {1}.', record.name, versionAndAuthor(record));
    const chosen = await vscode.window.showInformationMessage(message, reload, compare);
    if (chosen === compare) await compareWithNewest(document.uri);
    if (chosen === reload) await reloadNewest(document.uri);
  };

  const reloadNewest = async (uri: vscode.Uri) => {
    const document = await vscode.workspace.openTextDocument(uri);
    if (document.isDirty) {
      // Nothing typed is dropped: what is newer is merged, or asked about.
      const { client } = await connectionOf(session, uri);
      const effect = await saves.check({ uri, text: document.getText(), client, isExplicit: true });
      if (effect.kind === 'clear') sayNewest(bases.get(savedQueryKey(uri)));
      return;
    }
    const record = await newestOf(uri);
    if (isBehind(uri, record)) sayShown(record);
    else sayNewest(record);
    fileSystem.reload(uri, record);
  };

  const compareWithNewest = async (uri: vscode.Uri) => {
    const record = await newestOf(uri);
    const mine =
      openDocument(uri)?.isDirty === true ? vscode.l10n.t('yours') : vscode.l10n.t('in the editor');
    await showDifference(record, uri, `${shortName(record)}: ${versionAndAuthor(record)} ↔ ${mine}`);
  };

  const lookInBackground = (document: vscode.TextDocument | undefined) => {
    if (document === undefined) return;
    void look(document).catch((error: unknown) => {
      // Another connection, or nobody there: that is said when somebody saves.
      if (!(error instanceof ExpectedError)) {
        log.debug(`looking for a newer version failed: ${error instanceof Error ? error.name : 'error'}`);
      }
    });
  };
  disposables.add(vscode.window.onDidChangeActiveTextEditor((editor) => lookInBackground(editor?.document)));
  disposables.add(
    vscode.window.onDidChangeWindowState((state) => {
      if (state.focused) lookInBackground(vscode.window.activeTextEditor?.document);
    }),
  );
  disposables.add(
    vscode.workspace.onDidChangeTextDocument(({ document, contentChanges }) => {
      if (contentChanges.length > 0 && document.uri.scheme === savedQueryScheme) lookInBackground(document);
    }),
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
  vscode.window.setStatusBarMessage(`$(sync) ${message}`, 5_000);
}

function sayNewest(record: SavedQuery | undefined): void {
  if (record === undefined) return;
  const message = vscode.l10n.t('"{0}" is at its newest version, {1}.', record.name, record.version);
  vscode.window.setStatusBarMessage(`$(check) ${message}`, 5_000);
}
