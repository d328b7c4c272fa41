/**
 * What is done with whole results where their rows are: snapshots, comparisons, files that are read back. The worker and the
 * in-process form both go through here.
 */
import type { ColumnKind } from './column-kind.ts';
import { compareStores } from './compare/diff-store.ts';
import type { ColumnPair, DiffSpec, DiffSummary } from './compare/diff.ts';
import { suggestKeys } from './compare/suggest-keys.ts';
import type { AppendOutcome, CallContext, CallOptions, ResultData } from './result-data.ts';
import { keepRows, readKeptRows } from './files/kept-rows.ts';
import { readTextRows, type TextRowsFormat } from './files/text-rows.ts';
import type { ResultStore } from './store/result-store.ts';
import type { StoreColumn } from './rows.ts';
import { t } from '../util/texts.ts';

export interface RowsFileSource {
  readonly path: string;
  /** `kept`: as `keep` wrote it. */
  readonly format: 'kept' | TextRowsFormat;
  /** More rows are not read. */
  readonly rowLimit: number;
  /** What stands for NULL in CSV, where it is not quoted. */
  readonly nullText: string;
  /** Whether an apostrophe in front of what a spreadsheet would calculate is taken away, as it was put there. */
  readonly isGuarded: boolean;
}

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

/** What whole results can do beside their rows' own calls; part of a ResultDataFactory. */
export interface WholeResults {
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
  ): Promise<number[]>;
  /** @throws RowsFileError when the file does not hold rows. */
  read(file: RowsFileSource, options?: CallOptions): Promise<HeldRows>;
  /** Writes all rows where nothing is yet. @returns bytes. */
  keep(data: ResultData, path: string, options?: CallOptions): Promise<number>;
}

/** One call about whole results, as it crosses to the worker; `made` is the number of the result that it makes. */
export type WholeCall =
  | { readonly method: 'fork'; readonly of: number; readonly made: number }
  | {
      readonly method: 'compare';
      readonly before: number;
      readonly after: number;
      readonly made: number;
      readonly spec: DiffSpec;
    }
  | {
      readonly method: 'suggestKeys';
      readonly before: number;
      readonly after: number;
      readonly pairs: readonly ColumnPair[];
    }
  | { readonly method: 'read'; readonly made: number; readonly file: RowsFileSource }
  | { readonly method: 'keep'; readonly of: number; readonly path: string };

export interface MadeStore {
  readonly columns: readonly StoreColumn[];
  readonly outcome: AppendOutcome;
  readonly isCut: boolean;
  readonly summary?: DiffSummary;
}

export async function carryOutWhole(
  stores: Map<number, ResultStore>,
  call: WholeCall,
  context: CallContext,
): Promise<MadeStore | number[] | number> {
  const storeOf = (id: number) => {
    const store = stores.get(id);
    if (store === undefined) throw new Error(t('The rows are not here any more. Run the query again.'));
    return store;
  };
  switch (call.method) {
    case 'fork': {
      const fork = storeOf(call.of).fork();
      stores.set(call.made, fork);
      return made(fork);
    }
    case 'compare': {
      const sides = { before: storeOf(call.before), after: storeOf(call.after) };
      const { store, summary } = await compareStores(sides, call.spec, context);
      stores.set(call.made, store);
      return { ...made(store), summary };
    }
    case 'suggestKeys': {
      const sides = { before: storeOf(call.before).source, after: storeOf(call.after).source };
      return await suggestKeys(sides, call.pairs, context);
    }
    case 'read': {
      const { format } = call.file;
      const read =
        format === 'kept'
          ? await readKeptRows(call.file, context)
          : await readTextRows({ ...call.file, format }, context);
      stores.set(call.made, read.store);
      return { ...made(read.store), isCut: read.isCut };
    }
    case 'keep':
      return await keepRows(storeOf(call.of), call.path, context);
    default:
      return call satisfies never;
  }
}

function made(store: ResultStore): MadeStore {
  return { columns: store.columns, outcome: outcomeOf(store), isCut: false };
}

export function outcomeOf(store: ResultStore): AppendOutcome {
  const { rowCount, viewRowCount, sizeBytes } = store;
  const kinds = store.columns.map((_, column): ColumnKind => store.kindOf(column));
  return { rowCount, viewRowCount, sizeBytes, kinds };
}

/** The typed face over whatever carries such calls out. */
export function createWholeResults(channel: {
  readonly numberOf: (data: ResultData) => number;
  /** A number and the face of a result that a call will make. */
  readonly reserve: () => { readonly made: number; dataOf(columns: readonly StoreColumn[]): ResultData };
  readonly send: (call: WholeCall, options: CallOptions) => Promise<unknown>;
}): WholeResults {
  const { numberOf, reserve, send } = channel;
  // The answers come from `carryOutWhole`, whose cases return these types.
  const making = async (callOf: (number: number) => WholeCall, options: CallOptions) => {
    const place = reserve();
    const answer = (await send(callOf(place.made), options)) as MadeStore;
    return { ...answer, data: place.dataOf(answer.columns) };
  };
  return {
    fork: (data) => making((number) => ({ method: 'fork', of: numberOf(data), made: number }), {}),
    async compare({ before, after }, spec, options = {}) {
      const sides = { before: numberOf(before), after: numberOf(after) };
      const answer = await making((number) => ({ method: 'compare', ...sides, made: number, spec }), options);
      const { summary } = answer;
      if (summary === undefined) throw new Error('A comparison without a summary');
      return { ...answer, summary };
    },
    suggestKeys: ({ before, after }, pairs, options = {}) =>
      send(
        { method: 'suggestKeys', before: numberOf(before), after: numberOf(after), pairs },
        options,
      ) as Promise<number[]>,
    read: (file, options = {}) => making((number) => ({ method: 'read', made: number, file }), options),
    keep: (data, path, options = {}) =>
      send({ method: 'keep', of: numberOf(data), path }, options) as Promise<number>,
  };
}
