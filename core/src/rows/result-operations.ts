/** Operations on whole results, run where the rows are stored: snapshots, comparisons and files. */
import type { Ask, Question } from '../questions/question-map.ts';
import type { CallOptions } from './calls.ts';
import type { ColumnPair, DiffSpec, DiffSummary } from './compare/diff.ts';
import type { RowsFileSource } from './files/rows-file-source.ts';
import type { ResultData } from './result-data.ts';
import type { AppendOutcome } from './row-calls.ts';
import type { StoreColumn } from './rows.ts';

/** The rows of a new result, with their columns and counts. */
export interface HeldRows {
  readonly data: ResultData;
  readonly columns: readonly StoreColumn[];
  readonly outcome: AppendOutcome;
  /** Whether rows were dropped because of the row limit. */
  readonly isCut: boolean;
}

export interface ComparedResults extends HeldRows {
  readonly summary: DiffSummary;
}

export interface ResultOperations {
  /** Creates a snapshot of the rows that outlives the original. Shares the rows instead of copying them. */
  fork(data: ResultData): Promise<HeldRows>;
  compare(
    sides: { readonly before: ResultData; readonly after: ResultData },
    spec: DiffSpec,
    options?: CallOptions,
  ): Promise<ComparedResults>;
  /** Returns the suggested key columns as indexes into `pairs`; empty if no columns identify all rows. */
  suggestKeys(
    sides: { readonly before: ResultData; readonly after: ResultData },
    pairs: readonly ColumnPair[],
    options?: CallOptions,
  ): Promise<readonly number[]>;
  /**
   * Reads rows from a file.
   * @throws RowsFileError if the file does not contain rows.
   */
  read(file: RowsFileSource, options?: CallOptions): Promise<HeldRows>;
  /**
   * Writes all rows to a path at which no file exists.
   * @returns the size in bytes.
   */
  keep(data: ResultData, path: string, options?: CallOptions): Promise<number>;
}

/** The response to an operation that creates a result. */
export type MadeResult = Omit<HeldRows, 'data'>;

/** The IDs of the two compared results. */
interface Sides {
  readonly before: number;
  readonly after: number;
}

/** Calls as they are sent. Results are identified by ID, and `made` is the ID of the new result. */
export interface OperationCalls {
  readonly fork: Question<{ readonly of: number; readonly made: number }, MadeResult>;
  readonly compare: Question<
    Sides & { readonly made: number; readonly spec: DiffSpec },
    MadeResult & { readonly summary: DiffSummary }
  >;
  readonly suggestKeys: Question<Sides & { readonly pairs: readonly ColumnPair[] }, readonly number[]>;
  readonly read: Question<{ readonly made: number; readonly file: RowsFileSource }, MadeResult>;
  readonly keep: Question<{ readonly of: number; readonly path: string }, number>;
}

/** Wraps a transport in the interface for operations. */
export function createResultOperations(line: {
  readonly numberOf: (data: ResultData) => number;
  /** Reserves the ID of a new result, and returns it with a function that wraps the result. */
  readonly reserve: () => { readonly made: number; dataOf(columns: readonly StoreColumn[]): ResultData };
  readonly ask: Ask<OperationCalls, CallOptions>;
}): ResultOperations {
  const { numberOf, reserve, ask } = line;
  /** Requests a new result and wraps it. */
  const making = async <Made extends MadeResult>(asked: (made: number) => Promise<Made>) => {
    const place = reserve();
    const answer = await asked(place.made);
    return { ...answer, data: place.dataOf(answer.columns) };
  };
  const numbersOf = ({ before, after }: { readonly before: ResultData; readonly after: ResultData }) => ({
    before: numberOf(before),
    after: numberOf(after),
  });
  return {
    fork: (data) => making((made) => ask('fork', { of: numberOf(data), made })),
    compare: (sides, spec, options) =>
      making((made) => ask('compare', { ...numbersOf(sides), made, spec }, options)),
    suggestKeys: (sides, pairs, options) => ask('suggestKeys', { ...numbersOf(sides), pairs }, options),
    read: (file, options) => making((made) => ask('read', { made, file }, options)),
    keep: (data, path, options) => ask('keep', { of: numberOf(data), path }, options),
  };
}
