/**
 * Saves an export's file. Until the download is complete, it is a hidden partial file next to the target. Another
 * window can resume an interrupted download; a discarded download leaves no files behind. Independent of the editor.
 */
import { rmSync } from 'node:fs';
import { open, type FileHandle } from 'node:fs/promises';
import type { ServiceClient } from '#api/client/client.ts';
import { ApiError, NotFoundError, UserAbort } from '#api/client/errors.ts';
import { isMissingFile } from '#base/errors.ts';
import { asTargetError } from '#base/files/disk-messages.ts';
import type { ProcessLock } from '#base/files/process-lock.ts';
import { findTarget, putOnto, saveFile } from '#base/files/target-file.ts';
import { canGoOn, newPart, partFile, type ExportPart } from './export-part.ts';
import { discard } from './export-parts.ts';
import { PartInUseError, type ExportKey, type ExportStore } from './export-store.ts';
import { fetchExport, type FetchOptions } from './fetch-export.ts';

export interface SaveOptions extends Omit<FetchOptions, 'from' | 'onOpen'> {
  readonly store: ExportStore;
  /** Aborted when the user discards the download; no partial file remains. */
  readonly signal: AbortSignal;
  /** Aborted when the window closes; the partial file remains. */
  readonly closing?: AbortSignal | undefined;
  /** Called when the partial file cannot be resumed and the download starts over. */
  readonly onRestart?: (() => void) | undefined;
}

interface WrittenPart {
  readonly part: ExportPart;
  readonly lock: ProcessLock;
  readonly file: FileHandle;
  /** The position of the next write. */
  readonly bytes: number;
}

/**
 * Downloads the file, resuming the partial file for this target if there is one. An existing target file stays in place
 * until the new file is complete.
 * @returns the size of the file in bytes. @throws PartInUseError, the errors of `fetchExport`, TargetError.
 */
export async function saveExport(
  client: ServiceClient,
  key: ExportKey,
  target: string,
  saving: SaveOptions,
): Promise<number> {
  let real = target;
  try {
    const place = await findTarget(target);
    if (place.kind === 'file') {
      real = place.path;
      return await saveBeside(client, key, real, saving);
    }
    const signal = AbortSignal.any([saving.signal, saving.closing].filter((each) => each !== undefined));
    return await saveFile(
      target,
      // Nothing is kept of a draft: without a file beside it, there is nothing to resume.
      (draft) => saveBeside(client, key, draft, { ...saving, signal, closing: undefined }),
      { signal },
    );
  } catch (error) {
    throw asTargetError(error, target, real);
  }
}

async function saveBeside(
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
  // Synchronous, since a closing window does not wait for promises after an abort.
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
    await putOnto(draft, target);
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
      // The previous writer may have finished the download in the meantime.
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

/** Opens an existing partial file for appending. @returns undefined if the file no longer exists. */
async function reopen(part: ExportPart): Promise<Pick<WrittenPart, 'file' | 'bytes'> | undefined> {
  let file: FileHandle;
  try {
    file = await open(partFile(part), 'r+');
  } catch (error) {
    if (isMissingFile(error)) return undefined;
    throw error;
  }
  const { size } = await file.stat();
  // Rereads the last byte, because a file that is already complete would leave nothing to request.
  const bytes = canGoOn(part) ? Math.max(0, size - 1) : 0;
  await file.truncate(bytes);
  return { file, bytes };
}

/**
 * Returns whether a later attempt may succeed, because the service, network or connection failed or the window closed.
 */
function isWorthGoingOn(error: unknown): boolean {
  return error instanceof UserAbort || (error instanceof ApiError && !(error instanceof NotFoundError));
}
