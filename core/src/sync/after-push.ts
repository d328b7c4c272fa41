/** Records the results of a push: IDs that the index lacks, and the state that both sides now share. */
import path from 'node:path';
import { FileRefusal, readBounded } from '#base/files/bounded-file.ts';
import { indexBytesMax } from './folder/sources.ts';
import type { AgreedStore } from './agreed-store.ts';
import type { Comparison } from './compare.ts';
import { indexFile } from './format/layout.ts';
import { parseIndex, writeIndex } from './format/query-index.ts';
import { writeFolder } from './folder/write-folder.ts';
import type { PushedWrite } from './push.ts';
import type { Workspace } from './workspace.ts';

/** @returns whether the index has new IDs to commit. */
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
  for (const { there } of plan.same) next.set(there.id, there);
  for (const item of plan.items) if (item.kind === 'linked') ids.set(item.here.file, item.there.id);
  for (const { item, result } of pushed) {
    if (result.kind !== 'done') continue;
    if (item.kind === 'delete') next.delete(item.there.id);
    else if (result.there !== undefined) {
      next.set(result.there.id, result.there);
      ids.set(item.here.file, result.there.id);
    }
  }
  if (pushed.length > 0) await store.write(next);
  return await noteIds(ids, { workspace, service });
}

/** Adds IDs to existing entries and changes nothing else, since the working files may differ from the pushed ones. */
async function noteIds(
  ids: ReadonlyMap<string, string>,
  { workspace, service }: { readonly workspace: Workspace; readonly service: string },
): Promise<boolean> {
  let text: string;
  try {
    text = (
      await readBounded(path.join(workspace.root, indexFile), {
        maxBytes: indexBytesMax,
        within: workspace.root,
      })
    ).toString('utf8');
  } catch (error) {
    if (error instanceof FileRefusal && error.code === 'missing') return false;
    throw error;
  }
  const parsed = parseIndex(text);
  if ('problem' in parsed) return false;
  const entries = parsed.entries.map((entry) => {
    const id = ids.get(entry.file);
    return id === undefined || entry.ids[service] === id
      ? entry
      : { ...entry, ids: { ...entry.ids, [service]: id } };
  });
  if (entries.every((entry, index) => entry === parsed.entries[index])) return false;
  await writeFolder(workspace.root, { writes: new Map([[indexFile, writeIndex(entries)]]), removes: [] });
  return true;
}
