/**
 * Versions of saved queries as read-only documents, and diffs between versions or with an editor. The URI identifies
 * the version, so that restored tabs find their text.
 */
import * as vscode from 'vscode';
import type { SavedQuery } from '#api/contract/saved-queries.ts';
import { DisposableStore, type DisposableLike } from '#base/disposables.ts';
import { allTabs } from '#client/ui/shown-uris.ts';
import { registerTextDocumentContentProvider } from '#client/ui/shown/content-providers.ts';
import { showDiff } from '#client/ui/shown/diffs.ts';
import { endOfFirstChange } from '#core/saved-queries/first-change.ts';
import type { KnownVersion } from '#core/saved-queries/version-store.ts';
import { savedQueryScheme } from '#server/protocol.ts';
import { openDocument } from '../records/open-document.ts';
import { parseSavedQueryUri, savedQueryUri } from '../records/saved-query-uri.ts';

const versionScheme = 'identity-query-version';
/** Maximum number of versions to keep in memory for open documents; others are read from this machine's store. */
const keptVersions = 200;

const records = new Map<string, SavedQuery>();

export interface VersionAddress {
  readonly connection: string;
  readonly queryId: string;
  readonly version: number;
}

type NameOf = (address: VersionAddress) => string | undefined;

let currentName: NameOf = () => undefined;

/**
 * Call only once.
 * @param nameOf returns the current name of a version's query, if known; the version may have had another.
 */
export function registerVersionDocuments(
  versions: {
    get(connection: string, queryId: string, version: number): Promise<KnownVersion | undefined>;
  },
  nameOf: NameOf,
): DisposableLike {
  currentName = nameOf;
  const disposables = new DisposableStore();
  disposables.add(
    registerTextDocumentContentProvider(versionScheme, {
      provideTextDocumentContent: async (uri) => {
        const known = records.get(uri.toString());
        if (known !== undefined) return known.query_string;
        const address = parseVersionUri(uri);
        const kept = address && (await versions.get(address.connection, address.queryId, address.version));
        if (kept === undefined) {
          throw new Error(
            vscode.l10n.t(
              'This version is no longer kept on this machine. Close this tab and open the query.',
            ),
          );
        }
        remember(uri, kept.record);
        return kept.record.query_string;
      },
    }),
  );
  return disposables;
}

/** Returns the record of a version document; undefined for other documents. */
export function versionRecordOf(uri: vscode.Uri): SavedQuery | undefined {
  return uri.scheme === versionScheme ? records.get(uri.toString()) : undefined;
}

/** Opens a version read-only. */
export async function showVersion(connection: string, record: SavedQuery): Promise<void> {
  const document = await vscode.workspace.openTextDocument(versionUri(connection, record));
  await vscode.window.showTextDocument(document, { preview: true });
}

/** Opens the diff of two versions, the older on the left, with the cursor at the first change. */
export async function compareVersions(
  connection: string,
  left: SavedQuery,
  right: SavedQuery,
): Promise<void> {
  const [from, to] = [versionUri(connection, left), versionUri(connection, right)];
  const name = nameOfVersion(to) ?? right.name;
  const title = titleOfVersions(name, left.version, right.version);
  const isShown = diffsOfVersions(connection, left, right).length > 0;
  const options = isShown ? {} : atFirstChange(left, right.query_string);
  await showDiff(from, to, title, { preview: true, ...options });
}

/** Returns the tabs that show the diff of these two versions. */
export function diffsOfVersions(
  connection: string,
  left: SavedQuery,
  right: SavedQuery,
): readonly vscode.Tab[] {
  const [from, to] = [versionUri(connection, left).toString(), versionUri(connection, right).toString()];
  return allTabs().filter(
    ({ input }) =>
      input instanceof vscode.TabInputTextDiff &&
      input.original.toString() === from &&
      input.modified.toString() === to,
  );
}

export function titleOfVersions(name: string, left: number, right: number): string {
  return vscode.l10n.t('{0}: version {1} ↔ version {2}', name, left, right);
}

/**
 * Opens the diff of a version on the left and an editor's text on the right, with the cursor at the first change, since
 * the editor would not scroll to it within a long line.
 */
export async function showDifference(theirs: SavedQuery, mine: vscode.Uri, title: string): Promise<void> {
  const left = versionUri(parseSavedQueryUri(mine)?.connection ?? '', theirs);
  const isShown = allTabs().some(
    ({ input }) =>
      input instanceof vscode.TabInputTextDiff &&
      input.original.toString() === left.toString() &&
      input.modified.toString() === mine.toString(),
  );
  const text = isShown ? undefined : openDocument(mine)?.getText();
  const options = text === undefined ? {} : atFirstChange(theirs, text);
  await showDiff(left, mine, title, { preview: true, ...options });
}

function atFirstChange({ query_string: before }: SavedQuery, text: string): vscode.TextDocumentShowOptions {
  const at = endOfFirstChange(before, text);
  return at === undefined
    ? {}
    : { selection: new vscode.Range(at.line, at.character, at.line, at.character) };
}

/**
 * Returns `identity-query-version:/<connection>/<query_id>/<name> (version 3).identity.sql?3`, so that the tab shows
 * the version.
 */
export function versionUri(connection: string, record: SavedQuery): vscode.Uri {
  const address = { connection, queryId: record.query_id, version: record.version };
  const uri = uriOf(currentName(address) ?? record.name, address);
  remember(uri, record);
  return uri;
}

/** Returns the current name of a version's query, if known. */
export function nameOfVersion(uri: vscode.Uri): string | undefined {
  const address = parseVersionUri(uri);
  return address && currentName(address);
}

/** Returns the URI of the same version under another name of the query. */
export function versionUriUnder(name: string, uri: vscode.Uri, address: VersionAddress): vscode.Uri {
  const to = uriOf(name, address);
  const record = records.get(uri.toString());
  if (record !== undefined) remember(to, record);
  return to;
}

function uriOf(queryName: string, { connection, queryId, version }: VersionAddress): vscode.Uri {
  const name = vscode.l10n.t('{0} (version {1})', queryName, version);
  return savedQueryUri(connection, { query_id: queryId, name }).with({
    scheme: versionScheme,
    query: String(version),
  });
}

export function parseVersionUri(uri: vscode.Uri): VersionAddress | undefined {
  if (uri.scheme !== versionScheme || !/^\d{1,10}$/.test(uri.query)) return undefined;
  const address = parseSavedQueryUri(uri.with({ scheme: savedQueryScheme, query: '' }));
  return address && { ...address, version: Number(uri.query) };
}

function remember(uri: vscode.Uri, record: SavedQuery): void {
  records.delete(uri.toString());
  records.set(uri.toString(), record);
  for (const oldest of [...records.keys()].slice(0, Math.max(0, records.size - keptVersions)))
    records.delete(oldest);
}
