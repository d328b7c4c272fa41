/** The file of an export: in pieces as they come, resumed after a cut, never pieces of two files. */
import { pause } from '../../../api/client/abort.ts';
import type { ServiceClient } from '../../../api/client/client.ts';
import { ContractError, RateLimitError, TimeoutError, TransportError } from '../../../api/client/errors.ts';
import type { OpenedFile } from '../../../api/client/requests/transport.ts';

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

/** What is told of the file before its bytes are. */
type FileState = Pick<OpenedFile, 'etag' | 'totalBytes'>;

export interface FetchOptions {
  readonly signal: AbortSignal;
  /** Bytes that are here already, of the state of the file that the name is of. */
  readonly from?: { readonly offset: number; readonly etag: string } | undefined;
  /** Waited for before bytes of this state of the file are yielded. */
  readonly onOpen?: ((file: FileState) => Promise<void>) | undefined;
  readonly onProgress?: ((progress: FetchProgress) => void) | undefined;
  /** The service asked for a pause of so many milliseconds. */
  readonly onPause?: ((ms: number) => void) | undefined;
  /** For tests. */
  readonly wait?: (ms: number, signal: AbortSignal) => Promise<void>;
}

/**
 * Asks for the link and yields the bytes of the file. After a cut it asks for a new link and goes on where it was, where
 * the server can; else it says `restart`, and the bytes begin anew.
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
        // The rest of another file, from a server that does not look at what it was given.
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
      // A server may send less of a range than it was asked for (RFC 9110 section 15.3.7): the rest is asked for.
      if (offset > before && !isTooLong(file, offset)) continue;
      throw new TransportError(truncatedWords, 'truncated', undefined);
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

const truncatedWords = 'The server ends the file before its end: try again, or create the export again.';

/** Of a part whose file has no known length, only a server that has nothing more tells the end. */
function isWhole({ isPart, totalBytes }: OpenedFile, bytes: number): boolean {
  return totalBytes === undefined ? !isPart : bytes === totalBytes;
}

function isTooLong({ totalBytes }: OpenedFile, bytes: number): boolean {
  return totalBytes !== undefined && bytes > totalBytes;
}

/** Whether the server has another file now. Its length decides only where it gives no name. */
function isOther(file: FileState, known: FileState): boolean {
  if (file.etag !== undefined && known.etag !== undefined) return file.etag !== known.etag;
  return (
    file.totalBytes !== undefined && known.totalBytes !== undefined && file.totalBytes !== known.totalBytes
  );
}

/** Reading that never began would leave the connection open. */
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
