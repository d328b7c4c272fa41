/**
 * Downloads an export's file in chunks. Resumes after a lost connection, but never mixes bytes from two different
 * files.
 */
import { pause } from '#api/client/abort.ts';
import type { ServiceClient } from '#api/client/client.ts';
import { ContractError, RateLimitError, TimeoutError, TransportError } from '#api/client/errors.ts';
import type { OpenedFile } from '#api/client/requests/transport.ts';

export interface FetchProgress {
  readonly bytes: number;
  readonly totalBytes: number | undefined;
  /** Number of consecutive connection losses while retrying; 0 if none. */
  readonly interruptions: number;
}

/** Thrown if the link no longer leads to a file. */
export class ExpiredLinkError extends Error {
  constructor(options: ErrorOptions) {
    super('the link has expired', options);
    this.name = 'ExpiredLinkError';
  }
}

/** Thrown if the export has no file because it failed or is not ready. */
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

/** Maximum number of consecutive connection losses without new bytes. */
const interruptionsMax = 5;
/** Number of restarts after which the next failure is thrown instead of retried. */
const restartsMax = 3;
const firstPauseMs = 500;
const defaultRateLimitMs = 5_000;

/** Facts about the remote file known before its first bytes arrive. */
type FileState = Pick<OpenedFile, 'etag' | 'totalBytes'>;

export interface FetchOptions {
  readonly signal: AbortSignal;
  /** Where to resume: the number of bytes already received, and the ETag of the file that they belong to. */
  readonly from?: { readonly offset: number; readonly etag: string } | undefined;
  /** Awaited before the first bytes of this file are yielded. */
  readonly onOpen?: ((file: FileState) => Promise<void>) | undefined;
  readonly onProgress?: ((progress: FetchProgress) => void) | undefined;
  /** Called when the service requests a pause. */
  readonly onPause?: ((ms: number) => void) | undefined;
  /** Replaced in tests. */
  readonly wait?: (ms: number, signal: AbortSignal) => Promise<void>;
}

/**
 * Requests the link and yields the bytes of the file. If the connection is lost, it requests a new link and resumes if
 * the server supports that. Otherwise it yields `restart`, and the bytes start from the beginning.
 * @throws ExpiredLinkError, NoFileError, ApiError, UserAbort.
 */
export async function* fetchExport(
  client: ServiceClient,
  id: string,
  { signal, from, onOpen, onProgress, onPause, wait = pause }: FetchOptions,
): AsyncGenerator<Uint8Array | 'restart', void, undefined> {
  let offset = from?.offset ?? 0;
  let known: FileState = { etag: from?.etag, totalBytes: undefined };
  let restarts = 0;
  for (let interruptions = 0; ;) {
    try {
      const file = await openLink(client, id, { signal, offset, etag: known.etag });
      const isRest = file.isPart && !isOther(file, known);
      if (offset > 0 && !isRest) {
        offset = 0;
        restarts += 1;
        yield 'restart';
      }
      if (file.isPart && !isRest) {
        // The server ignored the precondition and sent the rest of a different file.
        await leave(file);
        known = { etag: undefined, totalBytes: undefined };
        continue;
      }
      known = {
        etag: file.etag ?? (isRest ? known.etag : undefined),
        totalBytes: file.totalBytes,
      };
      await onOpen?.(known);
      const before = offset;
      for await (const chunk of file.bytes) {
        interruptions = 0;
        offset += chunk.length;
        yield chunk;
        onProgress?.({ bytes: offset, totalBytes: file.totalBytes, interruptions });
      }
      if (isWhole(file, offset)) return;
      // A server may send less than the requested range (RFC 9110 section 15.3.7); the rest is requested next.
      if (offset > before && !isTooLong(file, offset)) continue;
      throw new TransportError(truncatedWords, 'truncated', undefined);
    } catch (error) {
      if (error instanceof RateLimitError && !error.isWaitedOut) {
        const delayMs = error.retryAfterMs ?? defaultRateLimitMs;
        onPause?.(delayMs);
        await wait(delayMs, signal);
        continue;
      }
      // The server cannot send the requested range, or sent a different one, so the download starts over.
      const isPastEnd = offset > 0 && error instanceof ContractError && [206, 416].includes(error.status);
      const isCut = error instanceof TransportError || error instanceof TimeoutError;
      const isOff = known.totalBytes !== undefined && offset > known.totalBytes;
      interruptions += 1;
      if (!(isCut || isPastEnd) || interruptions > interruptionsMax || restarts > restartsMax) throw error;
      if (isPastEnd || isOff) {
        offset = 0;
        restarts += 1;
        known = { etag: undefined, totalBytes: undefined };
        yield 'restart';
      }
      onProgress?.({ bytes: offset, totalBytes: undefined, interruptions });
      await wait(firstPauseMs * 2 ** (interruptions - 1), signal);
    }
  }
}

const truncatedWords = 'The server ended the file too early: try again, or create the export again.';

/** If the length is unknown, the file is complete only when the server has nothing left to send. */
function isWhole({ isPart, totalBytes }: OpenedFile, bytes: number): boolean {
  return totalBytes === undefined ? !isPart : bytes === totalBytes;
}

function isTooLong({ totalBytes }: OpenedFile, bytes: number): boolean {
  return totalBytes !== undefined && bytes > totalBytes;
}

/** Returns whether the server now has a different file. Lengths are compared only if an ETag is missing. */
function isOther(file: FileState, known: FileState): boolean {
  if (file.etag !== undefined && known.etag !== undefined) return file.etag !== known.etag;
  return (
    file.totalBytes !== undefined && known.totalBytes !== undefined && file.totalBytes !== known.totalBytes
  );
}

/** Abandons the response; an unread body would keep the connection open. */
async function leave({ bytes }: OpenedFile): Promise<void> {
  await bytes.next();
  await bytes.return();
}

async function openLink(
  client: ServiceClient,
  id: string,
  options: Parameters<ServiceClient['downloads']['open']>[1] & { readonly signal: AbortSignal },
) {
  const record = await client.downloads.get(id, { signal: options.signal });
  if (record.status !== 'completed' || record.url === undefined)
    throw new NoFileError(record.error?.message ?? '', record.status, record.error?.code);
  try {
    return await client.downloads.open(record.url, options);
  } catch (error) {
    if (error instanceof ContractError && [401, 403, 404, 410].includes(error.status))
      throw new ExpiredLinkError({ cause: error });
    throw error;
  }
}
