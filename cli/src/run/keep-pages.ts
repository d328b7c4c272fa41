/**
 * Writes records to a file. Received pages are kept next to it until it is complete, so that the same command can
 * resume.
 */
import { createHash } from 'node:crypto';
import path from 'node:path';
import { dataFolder } from '#base/files/data-folder.ts';
import { diskWords } from '#base/files/disk-messages.ts';
import { partNameOf } from '#base/files/file-name.ts';
import { ProcessLock } from '#base/files/process-lock.ts';
import { ageText } from '#base/words/age-text.ts';
import { KeptPages } from '#core/records/kept-pages.ts';
import type { RecordsFilter } from '#core/records/records-filter.ts';
import { CliError, InterruptedError, type CliContext } from '../context.ts';
import { write } from '../output.ts';
import { unwritableData } from './data-messages.ts';
import { plainFailureLines } from './failure-text.ts';
import { GrownColumnsError } from './rows-target.ts';
import { rowsText } from './rows-text.ts';

export interface KeepOptions {
  /** Absolute path of the file. */
  readonly target: string;
  /** The request as typed: a time such as `7d` means a different moment in each run. */
  readonly asked: readonly (string | undefined)[];
  readonly filter: RecordsFilter;
  readonly isFresh: boolean;
}

/** @throws CliError or InterruptedError, which report the rows that are kept. */
export async function keepingPages<Result>(
  context: CliContext,
  { target, asked, filter, isFresh }: KeepOptions,
  use: (kept?: KeptPages) => Promise<Result>,
): Promise<Result> {
  const mark = createHash('sha256')
    .update(JSON.stringify([target, ...asked]))
    .digest('hex')
    .slice(0, 12);
  const data = dataFolder(context.environment);
  let lock: ProcessLock | undefined;
  try {
    lock = ProcessLock.try(path.join(data, 'record-parts', `${mark}.lock`));
  } catch (error) {
    // A container of CI may have no home that can be written, and nobody who continues.
    const words = diskWords(error);
    if (words === undefined) throw error;
    await write(context.stderr, `No pages are kept to continue from: ${unwritableData(data, words)}\n`);
    return await use();
  }
  if (lock === undefined) throw new CliError(`"${target}" is already being written.`);
  try {
    const file = path.join(path.dirname(target), partNameOf(target, mark));
    const open = (isAnew: boolean): Promise<KeptPages> =>
      KeptPages.open(file, {
        filter,
        now: Date.now(),
        isAnew,
        onRestart: () =>
          context.stderr.write('The service cannot continue at this point: reading from the start.\n'),
      });
    return await useKept(context, { kept: await open(isFresh), reopen: () => open(false) }, use);
  } finally {
    lock.end();
  }
}

async function useKept<Result>(
  context: CliContext,
  { kept: first, reopen }: { readonly kept: KeptPages; readonly reopen: () => Promise<KeptPages> },
  use: (kept: KeptPages) => Promise<Result>,
): Promise<Result> {
  let kept = first;
  if (kept.rowCount > 0) {
    const age = ageText(kept.startedAt, Date.now(), 'en');
    await write(
      context.stderr,
      `Continuing after ${rowsText(kept.rowCount)} of a read started ${age}; --fresh starts again.\n`,
    );
  }
  try {
    for (;;) {
      const before = kept.rowCount;
      try {
        const result = await use(kept);
        await kept.end();
        return result;
      } catch (error) {
        // A file that cannot grow is written again, with the columns of all pages so far.
        const isGrown = [error, error instanceof Error ? error.cause : undefined].some(
          (one) => one instanceof GrownColumnsError,
        );
        if (!isGrown || kept.rowCount <= before) throw error;
        await kept.close();
        kept = await reopen();
      }
    }
  } catch (error) {
    await kept.close();
    if (kept.rowCount === 0) throw error;
    const left = [
      `The rows so far are kept beside the file: ${rowsText(kept.rowCount)}.`,
      'To continue, run the same command again.',
    ];
    if (context.signal.aborted) throw new InterruptedError(left);
    const [message = '', ...help] =
      error instanceof CliError ? [error.message, ...error.help] : plainFailureLines(error);
    throw new CliError(message, [...help, ...left], { cause: error });
  }
}
