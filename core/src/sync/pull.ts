/** Writes the service's changes to the files. Commits nothing and sends nothing. */
import path from 'node:path';
import { FileRefusal, readBounded } from '#base/files/bounded-file.ts';
import { t } from '#base/texts.ts';
import { agreedAfterPull } from './agreed-after-pull.ts';
import type { AgreedStore } from './agreed-store.ts';
import type { Comparison, OpenSync } from './compare.ts';
import { FolderChanges } from './folder-changes.ts';
import { shown } from './folder/read-folder.ts';
import { indexBytesMax } from './folder/sources.ts';
import { writeFolder } from './folder/write-folder.ts';
import { attributesFile, attributesText, indexFile, metadataFileOf, pinsLineEnds } from './format/layout.ts';
import { parseMetadata, writeIndex, writeMetadata, type IndexEntry } from './format/query-index.ts';
import type { LeftOutProblem } from './format/text-bytes.ts';
import type { QueryHere } from './plan/pair.ts';
import { SyncError } from './sync-error.ts';
import type { Workspace } from './workspace.ts';

export interface PullOutcome {
  /** Paths of the written files, relative to the query folder. */
  readonly written: readonly string[];
  readonly removed: readonly string[];
  /** Queries on the service that cannot be stored as files. */
  readonly leftOut: readonly { readonly name: string; readonly problem: LeftOutProblem }[];
}

export interface PullContext extends OpenSync {
  /** Additional files to write, by path. */
  readonly beside?: ReadonlyMap<string, string> | undefined;
}

/** @throws SyncError before anything is written if the folder is not writable, or has been edited since the comparison. */
export async function pull(comparison: Comparison, context: PullContext): Promise<PullOutcome> {
  const { workspace, service, store } = context;
  const changes = new FolderChanges(comparison, service);
  for (const item of comparison.plan.items) await changes.take(item, (file) => textAt(workspace, file));
  const writes = new Map<string, string>();
  const put = async (file: string, text: string) => {
    if ((await textAt(workspace, file)) !== text) writes.set(file, text);
  };
  const attributes = await textAt(workspace, attributesFile);
  if (attributes === undefined || !pinsLineEnds(attributes))
    writes.set(
      attributesFile,
      attributes === undefined ? attributesText : `${attributes.trimEnd()}\n${attributesText}`,
    );
  for (const [file, text] of changes.texts) await put(file, text);
  for (const [file, text] of context.beside ?? []) await put(file, text);
  const metadata = changedMetadata(comparison, changes);
  await requireUnedited(comparison, workspace, { changes, metadata });
  // Written last: an interrupted pull leaves queries without metadata, which the next pull reuses.
  for (const [file, text] of metadata) await put(metadataFileOf(file), text);
  const keptLines = comparison.folder.held.filter(({ line }) => line !== undefined);
  if (keptLines.length > 0) await put(indexFile, writeIndex([], keptLines));
  const removes = [
    ...changes.removed.flatMap((file) => [file, metadataFileOf(file)]),
    ...(comparison.folder.oldIndex === undefined || keptLines.length > 0 ? [] : [indexFile]),
  ];
  if (writes.size > 0 || removes.length > 0) await writeFolder(workspace.root, { writes, removes });
  await keepAgreed(comparison, changes.added, store);
  return { written: [...writes.keys()], removed: changes.removed, leftOut: changes.leftOut };
}

/** Returns the new metadata by query file. An unchanged one is left as a person wrote it. */
function changedMetadata({ folder }: Comparison, changes: FolderChanges): ReadonlyMap<string, string> {
  const before = new Map(folder.queries.map((query) => [query.file, writeMetadata(entryOf(query))]));
  return new Map(
    changes
      .entries()
      .map((entry) => [entry.file, writeMetadata(entry)] as const)
      .filter(([file, text]) => folder.oldIndex !== undefined || before.get(file) !== text),
  );
}

function entryOf({ file, draft, ids }: QueryHere): IndexEntry {
  const { name, model, description } = draft;
  return { file, name, model, description, ids };
}

/** Throws if files have been edited since the comparison, because the plan would overwrite those edits. */
async function requireUnedited(
  { folder }: Comparison,
  workspace: Workspace,
  {
    changes: { texts, removed },
    metadata,
  }: { readonly changes: FolderChanges; readonly metadata: ReadonlyMap<string, string> },
): Promise<void> {
  const compared = new Map(folder.queries.map((query) => [query.file, query]));
  for (const file of [...texts.keys(), ...removed]) {
    const now = await textAt(workspace, file);
    if (now !== undefined && now !== compared.get(file)?.draft.query_string && now !== texts.get(file))
      throw edited(file);
  }
  for (const file of [...metadata.keys(), ...removed]) {
    const now = await textAt(workspace, metadataFileOf(file));
    const query = compared.get(file);
    if (now === undefined || now === metadata.get(file)) continue;
    const parsed = parseMetadata(now, file);
    if (!('entry' in parsed) || query === undefined || !isSameEntry(parsed.entry, entryOf(query)))
      throw edited(metadataFileOf(file));
  }
  if ((await textAt(workspace, indexFile)) !== folder.oldIndex) throw edited(indexFile);
}

function isSameEntry(one: IndexEntry, other: IndexEntry): boolean {
  return writeMetadata(one) === writeMetadata(other);
}

function edited(file: string): SyncError {
  return new SyncError(
    'busy',
    t('{0} was changed during the comparison. Nothing was written. Pull again.', shown(file)),
  );
}

async function textAt({ root }: Workspace, file: string): Promise<string | undefined> {
  try {
    return (await readBounded(path.join(root, file), { maxBytes: indexBytesMax, within: root })).toString(
      'utf8',
    );
  } catch (error) {
    if (error instanceof FileRefusal && error.code === 'missing') return undefined;
    throw error;
  }
}

async function keepAgreed(
  comparison: Comparison,
  added: ReadonlyMap<string, string>,
  store: AgreedStore,
): Promise<void> {
  const before = comparison.agreed;
  const next = agreedAfterPull(comparison, added);
  const isSame =
    next.size === before.size &&
    [...next].every(([id, query]) => JSON.stringify(before.get(id)) === JSON.stringify(query));
  if (!isSame) await store.write(next);
}
