/**
 * Where a result's rows live: behind this interface, in a worker thread of the extension host. Everything answers
 * asynchronously, so that sorting a million rows never holds up the editor's other extensions.
 */
import { buffersOf, packRows, packRowsInSlices, type Chunk } from './chunk.ts';
import { columnKindOf, type ColumnKind } from './column-kind.ts';
import { ResultStore, type Pause } from './store/result-store.ts';
import { openRowsFile, type FileColumn, type FileOptions, type FinishedFile } from './files/rows-file.ts';
import type {
  Aggregate,
  Arrangement,
  CellRange,
  CellValue,
  CellWindow,
  ChartData,
  ChartSpec,
  ColumnValues,
  FindAnswer,
  FindRequest,
  RowsDigest,
  StoreColumn,
} from './rows.ts';
import type { CellRow, TextOptions } from './files/serialize.ts';
import { carryOutWhole, createWholeResults, outcomeOf, type WholeResults } from './stored-results.ts';

export interface WindowRequest {
  readonly firstRow: number;
  readonly rowCount: number;
  readonly columns: readonly number[];
}

export interface ExportRequest {
  /** `view` for the rows that are looked at in their order, `all` for all that are here as the service sent them. */
  readonly scope: 'view' | 'all';
  /** In the order they are written. */
  readonly columns: readonly number[];
  /** Of the rows that are looked at; undefined for all of them. */
  readonly rows?: { readonly first: number; readonly last: number } | undefined;
  readonly file: FileOptions;
}

export interface CallOptions {
  /** Stops the call at its next pause: it rejects with an AbortError. */
  readonly signal?: AbortSignal | undefined;
  /** Rows that are done. */
  readonly onProgress?: ((rows: number) => void) | undefined;
  /** Why it takes its time; said of the source of the rows, not of what is done with them. */
  readonly onNote?: ((note: string) => void) | undefined;
}

/** The rows of one result. Calls are carried out in the order they are made; long ones let shorter ones pass. */
export interface ResultData {
  /** Adds rows at the end and gives up any order. Resolves with what is known of the columns then. */
  append(rows: readonly (readonly unknown[])[]): Promise<AppendOutcome>;
  /** Adds columns behind the others, for rows that are added from now on; in all others they are NULL. */
  grow(columns: readonly StoreColumn[]): void;
  /** @returns rows that are looked at then. */
  arrange(arrangement: Arrangement): Promise<number>;
  window(request: WindowRequest): Promise<CellWindow>;
  cell(viewRow: number, column: number): Promise<CellValue>;
  copy(range: CellRange, options: TextOptions): Promise<string>;
  values(column: number, limit: number): Promise<ColumnValues>;
  find(request: FindRequest, options?: CallOptions): Promise<FindAnswer>;
  aggregate(range: CellRange, options?: CallOptions): Promise<Aggregate>;
  chart(spec: ChartSpec, options?: CallOptions): Promise<ChartData>;
  /** Of the first rows in the order of the service. */
  digest(rowCount: number, options?: CallOptions): Promise<RowsDigest>;
  /** Writes a file where nothing is yet. What a stopped or failed call has written is left to the caller. */
  export(request: ExportRequest, options?: CallOptions): Promise<FinishedFile>;
  /** Frees the rows. Calls that are under way reject. */
  dispose(): void;
}

export interface AppendOutcome {
  readonly rowCount: number;
  /** Rows that meet the filters. */
  readonly viewRowCount: number;
  readonly sizeBytes: number;
  readonly kinds: readonly ColumnKind[];
}

/** Rows that go into a file page by page and are kept nowhere. */
export interface FileData {
  write(rows: readonly (readonly unknown[])[]): Promise<void>;
  /** Adds columns behind the others for rows that follow. @returns false where the format cannot. */
  grow(columns: readonly StoreColumn[]): Promise<boolean>;
  finish(): Promise<FinishedFile>;
  /** Closes the file, half-written where it was not finished. */
  dispose(): Promise<void>;
}

export interface ResultDataFactory extends WholeResults {
  create(columns: readonly StoreColumn[]): ResultData;
  createFile(columns: readonly StoreColumn[], file: FileOptions): Promise<FileData>;
  dispose(): void | Promise<void>;
}

