/** Writes a collection to a target, page by page, with at most two pages in memory. */
import { ColumnAligner } from '#api/client/align-columns.ts';
import type { CollectionId } from '#api/contract/tables.ts';
import { readAhead } from '#base/async/read-ahead.ts';
import { collectionWords } from '#core/records/collections.ts';
import type { KeptPages } from '#core/records/kept-pages.ts';
import type { RecordsFilter } from '#core/records/records-filter.ts';
import { isMissingList } from '#core/records/records-source.ts';
import { rowPages, storedColumns } from '#core/records/row-pages.ts';
import type { StoreColumn } from '#core/rows/rows.ts';
import { CliError, type CliContext } from '../context.ts';
import type { Service } from '../service.ts';
import { createProgress, type Progress } from '../terminal/progress.ts';
import type { RunResult } from './execute.ts';
import { failureLines, failureOfRun } from './failure-text.ts';
import type { FinishingTarget } from './rows-target.ts';

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
  service: Service,
  options: ReadRecordsOptions,
): Promise<RunResult> {
  const progress = createProgress(context.stderr);
  const started = performance.now();
  try {
    const { rowCount, isComplete } = await copyPages(context, service, { ...options, progress });
    const { cutCells } = await options.target.finish();
    return { rowCount, isComplete, ms: Math.round(performance.now() - started), cutCells };
  } catch (error) {
    context.signal.throwIfAborted();
    throw inWords(error, options.collection);
  } finally {
    progress.clear();
    await options.target.close();
  }
}

async function copyPages(
  { signal }: CliContext,
  { client }: Service,
  {
    collection,
    filter,
    kept,
    target,
    isSilent,
    progress,
    limit = Number.MAX_SAFE_INTEGER,
  }: ReadRecordsOptions & { readonly progress: Progress },
): Promise<Pick<RunResult, 'rowCount' | 'isComplete'>> {
  const aligner = new ColumnAligner<StoreColumn>();
  if (kept !== undefined) for await (const columns of storedColumns(kept, collection)) aligner.place(columns);
  const pages = rowPages(client, collection, {
    filter,
    kept,
    signal,
    say: (note) => progress.show(note),
  });
  let isOpen = false;
  let rowCount = 0;
  for await (const page of readAhead(pages[Symbol.asyncIterator]())) {
    const { rows, added } = aligner.align(page);
    if (!isOpen) await target.open(aligner.columns.slice());
    else if (added.length > 0) await target.grow(added);
    isOpen = true;
    const taken = rows.slice(0, limit - rowCount);
    await target.write(taken);
    rowCount += taken.length;
    if (!isSilent) progress.show(`${rowCount.toLocaleString('en-US')} rows`);
    if (rowCount >= limit) return { rowCount, isComplete: page.isLast && taken.length === rows.length };
  }
  if (!isOpen) await target.open([]);
  return { rowCount, isComplete: true };
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
