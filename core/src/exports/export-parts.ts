/** What is on disk of exports whose file has not arrived whole, and who writes to it. */
import type { Stats } from 'node:fs';
import { rm, stat } from 'node:fs/promises';
import path from 'node:path';
import type { ProcessLock } from '../util/process-lock.ts';
import { canGoOn, partFile, type ExportPart } from './export-part.ts';
import { PartInUseError, type ExportKey, type ExportStore, type KnownExport } from './export-store.ts';

export interface PartState {
  readonly part: ExportPart;
  /** That have arrived. */
  readonly bytes: number;
  /** `left` by a window that is gone, so that any can go on. */
  readonly kind: 'here' | 'elsewhere' | 'left';
}

const order = ['here', 'left', 'elsewhere'] as const;

/** The part that matters most: one that is written to here, then one that can be gone on with. */
export async function partStateOf(store: ExportStore, known: KnownExport): Promise<PartState | undefined> {
  const states = await Promise.all((known.parts ?? []).map((part) => stateOf(store, part)));
  return order.flatMap((kind) => states.filter((state) => state?.kind === kind)).at(0);
}

/** Takes away what nobody can go on with: without a name of its state, without a byte, without its file. */
export async function tidyParts(store: ExportStore, known: KnownExport): Promise<void> {
  for (const part of known.parts ?? []) {
    if (store.writerOf(part) !== undefined) continue;
    const file = await statOf(partFile(part));
    // A drive that is not there now may come back, and the file with it.
    const isGone = file === undefined && (await statOf(path.dirname(part.target))) !== undefined;
    const isOfUse = canGoOn(part) && file?.size !== 0;
    if (isOfUse && !isGone) continue;
    try {
      await discardPart(store, known, part);
    } catch (error) {
      if (!(error instanceof PartInUseError)) throw error; // another window has just begun to go on with it
    }
  }
}

/** @throws PartInUseError when it is being written to. */
export async function discardPart(store: ExportStore, key: ExportKey, part: ExportPart): Promise<void> {
  const lock = await store.lockPart(part);
  if (lock === undefined) throw new PartInUseError(part.target);
  await discard(store, key, { part, lock });
}

/** @param lock is that of the part, and ends with it. */
export async function discard(
  store: ExportStore,
  key: ExportKey,
  { part, lock }: { readonly part: ExportPart; readonly lock: ProcessLock },
): Promise<void> {
  try {
    await rm(partFile(part), { force: true });
    await store.dropPart(key, part);
  } finally {
    lock.end();
  }
}

async function stateOf(store: ExportStore, part: ExportPart): Promise<PartState | undefined> {
  const file = await statOf(partFile(part));
  if (file === undefined) return undefined;
  const kind = store.writerOf(part) ?? 'left';
  return kind === 'left' && (file.size === 0 || !canGoOn(part))
    ? undefined
    : { part, bytes: file.size, kind };
}

/** @returns undefined when there is none, or it cannot be reached. */
async function statOf(file: string): Promise<Stats | undefined> {
  try {
    return await stat(file);
  } catch {
    return undefined; // gone, or on a drive that is: whoever goes on with it is told
  }
}