/** One call, as it crosses to the worker. */
export type DataCall =
  | { readonly method: 'append'; readonly chunk: Chunk }
  | { readonly method: 'grow'; readonly columns: readonly StoreColumn[] }
  | { readonly method: 'arrange'; readonly arrangement: Arrangement }
  | { readonly method: 'window'; readonly request: WindowRequest }
  | { readonly method: 'cell'; readonly viewRow: number; readonly column: number }
  | { readonly method: 'copy'; readonly range: CellRange; readonly options: TextOptions }
  | { readonly method: 'values'; readonly column: number; readonly limit: number }
  | { readonly method: 'find'; readonly request: FindRequest }
  | { readonly method: 'aggregate'; readonly range: CellRange }
  | { readonly method: 'chart'; readonly spec: ChartSpec }
  | { readonly method: 'digest'; readonly rowCount: number }
  | { readonly method: 'export'; readonly request: ExportRequest };

/** What a long call is given by whoever carries it out. */
export interface CallContext {
  /** Lets others be answered; rejects when the call was stopped. */
  readonly pause: Pause;
  readonly progress: (rows: number) => void;
}

/** Carries out a call on a store; the worker and the in-process form both go through here. */
export function carryOut(store: ResultStore, call: DataCall, context: CallContext): unknown {
  switch (call.method) {
    case 'append': {
      store.append(call.chunk);
      return outcomeOf(store);
    }
    case 'grow':
      store.grow(call.columns);
      return undefined;
    case 'arrange':
      return store.arrange(call.arrangement);
    case 'window':
      return store.window(call.request);
    case 'cell':
      return store.cell(call.viewRow, call.column);
    case 'copy':
      return store.copy(call.range, call.options);
    case 'values':
      return store.values(call.column, call.limit);
    case 'find':
      return store.find(call.request, context.pause);
    case 'aggregate':
      return store.aggregate(call.range, context.pause);
    case 'chart':
      return store.chart(call.spec, context.pause);
    case 'digest':
      return store.digest(call.rowCount, context);
    case 'export':
      return exportRows(store, call.request, context);
    default:
      return call satisfies never;
  }
}

/** Rows that are written between two pauses, some tens of milliseconds. */
const rowsAtATime = 2_000;

async function exportRows(
  store: ResultStore,
  { scope, columns, rows, file: options }: ExportRequest,
  { pause, progress }: CallContext,
): Promise<FinishedFile> {
  const known = columns.filter((column) => store.columns[column] !== undefined);
  const fileColumns = known.map((column): FileColumn => {
    const { name = '', type = '' } = store.columns[column] ?? {};
    return { name, type, kind: store.kindOf(column) };
  });
  // The rows of this moment: what is sorted or added later is not in the file.
  const batches = store.batches(scope, { columns: known, ...rows }, rowsAtATime);
  const file = await openRowsFile(fileColumns, options);
  let done = 0;
  try {
    for (const batch of batches) {
      await file.write(batch);
      done += batch.length;
      progress(done);
      await pause();
    }
    return await file.finish();
  } finally {
    await file.close();
  }
}

/** The typed face over whatever carries a call out. */
export function createResultData(
  columns: readonly StoreColumn[],
  channel: {
    readonly send: (
      call: DataCall,
      options: CallOptions & { readonly transfer?: readonly ArrayBuffer[] },
    ) => Promise<unknown>;
    readonly dispose: () => void;
  },
): ResultData {
  const packing = packingOf(columns);
  let packed: Promise<unknown> = Promise.resolve();
  // The answers come from `carryOut`, whose cases return these types.
  return {
    append: async (rows) => {
      // One after the other: packing pauses now and then.
      const chunk = packed.then(() => packRowsInSlices(rows, packing));
      packed = chunk.catch(() => undefined);
      const ready = await chunk;
      const sent = channel.send({ method: 'append', chunk: ready }, { transfer: buffersOf(ready) });
      return (await sent) as AppendOutcome;
    },
    grow: (more) => {
      // Between the rows that were packed without them and those that are packed with them.
      packed = packed.then(() => {
        packing.push(...packingOf(more));
        channel.send({ method: 'grow', columns: more }, {}).catch(() => undefined); // the next append fails too
      });
    },
    arrange: (arrangement) => channel.send({ method: 'arrange', arrangement }, {}) as Promise<number>,
    window: (request) => channel.send({ method: 'window', request }, {}) as Promise<CellWindow>,
    cell: (viewRow, column) => channel.send({ method: 'cell', viewRow, column }, {}) as Promise<CellValue>,
    copy: (range, options) => channel.send({ method: 'copy', range, options }, {}) as Promise<string>,
    values: (column, limit) => channel.send({ method: 'values', column, limit }, {}) as Promise<ColumnValues>,
    find: (request, options = {}) =>
      channel.send({ method: 'find', request }, options) as Promise<FindAnswer>,
    aggregate: (range, options = {}) =>
      channel.send({ method: 'aggregate', range }, options) as Promise<Aggregate>,
    chart: (spec, options = {}) => channel.send({ method: 'chart', spec }, options) as Promise<ChartData>,
    digest: (rowCount, options = {}) =>
      channel.send({ method: 'digest', rowCount }, options) as Promise<RowsDigest>,
    export: (request, options = {}) =>
      channel.send({ method: 'export', request }, options) as Promise<FinishedFile>,
    dispose: () => channel.dispose(),
  };
}

