/** What is done with whole results where their rows are: snapshots, comparisons, files that are kept and read back. */
import type { Ask, Question } from '../questions/question-map.ts';
import type { CallOptions } from './calls.ts';
import type { ColumnPair, DiffSpec, DiffSummary } from './compare/diff.ts';
import type { RowsFileSource } from './files/rows-file-source.ts';
import type { ResultData } from './result-data.ts';
import type { AppendOutcome } from './row-calls.ts';
import type { StoreColumn } from './rows.ts';

/** Rows that are somewhere, with what is known of them. */
export interface HeldRows {
  readonly data: ResultData;
  readonly columns: readonly StoreColumn[];
  readonly outcome: AppendOutcome;
  /** Whether there were more than the limit. */
  readonly isCut: boolean;
}

export interface ComparedResults extends HeldRows {
  readonly summary: DiffSummary;
}

export interface ResultOperations {
  /** The rows of this moment, which stay when the other one goes; they are not copied. */
  fork(data: ResultData): Promise<HeldRows>;
  compare(
    sides: { readonly before: ResultData; readonly after: ResultData },
    spec: DiffSpec,
    options?: CallOptions,
  ): Promise<ComparedResults>;
  /** Places in `pairs` by which rows are most likely to belong together; none when none tell all rows apart. */
  suggestKeys(
    sides: { readonly before: ResultData; readonly after: ResultData },
    pairs: readonly ColumnPair[],
    options?: CallOptions,
  ): Promise<readonly number[]>;
  /** @throws RowsFileError when the file does not hold rows. */
  read(file: RowsFileSource, options?: CallOptions): Promise<HeldRows>;
  /** Writes all rows where nothing is yet. @returns bytes. */
  keep(data: ResultData, path: string, options?: CallOptions): Promise<number>;
}

/** A result that an operation made. */
export type MadeResult = Omit<HeldRows, 'data'>;

/** The numbers of the two results that are looked at. */
interface Sides {
  readonly before: number;
  readonly after: number;
}

/** As they are asked where the rows are: results by their numbers; `made` is the number of the one that is made. */
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

/** The face over whatever carries such calls out. */
export function createResultOperations(line: {
  readonly numberOf: (data: ResultData) => number;
  /** A number and the face of a result that a call will make. */
  readonly reserve: () => { readonly made: number; dataOf(columns: readonly StoreColumn[]): ResultData };
  readonly ask: Ask<OperationCalls, CallOptions>;
}): ResultOperations {
  const { numberOf, reserve, ask } = line;
  /** Asks for what makes a result, and adds its face. */
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
