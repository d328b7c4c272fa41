/** The partial files of exports on disk, and their writers. */
import type { Stats } from 'node:fs';
import { rm, stat } from 'node:fs/promises';
import path from 'node:path';
import type { ProcessLock } from '../util/files/process-lock.ts';
import { canGoOn, partFile, type ExportPart } from './export-part.ts';
import { PartInUseError, type ExportKey, type ExportStore, type KnownExport } from './export-store.ts';

export interface PartState {
  readonly part: ExportPart;
  /** Bytes received. */
  readonly bytes: number;
  /** `left` by a closed window, so any window can resume it. */
  readonly kind: 'here' | 'elsewhere' | 'left';
}

const order = ['here', 'left', 'elsewhere'] as const;

/** The most relevant partial file: one being written here, else one that can be resumed. */
export async function partStateOf(store: ExportStore, known: KnownExport): Promise<PartState | undefined> {
  const states = await Promise.all((known.parts ?? []).map((part) => stateOf(store, part)));
  return order.flatMap((kind) => states.filter((state) => state?.kind === kind)).at(0);
}

/** Removes partial files that cannot be resumed: without an ETag, without bytes, without a file. */
export async function tidyParts(store: ExportStore, known: KnownExport): Promise<void> {
  for (const part of known.parts ?? []) {
    if (store.writerOf(part) !== undefined) continue;
    const file = await statOf(partFile(part));
    // A missing drive may come back, and the file with it.
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

/** @throws PartInUseError if it is being written. */
export async function discardPart(store: ExportStore, key: ExportKey, part: ExportPart): Promise<void> {
  const lock = await store.lockPart(part);
  if (lock === undefined) throw new PartInUseError(part.target);
  await discard(store, key, { part, lock });
}

/** @param lock belongs to the partial file and ends with it. */
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

/** @returns undefined if it does not exist or cannot be reached. */
async function statOf(file: string): Promise<Stats | undefined> {
  try {
    return await stat(file);
  } catch {
    return undefined; // missing, or on a missing drive: a resume reports it
  }
}