export function packingOf(columns: readonly StoreColumn[]): { readonly isJson: boolean }[] {
  return columns.map((column) => ({ isJson: columnKindOf(column.type) === 'json' }));
}

/** Rows in this thread: for tests and small results. */
export function createLocalData(): ResultDataFactory {
  const stores = new Map<number, ResultStore>();
  const numbers = new WeakMap<ResultData, number>();
  let last = 0;
  const dataOf = (number: number, columns: readonly StoreColumn[]): ResultData => {
    const store = stores.get(number);
    const data = createResultData(columns, {
      send: async (call, { signal, onProgress }) => {
        if (store === undefined || stores.get(number) !== store) throw new ResultDisposedError();
        const pause = async () => {
          await new Promise((resolve) => setImmediate(resolve));
          if (stores.get(number) !== store) throw new ResultDisposedError();
          signal?.throwIfAborted();
        };
        return await carryOut(store, call, { pause, progress: (rows) => onProgress?.(rows) });
      },
      dispose: () => stores.delete(number),
    });
    numbers.set(data, number);
    return data;
  };
  const whole = createWholeResults({
    numberOf: (data) => numbers.get(data) ?? 0,
    reserve: () => {
      const made = ++last;
      return { made, dataOf: (columns) => dataOf(made, columns) };
    },
    send: async (call, { signal, onProgress }) => {
      const pause = async () => {
        await new Promise((resolve) => setImmediate(resolve));
        signal?.throwIfAborted();
      };
      return await carryOutWhole(stores, call, { pause, progress: (rows) => onProgress?.(rows) });
    },
  });
  return {
    ...whole,
    create(columns) {
      const number = ++last;
      stores.set(number, new ResultStore(columns));
      return dataOf(number, columns);
    },
    async createFile(columns, options) {
      const file = await openFileStore(columns, options);
      const packing = packingOf(columns);
      return {
        write: (rows) => file.write(packRows(rows, packing)),
        grow: (more) => {
          const isTaken = file.grow(more);
          if (isTaken) packing.push(...packingOf(more));
          return Promise.resolve(isTaken);
        },
        finish: () => file.finish(),
        dispose: () => file.close(),
      };
    },
    dispose: () => undefined,
  };
}

/** Writes packed rows to a file; in the worker and in this thread. */
export async function openFileStore(columns: readonly StoreColumn[], options: FileOptions) {
  const file = await openRowsFile(fileColumnsOf(columns), options);
  let known = columns;
  return {
    grow(more: readonly StoreColumn[]): boolean {
      const isTaken = file.grow(fileColumnsOf(more));
      if (isTaken) known = [...known, ...more];
      return isTaken;
    },
    async write(chunk: Chunk): Promise<void> {
      for (const batch of batchesOf(known, chunk)) await file.write(batch);
    },
    finish: () => file.finish(),
    close: () => file.close(),
  };
}

/** Columns as file formats want them. */
export function fileColumnsOf(columns: readonly StoreColumn[]): readonly FileColumn[] {
  return columns.map(({ name, type }) => ({ name, type, kind: columnKindOf(type) }));
}

/** The cells of packed rows as texts, some rows at a time. */
export function batchesOf(columns: readonly StoreColumn[], chunk: Chunk): Iterable<readonly CellRow[]> {
  const store = new ResultStore(columns);
  store.append(chunk);
  const all = columns.map((_, column) => column);
  return store.batches('all', { columns: all }, rowsAtATime);
}

/** The rows were freed while something still asked for them: expected when a result is closed or replaced. */
export class ResultDisposedError extends Error {
  constructor() {
    super('The result was closed');
    this.name = 'ResultDisposedError';
  }
}
