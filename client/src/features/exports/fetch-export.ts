/** The file of an export onto disk: in pieces as they come, resumed after a cut, whole or not at all. */
import { randomBytes } from 'node:crypto';
import { rmSync } from 'node:fs';
import { open, rename, rm } from 'node:fs/promises';
import path from 'node:path';
import { pause } from '../../../../api/client/abort.ts';
import type { ServiceClient } from '../../../../api/client/client.ts';
import {
  ContractError,
  RateLimitError,
  TimeoutError,
  TransportError,
} from '../../../../api/client/errors.ts';

export interface FetchProgress {
  readonly bytes: number;
  readonly totalBytes: number | undefined;
  /** A cut that is being mended: how many in a row. */
  readonly interruptions: number;
}

/** The link did not lead to the file any more. */
export class ExpiredLinkError extends Error {
  constructor(options: ErrorOptions) {
    super('the link has expired', options);
    this.name = 'ExpiredLinkError';
  }
}

/** The export has no file: it failed, or is not ready. */
export class NoFileError extends Error {
  readonly status: string;
  readonly code: string | undefined;

  constructor(message: string, status: string, code: string | undefined) {
    super(message);
    this.name = 'NoFileError';
    this.status = status;
    this.code = code;
  }
}

/** Cuts in a row without one byte between them. */
const interruptionsMax = 5;
/** How often a file that cannot be resumed may begin anew before its cuts are told. */
const restartsMax = 3;
const firstPauseMs = 500;
const defaultRateLimitMs = 5_000;

/**
 * Asks for the link and yields the bytes of the file. After a cut it asks for a new link and goes on where it was, where
 * the server can; else it says `restart`, and the bytes begin anew.
 * @throws ExpiredLinkError, NoFileError, ApiError, UserAbort.
 */
export async function* fetchExport(
  client: ServiceClient,
  id: string,
  options: {
    readonly signal: AbortSignal;
    readonly onProgress?: ((progress: FetchProgress) => void) | undefined;
    /** The service asked for a pause of so many milliseconds. */
    readonly onPause?: ((ms: number) => void) | undefined;
    /** For tests. */
    readonly wait?: (ms: number, signal: AbortSignal) => Promise<void>;
  },
): AsyncGenerator<Uint8Array | 'restart', void, undefined> {
  const { signal, onProgress, onPause, wait = pause } = options;
  let offset = 0;
  let etag: string | undefined;
  let restarts = 0;
  for (let interruptions = 0; ;) {
    try {
      const file = await openLink(client, id, { signal, offset, etag });
      if (offset > 0 && !file.isPart) {
        offset = 0;
        restarts += 1;
        yield 'restart';
      }
      etag = file.etag;
      for await (const chunk of file.bytes) {
        interruptions = 0;
        offset += chunk.length;
        yield chunk;
        onProgress?.({ bytes: offset, totalBytes: file.totalBytes, interruptions });
      }
      return;
    } catch (error) {
      if (error instanceof RateLimitError) {
        const delayMs = error.retryAfterMs ?? defaultRateLimitMs;
        onPause?.(delayMs);
        await wait(delayMs, signal);
        continue;
      }
      // The server has no rest from there on, or sends another part: then the file begins anew.
      const isPastEnd = offset > 0 && error instanceof ContractError && [206, 416].includes(error.status);
      const isCut = error instanceof TransportError || error instanceof TimeoutError;
      interruptions += 1;
      if (!(isCut || isPastEnd) || interruptions > interruptionsMax || restarts > restartsMax) throw error;
      if (isPastEnd) {
        offset = 0;
        restarts += 1;
        etag = undefined;
        yield 'restart';
      }
      onProgress?.({ bytes: offset, totalBytes: undefined, interruptions });
      await wait(firstPauseMs * 2 ** (interruptions - 1), signal);
    }
  }
}

async function openLink(
  client: ServiceClient,
  id: string,
  options: Parameters<ServiceClient['downloads']['open']>[1] & { readonly signal: AbortSignal },
) {
  const record = await client.downloads.get(id, { signal: options.signal });
  if (record.status !== 'completed' || record.url === undefined) {
    throw new NoFileError(record.error?.message ?? '', record.status, record.error?.code);
  }
  try {
    return await client.downloads.open(record.url, options);
  } catch (error) {
    if (error instanceof ContractError && [401, 403, 404, 410].includes(error.status)) {
      throw new ExpiredLinkError({ cause: error });
    }
    throw error;
  }
}

/** @returns the bytes that were written. An earlier file of the name stays until the new one is whole. */
export async function saveExport(
  client: ServiceClient,
  id: string,
  target: string,
  options: Parameters<typeof fetchExport>[2],
): Promise<number> {
  const draft = path.join(
    path.dirname(target),
    `.${path.basename(target)}.${randomBytes(6).toString('hex')}.part`,
  );
  const file = await open(draft, 'wx', 0o600);
  // A window that closes does not wait for what follows an abort.
  const leave = () => rmSync(draft, { force: true });
  options.signal.addEventListener('abort', leave, { once: true });
  let bytes = 0;
  try {
    for await (const chunk of fetchExport(client, id, options)) {
      if (chunk === 'restart') {
        await file.truncate(0);
        bytes = 0;
        continue;
      }
      await file.write(chunk, 0, chunk.length, bytes);
      bytes += chunk.length;
    }
    await file.close();
    await rename(draft, target);
    return bytes;
  } finally {
    options.signal.removeEventListener('abort', leave);
    await file.close();
    await rm(draft, { force: true });
  }
}
