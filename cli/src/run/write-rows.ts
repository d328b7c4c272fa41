/** Writes the rows of a reader into a target, with progress: all of them or, up to the limit, the first ones. */
import type { PageReader } from '#core/reading/page-reader.ts';
import type { RowsWriter } from '#core/reading/rows-writer.ts';
import { PipedWriter } from '#core/runs/piped-writer.ts';
import type { PartState } from '#core/runs/several/several-runs.ts';
import type { MissingColumn, MixedColumn } from '#core/runs/several/united-columns.ts';
import type { CliContext } from '../context.ts';
import { createProgress } from '../terminal/progress.ts';
import type { FinishingTarget } from './rows-target.ts';

export interface RunResult {
  readonly rowCount: number;
  /** Whether these are all the query's rows. */
  readonly isComplete: boolean;
  /** Whether rows may be missing, since the service does not tell how a result ends. */
  readonly isPerhapsPartial?: boolean | undefined;
  readonly ms: number;
  /** Number of cells that were too long for the format. */
  readonly cutCells: number;
  /** What became of each connection, if there are several. */
  readonly connections?: readonly {
    readonly name: string;
    readonly state: PartState['kind'];
    readonly rowCount: number;
    readonly code?: string | undefined;
    readonly problem?: string;
  }[];
  readonly missingColumns?: readonly MissingColumn[];
  readonly mixedColumns?: readonly MixedColumn[];
}

export interface WriteOptions {
  readonly target: FinishingTarget;
  /** Whether to omit progress. */
  readonly isSilent: boolean;
  /** @param say shows why the next page is late. */
  readonly open: (writer: RowsWriter, say: (note: string) => void) => PageReader;
  /** Says why rows are missing. */
  readonly inWords: (error: unknown) => unknown;
}

/** @throws what `inWords` returns if rows are missing; the target's error; AbortError if the user interrupts. */
export async function writeRows(
  { stderr }: Pick<CliContext, 'stderr'>,
  { target, isSilent, open, inWords }: WriteOptions,
): Promise<RunResult> {
  const progress = createProgress(stderr);
  const writer = new PipedWriter(target, (rows) => {
    if (!isSilent) progress.show(`${rows.toLocaleString('en-US')} rows`);
  });
  try {
    const { isComplete, failure, error, ms } = await writer.readAll(
      open(writer, (note) => progress.show(note)),
    );
    if (failure !== undefined) throw inWords(error);
    const { cutCells } = await target.finish();
    return {
      rowCount: writer.rowCount,
      isComplete,
      isPerhapsPartial: writer.progress?.isPerhapsShort,
      ms: Math.round(writer.progress?.totalMs ?? ms),
      cutCells,
    };
  } finally {
    progress.clear();
    await target.close();
  }
}
