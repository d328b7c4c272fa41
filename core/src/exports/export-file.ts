/**
 * The file of an export onto disk: whole, or hidden beside its place. What a window leaves unfinished is gone on with by
 * another; what a person gives up leaves nothing. No editor API in here.
 */
import { rmSync } from 'node:fs';
import { open, type FileHandle } from 'node:fs/promises';
import type { ServiceClient } from '../../../api/client/client.ts';
import { ApiError, NotFoundError, UserAbort } from '../../../api/client/errors.ts';
import type { ProcessLock } from '../util/process-lock.ts';
import { canGoOn, newPart, partFile, type ExportPart } from './export-part.ts';
import { discard } from './export-parts.ts';
import { PartInUseError, type ExportKey, type ExportStore } from './export-store.ts';
import { fetchExport, type FetchOptions } from './fetch-export.ts';
import { isMissingFile } from '../util/errors.ts';
import { putInPlace } from '../util/private-file.ts';

export interface SaveOptions extends Omit<FetchOptions, 'from' | 'onOpen'> {
  /** Knows the export. */
  readonly store: ExportStore;
  /** The person's no: nothing stays. */
  readonly signal: AbortSignal;
  /** Aborts when the window closes: what has arrived stays. */
  readonly closing?: AbortSignal | undefined;
  /** What was there cannot be gone on with, so the file begins anew. */
  readonly onRestart?: (() => void) | undefined;
}

interface WrittenPart {
  readonly part: ExportPart;
  readonly lock: ProcessLock;
  readonly file: FileHandle;
  /** Where to write next. */
  readonly bytes: number;
}

/**
 * Goes on with what there is of the file at this place. An earlier file of the name stays until the new one is whole.
 * @returns the bytes of the file. @throws PartInUseError, what `fetchExport` throws, what the file system says.
 */
export async function saveExport(
  client: ServiceClient,
  key: ExportKey,
  target: string,
  { store, closing, onRestart, ...options }: SaveOptions,
): Promise<number> {
  const opened = await openPart(store, key, target);
  const { lock, file } = opened;
  let { part, bytes } = opened;
  const draft = partFile(part);
  const canStay = () => canGoOn(part) && bytes > 0;
  const signal = closing === undefined ? options.signal : AbortSignal.any([options.signal, closing]);
  // A window that closes does not wait for what follows an abort.
  const leave = () => {
    if (options.signal.aborted || !canStay()) rmSync(draft, { force: true });
  };
  signal.addEventListener('abort', leave, { once: true });
  let isWhole = false;
  let stays = false;
  try {
    const from = part.etag === undefined || bytes === 0 ? undefined : { offset: bytes, etag: part.etag };
    const pieces = fetchExport(client, key.id, {
      ...options,
      signal,
      from,
      onOpen: async ({ etag, totalBytes }) => {
        const isKnown = part.etag === etag && part.totalBytes === totalBytes && part.isOffered !== true;
        if (isKnown) {
          await store.changed();
          return;
        }
        part = { target, name: part.name, etag, totalBytes };
        await store.keepPart(key, part);
      },
    });
    for await (const piece of pieces) {
      if (piece === 'restart') {
        await file.truncate(0);
        bytes = 0;
        onRestart?.();
        continue;
      }
      await file.write(piece, 0, piece.length, bytes);
      bytes += piece.length;
    }
    isWhole = true;
    await file.close();
    await putInPlace(draft, target);
    return bytes;
  } catch (error) {
    stays = !options.signal.aborted && canStay() && (isWhole || isWorthGoingOn(error));
    throw error;
  } finally {
    signal.removeEventListener('abort', leave);
    await file.close();
    if (stays) {
      lock.release();
      await store.changed();
    } else {
      await discard(store, key, { part, lock });
    }
  }
}

async function openPart(store: ExportStore, key: ExportKey, target: string): Promise<WrittenPart> {
  const left = await partOf(store, key, target);
  if (left !== undefined) {
    const lock = await store.lockPart(left);
    if (lock === undefined) throw new PartInUseError(target);
    try {
      // Whoever wrote to it may have ended it meanwhile.
      const part = await partOf(store, key, target);
      const reopened = part?.name === left.name ? await reopen(part) : undefined;
      if (part !== undefined && reopened !== undefined) return { part, lock, ...reopened };
    } catch (error) {
      lock.release();
      throw error;
    }
    await discard(store, key, { part: left, lock });
  }
  const part = newPart(target);
  const lock = await store.lockPart(part);
  if (lock === undefined) throw new PartInUseError(target);
  try {
    await store.keepPart(key, part);
    try {
      return { part, lock, file: await open(partFile(part), 'wx', 0o600), bytes: 0 };
    } catch (error) {
      await store.dropPart(key, part);
      throw error;
    }
  } catch (error) {
    lock.end();
    throw error;
  }
}

async function partOf(store: ExportStore, key: ExportKey, target: string): Promise<ExportPart | undefined> {
  return (await store.find(key))?.parts?.find((part) => part.target === target);
}

/** @returns undefined when there is no such file any more. */
async function reopen(part: ExportPart): Promise<Pick<WrittenPart, 'file' | 'bytes'> | undefined> {
  let file: FileHandle;
  try {
    file = await open(partFile(part), 'r+');
  } catch (error) {
    if (isMissingFile(error)) return undefined;
    throw error;
  }
  const { size } = await file.stat();
  // A whole file has no rest that could be asked for, so its last byte is read again.
  const bytes = canGoOn(part) ? Math.max(0, size - 1) : 0;
  await file.truncate(bytes);
  return { file, bytes };
}

/** The service or the way to it failed, or the window or the connection went: later it may go on. */
function isWorthGoingOn(error: unknown): boolean {
  return error instanceof UserAbort || (error instanceof ApiError && !(error instanceof NotFoundError));
}
