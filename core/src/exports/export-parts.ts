/** The partial files of exports on disk, and the windows that write them. */
import type { Stats } from 'node:fs';
import { rm, stat } from 'node:fs/promises';
import path from 'node:path';
import type { ProcessLock } from '#base/files/process-lock.ts';
import { canGoOn, partFile, type ExportPart } from './export-part.ts';
import { PartInUseError, type ExportKey, type ExportStore, type KnownExport } from './export-store.ts';

export interface PartState {
  readonly part: ExportPart;
  /** Number of bytes received. */
  readonly bytes: number;
  /**
   * Written by this window (`here`) or another one (`elsewhere`), or `left` by a closed window and ready to be resumed.
   */
  readonly kind: 'here' | 'elsewhere' | 'left';
}

const order = ['here', 'left', 'elsewhere'] as const;

/**
 * Returns the most relevant partial file: one that this window is writing, otherwise one that can be resumed, otherwise
 * any.
 */
export async function partStateOf(store: ExportStore, known: KnownExport): Promise<PartState | undefined> {
  const states = await Promise.all((known.parts ?? []).map((part) => stateOf(store, part)));
  return order.flatMap((kind) => states.filter((state) => state?.kind === kind)).at(0);
}

/** Removes partial files that cannot be resumed because they are missing or empty, or have no ETag. */
export async function tidyParts(store: ExportStore, known: KnownExport): Promise<void> {
  for (const part of known.parts ?? []) {
    if (store.writerOf(part) !== undefined) continue;
    const file = await statOf(partFile(part));
    // If the whole drive is missing, it may be reconnected later, with the file on it.
    const isGone = file === undefined && (await statOf(path.dirname(part.target))) !== undefined;
    const isOfUse = canGoOn(part) && file?.size !== 0;
    if (isOfUse && !isGone) continue;
    try {
      await discardPart(store, known, part);
    } catch (error) {
      if (!(error instanceof PartInUseError)) throw error; // another window has just resumed it
    }
  }
}

/** @throws PartInUseError if the file is being written. */
export async function discardPart(store: ExportStore, key: ExportKey, part: ExportPart): Promise<void> {
  const lock = await store.lockPart(part);
  if (lock === undefined) throw new PartInUseError(part.target);
  await discard(store, key, { part, lock });
}

/** Deletes a partial file and its lock. @param lock the caller's lock on the partial file. */
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

/** @returns undefined if the file does not exist or cannot be reached. */
async function statOf(file: string): Promise<Stats | undefined> {
  try {
    return await stat(file);
  } catch {
    return undefined; // resuming reports a missing drive
  }
}
