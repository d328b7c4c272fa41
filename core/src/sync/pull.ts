/** Writes the service's changes to the files. Commits nothing and sends nothing. */
import path from 'node:path';
import { FileRefusal, readBounded } from '#base/files/bounded-file.ts';
import { indexBytesMax } from './folder/sources.ts';
import { agreedAfterPull } from './agreed-after-pull.ts';
import type { AgreedStore } from './agreed-store.ts';
import { FolderChanges } from './folder-changes.ts';
import type { Comparison } from './compare.ts';
import { attributesFile, attributesText, indexFile, pinsLineEnds } from './format/layout.ts';
import { shown } from './folder/read-folder.ts';
import { parseIndex, writeIndex } from './format/query-index.ts';
import type { LeftOutProblem } from './format/text-bytes.ts';
import { writeFolder } from './folder/write-folder.ts';
import { SyncError } from './sync-error.ts';
import { t } from '#base/texts.ts';
import type { Workspace } from './workspace.ts';

export interface PullOutcome {
  /** Paths of the written files, relative to the query folder. */
  readonly written: readonly string[];
  readonly removed: readonly string[];
  /** Queries on the service that cannot be stored as files. */
  readonly leftOut: readonly { readonly name: string; readonly problem: LeftOutProblem }[];
}

export interface PullContext {
  readonly workspace: Workspace;
  readonly service: string;
  readonly store: AgreedStore;
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
  // Written last: an interrupted pull leaves unlisted files, which the next pull reuses.
  await put(indexFile, writeIndex(changes.entries()));
  await requireUnedited(comparison, workspace, changes);
  if (writes.size > 0 || changes.removed.length > 0)
    await writeFolder(workspace.root, { writes, removes: changes.removed });
  await keepAgreed(comparison, changes.added, store);
  return { written: [...writes.keys()], removed: changes.removed, leftOut: changes.leftOut };
}

/** Throws if files have been edited since the comparison, because the plan would overwrite those edits. */
async function requireUnedited(
  { folder }: Comparison,
  workspace: Workspace,
  { texts, removed }: FolderChanges,
): Promise<void> {
  const compared = new Map(folder.queries.map(({ file, draft }) => [file, draft.query_string]));
  for (const file of [...texts.keys(), ...removed]) {
    const now = await textAt(workspace, file);
    if (now !== undefined && now !== compared.get(file) && now !== texts.get(file)) throw edited(file);
  }
  const index = parseIndex((await textAt(workspace, indexFile)) ?? writeIndex([]));
  const entries = folder.queries.map(({ file, draft, ids }) => ({ ...draft, file, ids }));
  if ('problem' in index || writeIndex(index.entries) !== writeIndex(entries)) throw edited(indexFile);
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
