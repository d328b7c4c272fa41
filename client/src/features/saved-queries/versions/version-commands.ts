/** Opens versions of a query read-only, and compares them. */
import * as vscode from 'vscode';
import type { SavedQuery } from '#api/contract/saved-queries.ts';
import { momentText } from '#base/words/moment-text.ts';
import { showQuickPick } from '#client/ui/shown/quick-picks.ts';
import { ExpectedError } from '#core/failures/failure.ts';
import type { KnownVersion } from '#core/saved-queries/version-store.ts';
import type { Connected } from '../records/connected.ts';
import { followKeptVersions, type HeardVersionsDependencies } from '../records/heard-versions.ts';
import { openDocumentOf } from '../records/open-document.ts';
import type { QueryArgument } from '../records/query-argument.ts';
import type { QueryConnections } from '../records/query-connection.ts';
import type { QueryNews } from '../records/query-news.ts';
import type { QueryVersions } from '../records/query-versions.ts';
import { readNewest } from '../records/read-newest.ts';
import { nameInUri } from '../records/saved-query-uri.ts';
import { compareVersions, showDifference, showVersion } from './version-documents.ts';
import type { VersionTarget } from './version-target.ts';

/** Prompts for a version. Returns undefined if the user cancels. */
export async function pickVersion(
  deps: HeardVersionsDependencies & { readonly versions: QueryVersions },
  connection: string,
  queryId: string,
): Promise<VersionTarget | undefined> {
  const kept = await deps.versions.versions(connection, queryId);
  if (kept.length === 0) {
    throw new ExpectedError(
      vscode.l10n.t(
        'No version of this query is known here yet. Versions are kept when you open or save them.',
      ),
    );
  }
  const items = followKeptVersions(deps, connection, kept).then(() => {
    const newest = deps.store.get(queryId)?.version;
    return kept.map(({ record, seenAt }) => ({
      label: vscode.l10n.t('Version {0}', record.version),
      description: [
        momentOf(record, seenAt),
        record.last_modified_by?.id ?? '',
        record.version === newest ? vscode.l10n.t('newest') : '',
      ]
        .filter((part) => part !== '')
        .join(' \u00b7 '),
      target: { queryId, version: record.version, seenAt },
    }));
  });
  const chosen = await showQuickPick(items, {
    title: vscode.l10n.t('Versions of "{0}"', kept[0]?.record.name ?? ''),
    matchOnDescription: true,
  });
  return chosen?.target;
}

function momentOf({ last_modified_at: at }: SavedQuery, seenAt: number | undefined): string {
  const when = at ?? seenAt;
  return when === undefined ? '' : momentText(when);
}

export async function openVersion(
  versions: QueryVersions,
  connection: string,
  target: VersionTarget,
): Promise<void> {
  const { record } = await requireVersion(versions, connection, target);
  await showVersion(connection, record);
}

type With = NonNullable<QueryArgument['with']>;

/**
 * Compares a version with another or with the editor's text, the older one on the left; asks with what unless the
 * target says it.
 */
export async function compareVersion(
  deps: Pick<HeardVersionsDependencies, 'store'> & {
    readonly connections: QueryConnections;
    readonly versions: QueryVersions;
    readonly news: QueryNews;
  },
  connected: Connected,
  { with: asked, ...target }: VersionTarget & { readonly with?: With | undefined },
): Promise<void> {
  const { connections, versions, news, store } = deps;
  const { connection } = connected;
  const { record } = await requireVersion(versions, connection, target);
  const isNewest = store.get(target.queryId)?.version === record.version;
  const all = await versions.versions(connection, target.queryId);
  const hasPrevious = all.some((other) => other.record.version < record.version);
  const document = openDocumentOf(connections, connection, target.queryId);
  const choices: readonly { readonly label: string; readonly chosen: With }[] = [
    ...(hasPrevious ? [{ label: vscode.l10n.t('Previous Version'), chosen: 'previous' as const }] : []),
    ...(isNewest ? [] : [{ label: vscode.l10n.t('Newest Version'), chosen: 'newest' as const }]),
    // Without any other, it says what to do.
    ...(document !== undefined || (isNewest && !hasPrevious)
      ? [{ label: vscode.l10n.t('Text in the Editor'), chosen: 'editor' as const }]
      : []),
  ];
  const title = vscode.l10n.t('Compare Version {0} of "{1}" With', record.version, record.name);
  switch (asked ?? (await showQuickPick(choices, { title }))?.chosen) {
    case 'previous':
      await compareVersions(connection, await previousOf(versions, connection, record), record);
      return;
    case 'newest':
      await compareVersions(connection, record, await readNewest(news, connected, target.queryId));
      return;
    case 'editor':
      await compareWithEditor(document, record);
      return;
    case undefined:
  }
}

async function previousOf(
  versions: QueryVersions,
  connection: string,
  { query_id, version }: SavedQuery,
): Promise<SavedQuery> {
  const kept = await versions.versions(connection, query_id);
  const previous = kept.find((each) => each.record.version < version);
  if (previous !== undefined) return previous.record;
  throw new ExpectedError(
    version === 1
      ? vscode.l10n.t('Version 1 is the first one.')
      : vscode.l10n.t('No version before version {0} is known here.', version),
  );
}

async function compareWithEditor(
  document: vscode.TextDocument | undefined,
  record: SavedQuery,
): Promise<void> {
  if (document === undefined)
    throw new ExpectedError(vscode.l10n.t('"{0}" is not open in an editor. Open it first.', record.name));
  // The name in the URI, which renames replace in the title; the version may have had another name.
  const title = vscode.l10n.t('{0}: version {1} ↔ yours', nameInUri(document.uri), record.version);
  await showDifference(record, document.uri, title);
}

/** @throws ExpectedError if neither the service nor this machine has the version. */
export async function requireVersion(
  versions: QueryVersions,
  connection: string,
  { queryId, version, seenAt }: VersionTarget,
): Promise<KnownVersion> {
  const isIt = (each: KnownVersion): boolean =>
    each.record.version === version && (seenAt === undefined || each.seenAt === seenAt);
  const { versions: now } = await versions.known(connection, queryId);
  const found = now.find(isIt) ?? (await versions.versions(connection, queryId)).find(isIt);
  if (found !== undefined) return found;
  throw new ExpectedError(
    vscode.l10n.t(
      'Version {0} is not kept on this machine. Only versions that you opened or saved here are.',
      version,
    ),
  );
}
