/** Writes a collection to a target, page by page, with at most two pages in memory. */
import type { CollectionId } from '#api/contract/tables.ts';
import { PageReader } from '#core/reading/page-reader.ts';
import { limitedByCaller } from '#core/reading/time-limit.ts';
import { collectionWords } from '#core/records/collections.ts';
import type { KeptPages } from '#core/records/kept-pages.ts';
import type { RecordsFilter } from '#core/records/records-filter.ts';
import { isMissingList, recordsFeed } from '#core/records/records-source.ts';
import { CliError, type CliContext } from '../context.ts';
import type { Service } from '../service.ts';
import { failureLines, failureOfRun } from './failure-text.ts';
import type { FinishingTarget } from './rows-target.ts';
import type { RunResult } from './write-rows.ts';
import { writeRows } from './write-rows.ts';

export interface ReadRecordsOptions {
  readonly collection: CollectionId;
  readonly filter: RecordsFilter;
  /** Keeps pages until the target is complete. */
  readonly kept?: KeptPages | undefined;
  readonly limit: number | undefined;
  readonly target: FinishingTarget;
  readonly isSilent: boolean;
}

/** @throws CliError if records are missing. */
export async function readRecords(
  context: CliContext,
  { client }: Service,
  { collection, filter, kept, limit = Number.MAX_SAFE_INTEGER, target, isSilent }: ReadRecordsOptions,
): Promise<RunResult> {
  const { signal } = context;
  try {
    return await writeRows(context, {
      ...{ target, isSilent },
      open: (writer, say) =>
        new PageReader({
          feed: recordsFeed(client, collection, { filter, kept, say }),
          ...{ writer, signal, rowLimit: limit, deadline: limitedByCaller() },
        }),
      inWords: (error) => error,
    });
  } catch (error) {
    signal.throwIfAborted();
    throw inWords(error, collection);
  }
}

function inWords(error: unknown, collection: CollectionId): unknown {
  const { many } = collectionWords(collection);
  if (isMissingList(error)) return new CliError(`This service has no list of ${many}.`, [], { cause: error });
  const [message = '', ...help] = failureLines(
    many,
    failureOfRun(error, () => undefined),
  );
  return new CliError(message, help, { cause: error });
}
