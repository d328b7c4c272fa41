/** Requests exports and polls until their files are ready; every response is stored. Independent of the editor. */
import { pause } from '#api/client/abort.ts';
import type { ServiceClient } from '#api/client/client.ts';
import { NotFoundError, RateLimitError } from '#api/client/errors.ts';
import type { KnownDownload } from '#api/client/resources.ts';
import type { DownloadCreate } from '#api/contract/downloads.ts';
import { t } from '#base/texts.ts';
import { pauseWords } from '#base/words/pause-message.ts';
import { connectionKeyOf, type ConnectionProfile } from '../connections/connection-profile.ts';
import { failureOf } from '../failures/failure.ts';
import { waitingOutRateLimits } from '../failures/rate-limit.ts';
import type { ExportKey, ExportStore, KnownExport } from './export-store.ts';

const firstPauseMs = 1_000;
const maxPauseMs = 60_000;

/** The connection that owns the exports, and the local store. */
export interface ExportsOf {
  readonly client: ServiceClient;
  readonly profile: ConnectionProfile;
  readonly store: ExportStore;
}

export interface AskOptions {
  readonly signal: AbortSignal;
  /** Called with the reason for a delay. */
  readonly say: (note: string) => void;
  /** Target file, if known. */
  readonly target?: string | undefined;
}

/** Requests an export. A rate-limited request was not accepted, so retrying it never creates a second export. */
export async function createExport(
  of: ExportsOf,
  request: DownloadCreate,
  { signal, say, target }: AskOptions,
): Promise<KnownExport> {
  const record = await waitingOutRateLimits(
    () => of.client.downloads.create(request, { signal, throwsRateLimit: true }),
    { signal, onPause: (delayMs) => say(pauseWords(delayMs)) },
  );
  return await keepExport(of, { ...request, ...record }, { target });
}

/** Opens an export by its ID, even if it was requested elsewhere. @throws NotFoundError. */
export async function openExport(of: ExportsOf, id: string, signal?: AbortSignal): Promise<KnownExport> {
  return await keepExport(of, await of.client.downloads.get(id, { signal }));
}

/** Reads the current state of an export. An export that the service no longer has counts as failed. */
export async function lookAtExport(
  of: ExportsOf,
  known: KnownExport,
  signal?: AbortSignal,
): Promise<KnownExport> {
  try {
    return await openExport(of, known.id, signal);
  } catch (error) {
    if (error instanceof NotFoundError) return await keepAsFailed(of.store, known, error);
    throw error;
  }
}

export interface FollowOptions {
  readonly signal: AbortSignal;
  /** Called after each poll with the failure reason, or undefined if it succeeded. */
  readonly tell: (note: string | undefined) => void;
  /**
   * Whether to stop polling and throw the last error, given the number of consecutive failures. By default, polling
   * continues until it is aborted.
   */
  readonly givesUp?: ((error: unknown, failures: number) => boolean) | undefined;
}

/**
 * Polls until the export has completed or failed. Polling only reads, so it continues while the service is unavailable.
 * @throws NotFoundError if the service no longer has the export, which is then stored as failed.
 */
export async function followExport(
  of: ExportsOf,
  known: KnownExport,
  { signal, tell, givesUp }: FollowOptions,
): Promise<KnownExport> {
  let delayMs = firstPauseMs;
  let failures = 0;
  for (let nextMs = delayMs; ;) {
    await pause(nextMs, signal);
    delayMs = Math.min(maxPauseMs, delayMs * 1.5);
    nextMs = delayMs;
    try {
      const record = await of.client.downloads.get(known.id, { signal, throwsRateLimit: true });
      failures = 0;
      tell(undefined);
      if (record.status !== 'accepted') return await keepExport(of, record, known);
    } catch (error) {
      signal.throwIfAborted();
      if (error instanceof NotFoundError) {
        await keepAsFailed(of.store, known, error);
        throw error;
      }
      if (error instanceof RateLimitError) {
        if (error.isWaitedOut) throw error;
        nextMs = Math.max(nextMs, error.retryAfterMs ?? 0);
        tell(pauseWords(nextMs));
        continue;
      }
      failures += 1;
      if (givesUp?.(error, failures) === true) throw error;
      const failure = failureOf(error);
      const isCancelled = failure.kind === 'cancelled';
      tell(isCancelled ? undefined : t('Its state could not be read: {0}', failure.message));
    }
  }
}

async function keepExport(
  { profile, store }: ExportsOf,
  record: KnownDownload,
  { createdAt = Date.now(), target }: Partial<Pick<KnownExport, 'createdAt' | 'target'>> = {},
): Promise<KnownExport> {
  const key: ExportKey = { id: record.id, connectionKey: connectionKeyOf(profile) };
  // A completed export shows its link as long as it is valid.
  const hasNoLink = record.status === 'completed' && record.url === undefined;
  return await store.put(key, (before) => ({
    ...before,
    ...key,
    isTold: record.status === 'accepted' ? undefined : before?.isTold,
    connection: profile.name,
    context: record.context ?? before?.context ?? record.id,
    fileFormat: record.fileFormat ?? before?.fileFormat ?? 'csv',
    urlTtlMinutes: record.urlTtlMinutes ?? before?.urlTtlMinutes,
    createdAt: before?.createdAt ?? createdAt,
    status: record.status,
    completedAt: record.status === 'completed' ? (before?.completedAt ?? Date.now()) : undefined,
    linkGoneAt: hasNoLink ? (before?.linkGoneAt ?? Date.now()) : undefined,
    error: record.error,
    target: before === undefined ? target : before.target,
  }));
}

async function keepAsFailed(
  store: ExportStore,
  known: KnownExport,
  error: NotFoundError,
): Promise<KnownExport> {
  const { code, message } = error;
  return await store.put(known, (before) => ({
    ...(before ?? known),
    status: 'failed',
    error: { code, message },
  }));
}
