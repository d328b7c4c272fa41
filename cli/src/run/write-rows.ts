/** Writes the rows of a reader into a target, with progress: all of them or, up to the limit, the first ones. */
import { typedText } from '#base/advice.ts';
import type { PageReader, ReadOutcome } from '#core/reading/page-reader.ts';
import type { RowsWriter } from '#core/reading/rows-writer.ts';
import type { OddColumn } from '#core/rows/files/rows-encoder.ts';
import { PipedWriter } from '#core/runs/piped-writer.ts';
import type { PartState } from '#core/runs/several/several-runs.ts';
import type { MissingColumn, MixedColumn } from '#core/runs/several/united-columns.ts';
import { advice } from '../advice.ts';
import { CliError, type CliContext } from '../context.ts';
import { createProgress } from '../terminal/progress.ts';
import type { FinishingTarget } from './rows-target.ts';
import { rowsText } from './rows-text.ts';

export interface RunResult {
  readonly rowCount: number;
  /** Whether these are all the query's rows. */
  readonly isComplete: boolean;
  /** Whether rows may be missing, since the service does not tell how a result ends. */
  readonly isPerhapsPartial?: boolean | undefined;
  /** Whether they may only because nothing shows that the service uses the values of parameters. */
  readonly areValuesUnknown?: true | undefined;
  readonly ms: number;
  /** Number of cells that were too long for the format. */
  readonly cutCells: number;
  readonly oddColumns?: readonly OddColumn[] | undefined;
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

/** Tells, as a result of a command, what the reader says of the rows. */
export function completenessOf(
  outcome: ReadOutcome,
): Pick<RunResult, 'isComplete' | 'isPerhapsPartial' | 'areValuesUnknown'> {
  const rows = outcome.kind === 'rows' ? outcome : undefined;
  return {
    isComplete: rows?.extent === 'complete',
    ...(rows?.extent === 'perhaps-short'
      ? { isPerhapsPartial: true, areValuesUnknown: rows.areValuesUnknown }
      : {}),
  };
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
    if (!isSilent) progress.show(rowsText(rows));
  });
  const reader = open(writer, (note) => progress.show(note));
  try {
    const outcome = await writer.readAll(reader);
    if (outcome.kind === 'failed') throw inWords(outcome.error);
    if (outcome.kind === 'rows' && outcome.extent === 'short')
      throw new CliError(
        `The service reports ${rowsText(outcome.totalRows ?? 0)}, but sent only ${writer.rowCount.toLocaleString('en-US')}: the others are missing. Run the command again. If it stays so, report it to whoever runs the service. To see whether more pages can be asked for here, run: ${typedText(advice.examine())}`,
      );
    const { cutCells, oddColumns } = await target.finish();
    return {
      rowCount: writer.rowCount,
      ...completenessOf(outcome),
      ms: Math.round(writer.progress?.totalMs ?? outcome.ms),
      cutCells,
      oddColumns,
    };
  } finally {
    // A source that has more rows than were wanted holds what it reads them with.
    reader.end();
    progress.clear();
    await target.close();
  }
}
