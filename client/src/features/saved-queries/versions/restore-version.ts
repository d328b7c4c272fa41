/** Restores a version of a query as a new version. */
import * as vscode from 'vscode';
import { UserAbort } from '#api/client/errors.ts';
import type { SavedQuery } from '#api/contract/saved-queries.ts';
import { hasEdits } from '#client/ui/has-edits.ts';
import { setStatusBarMessage, showInformationMessage } from '#client/ui/shown/notifications.ts';
import { editRecord, fieldsOf } from '#core/saved-queries/edit-record.ts';
import { isSameText } from '#core/saved-queries/same-text.ts';
import { showQuery, type ShowQueryDependencies } from '../commands/show-query.ts';
import type { Connected } from '../records/connected.ts';
import { withQuery } from '../records/explain-failure.ts';
import { openDocumentOf } from '../records/open-document.ts';
import type { QueryConnections } from '../records/query-connection.ts';
import type { QueryNews } from '../records/query-news.ts';
import type { QueryVersions } from '../records/query-versions.ts';
import { readNewest } from '../records/read-newest.ts';
import { requireVersion } from './version-commands.ts';
import { compareVersions, diffsOfVersions } from './version-documents.ts';
import type { VersionTarget } from './version-target.ts';

/**
 * Shows the changes, asks for confirmation, and saves the old text, model and description as a new version. Then the
 * query is in front again, and the diff that was opened for the question is closed.
 */
export async function restoreVersion(
  deps: ShowQueryDependencies & {
    readonly connections: QueryConnections;
    readonly versions: QueryVersions;
    readonly news: QueryNews;
  },
  connected: Connected,
  target: VersionTarget,
): Promise<void> {
  const { connections, versions, news } = deps;
  const { client, connection } = connected;
  const { record } = await requireVersion(versions, connection, target);
  const newest = await readNewest(news, connected, target.queryId);
  const { name: _name, ...fields } = fieldsOf(record);
  if (isSameContent(record, newest)) {
    void showInformationMessage(
      vscode.l10n.t(
        '"{0}" already has the text, model and description of version {1}.',
        newest.name,
        record.version,
      ),
    );
    return;
  }
  const compared: SavedQuery[] = [];
  const mayRestore = async (current: SavedQuery): Promise<boolean> => {
    if (diffsOfVersions(connection, current, record).length === 0) compared.push(current);
    await compareVersions(connection, current, record);
    const document = openDocumentOf(connections, connection, target.queryId);
    return await confirmRestore({ record, current, document });
  };
  if (!(await mayRestore(newest))) return;
  const saved = await withQuery(
    {
      news,
      connection,
      queryId: target.queryId,
      tried: vscode.l10n.t(
        'This service does not change saved queries. Open the version and save it as a new saved query.',
      ),
    },
    () => editRecord(client, newest, fields, async ({ theirs }) => await mayRestore(theirs)),
  );
  news.noteWritten(connection, saved);
  await showQuery(deps, connection, saved);
  // A preview has been replaced by the query.
  const diffs = compared.flatMap((current) => diffsOfVersions(connection, current, record));
  await vscode.window.tabGroups.close(diffs, true);
  setStatusBarMessage(
    vscode.l10n.t(
      '"{0}": version {1} is restored as version {2}.',
      saved.name,
      record.version,
      saved.version,
    ),
    5_000,
  );
}

/** Asks in a notification: a prompt would cover the first lines of the diff that it is about. */
async function confirmRestore(question: {
  readonly record: SavedQuery;
  readonly current: SavedQuery;
  readonly document: vscode.TextDocument | undefined;
}): Promise<boolean> {
  const { record, current, document } = question;
  const restore = vscode.l10n.t('Restore as Version {0}', current.version + 1);
  const message = [
    vscode.l10n.t('Restore version {0} of "{1}"?', record.version, current.name),
    vscode.l10n.t('Left: the newest version. Right: the restored version.'),
    hasEdits(document)
      ? vscode.l10n.t(
          'Your unsaved edits stay in the editor. You compare them with this version when you save.',
        )
      : vscode.l10n.t(
          'Text, model and description; the name stays the same. Version {0} is kept here.',
          current.version,
        ),
  ].join(' ');
  if ((await showInformationMessage(message, restore)) === undefined)
    throw new UserAbort('the version was not restored');
  return true;
}

function isSameContent(a: SavedQuery, b: SavedQuery): boolean {
  return (
    isSameText(a.query_string, b.query_string) &&
    a.model === b.model &&
    (a.description ?? '') === (b.description ?? '')
  );
}
