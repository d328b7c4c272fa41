/** Records the results of a push: IDs that the metadata lacks, and the state that both sides now share. */
import path from 'node:path';
import { FileRefusal, readBounded } from '#base/files/bounded-file.ts';
import type { AgreedStore } from './agreed-store.ts';
import type { Comparison } from './compare.ts';
import { indexBytesMax } from './folder/sources.ts';
import { writeFolder } from './folder/write-folder.ts';
import { indexFile, metadataFileOf } from './format/layout.ts';
import { parseIndex, parseMetadata, writeMetadata, type IndexEntry } from './format/query-index.ts';
import { agreedOn } from './plan/pair.ts';
import type { PushedWrite } from './push.ts';
import type { Workspace } from './workspace.ts';

/** @returns whether there are new IDs to commit. */
export async function noteAfterPush(
  { agreed, plan }: Comparison,
  pushed: readonly PushedWrite[],
  {
    workspace,
    service,
    store,
  }: { readonly workspace: Workspace; readonly service: string; readonly store: AgreedStore },
): Promise<boolean> {
  const next = new Map(agreed);
  const ids = new Map<string, string>();
  for (const { here, there } of plan.same) next.set(there.id, agreedOn(here.draft, there));
  for (const item of plan.items) if (item.kind === 'linked') ids.set(item.here.file, item.there.id);
  for (const { item, result } of pushed) {
    if (result.kind !== 'done') continue;
    if (item.kind === 'delete') next.delete(item.there.id);
    else if (result.there !== undefined) {
      next.set(result.there.id, agreedOn(item.here.draft, result.there));
      ids.set(item.here.file, result.there.id);
    }
  }
  if (pushed.length > 0) await store.write(next);
  return await noteIds(ids, { workspace, service });
}

/** Adds IDs to existing metadata and changes nothing else, since the working files may differ from the pushed ones. */
async function noteIds(
  ids: ReadonlyMap<string, string>,
  { workspace, service }: { readonly workspace: Workspace; readonly service: string },
): Promise<boolean> {
  const writes = new Map<string, string>();
  for (const [file, id] of ids) {
    const entry = await entryNow(workspace, file);
    if (entry === undefined || entry.ids[service] === id) continue;
    writes.set(metadataFileOf(file), writeMetadata({ ...entry, ids: { ...entry.ids, [service]: id } }));
  }
  if (writes.size === 0) return false;
  await writeFolder(workspace.root, { writes, removes: [] });
  return true;
}

/** Returns the metadata of a query in the working files; undefined if it is missing or unreadable. */
async function entryNow(workspace: Workspace, file: string): Promise<IndexEntry | undefined> {
  const text = await textOf(workspace, metadataFileOf(file));
  if (text !== undefined) {
    const parsed = parseMetadata(text, file);
    return 'entry' in parsed ? parsed.entry : undefined;
  }
  const index = parseIndex((await textOf(workspace, indexFile)) ?? '');
  return 'entries' in index ? index.entries.find((entry) => entry.file === file) : undefined;
}

async function textOf({ root }: Workspace, file: string): Promise<string | undefined> {
  try {
    const read = await readBounded(path.join(root, file), { maxBytes: indexBytesMax, within: root });
    return read.toString('utf8');
  } catch (error) {
    if (error instanceof FileRefusal && error.code === 'missing') return undefined;
    throw error;
  }
}
