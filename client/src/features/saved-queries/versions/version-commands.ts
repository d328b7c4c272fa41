/** Opens local versions of a query read-only, and compares them. */
import * as vscode from 'vscode';
import { momentText } from '#base/words/moment-text.ts';
import { showQuickPick } from '#client/ui/shown/quick-picks.ts';
import { ExpectedError } from '#core/failures/failure.ts';
import type { KeptVersion, VersionStore } from '#core/saved-queries/version-store.ts';
import type { Connected } from '../records/connected.ts';
import { followKeptVersions, type HeardVersionsDependencies } from '../records/heard-versions.ts';
import { openDocumentOf } from '../records/open-document.ts';
import type { QueryArgument } from '../records/query-argument.ts';
import type { QueryNews } from '../records/query-news.ts';
import { readNewest } from '../records/read-newest.ts';
import { nameInUri } from '../records/saved-query-uri.ts';
import { compareVersions, parseVersionUri, showDifference, showVersion } from './version-documents.ts';

/** A version in a command's argument; `seenAt` distinguishes records with the same version number. */
export interface VersionTarget {
  readonly queryId: string;
  readonly version: number;
  readonly seenAt: number | undefined;
}

/** Returns the version named by an argument (a row of the view) or shown in the active read-only editor. */
export function versionTargetOf({ queryId, row, version, kept }: QueryArgument): VersionTarget | undefined {
  if (row !== undefined) return undefined;
  if (queryId !== undefined)
    return version === undefined ? undefined : { queryId, version, seenAt: kept?.seenAt };
  const uri = vscode.window.activeTextEditor?.document.uri;
  const address = uri && parseVersionUri(uri);
  return address && { queryId: address.queryId, version: address.version, seenAt: undefined };
}

/** Prompts for a local version. Returns undefined if the user cancels. */
export async function pickVersion(
  deps: HeardVersionsDependencies & { readonly versions: VersionStore },
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
        momentText(record.last_modified_at ?? seenAt),
        record.last_modified_by?.id ?? '',
        record.version === newest ? vscode.l10n.t('newest') : '',
      ]
        .filter((part) => part !== '')
        .join(' \u00b7 '),
      target: { queryId, version: record.version, seenAt },
    }));
  });
  const chosen = await showQuickPick(items, {
    title: vscode.l10n.t('Versions of "{0}" seen here', kept[0]?.record.name ?? ''),
    matchOnDescription: true,
  });
  return chosen?.target;
}

export async function openVersion(
  versions: VersionStore,
  connection: string,
  target: VersionTarget,
): Promise<void> {
  const { record } = await requireVersion(versions, connection, target);
  await showVersion(connection, record);
}

/** Compares the version on the left with the service's newest version on the right. */
export async function compareWithCurrent(
  { versions, news }: { readonly versions: VersionStore; readonly news: QueryNews },
  connected: Connected,
  target: VersionTarget,
): Promise<void> {
  const { record } = await requireVersion(versions, connected.connection, target);
  await compareVersions(connected.connection, record, await readNewest(news, connected, target.queryId));
}

/** Compares the version with the previous local version, which is on the left. */
export async function compareWithPrevious(
  versions: VersionStore,
  connection: string,
  target: VersionTarget,
): Promise<void> {
  const { record } = await requireVersion(versions, connection, target);
  const kept = await versions.versions(connection, target.queryId);
  const previous = kept.find((each) => each.record.version < record.version);
  if (previous === undefined) {
    throw new ExpectedError(
      record.version === 1
        ? vscode.l10n.t('Version 1 is the first one.')
        : vscode.l10n.t('No version before version {0} is known here.', record.version),
    );
  }
  await compareVersions(connection, previous.record, record);
}

/** Compares the version on the left with the editor's text on the right. */
export async function compareWithEditor(
  versions: VersionStore,
  connection: string,
  target: VersionTarget,
): Promise<void> {
  const { record } = await requireVersion(versions, connection, target);
  const document = openDocumentOf(connection, target.queryId);
  if (document === undefined)
    throw new ExpectedError(vscode.l10n.t('"{0}" is not open in an editor. Open it first.', record.name));
  // The name in the URI, which renames replace in the title; the version may have had another name.
  const title = vscode.l10n.t('{0}: version {1} ↔ yours', nameInUri(document.uri), record.version);
  await showDifference(record, document.uri, title);
}

/** @throws ExpectedError if the version is not kept on this machine. */
export async function requireVersion(
  versions: VersionStore,
  connection: string,
  { queryId, version, seenAt }: VersionTarget,
): Promise<KeptVersion> {
  const kept = await versions.versions(connection, queryId);
  const found = kept.find(
    (each) => each.record.version === version && (seenAt === undefined || each.seenAt === seenAt),
  );
  if (found !== undefined) return found;
  throw new ExpectedError(
    vscode.l10n.t(
      'Version {0} is not kept on this machine. Only versions that you opened or saved here are.',
      version,
    ),
  );
}
