/**
 * Where a result's rows live: behind this interface, in a worker thread of the extension host. Everything answers
 * asynchronously, so that sorting a million rows never holds up the editor's other extensions.
 */
import { buffersOf, packRows, type Chunk } from './chunk.ts';
import { columnKindOf, type ColumnKind } from './column-kind.ts';
import { ResultStore } from './result-store.ts';
import type { CellRange, CellValue, CellWindow, SortKey, StoreColumn } from './rows.ts';
import type { CopyOptions } from './serialize.ts';

export interface WindowRequest {
  readonly firstRow: number;
  readonly rowCount: number;
  readonly columns: readonly number[];
}

/** The rows of one result. Calls are carried out in the order they are made. */
export interface ResultData {
  /** Adds rows at the end and gives up any order. Resolves with what is known of the columns then. */
  append(rows: readonly (readonly unknown[])[]): Promise<AppendOutcome>;
  sort(keys: readonly SortKey[]): Promise<void>;
  window(request: WindowRequest): Promise<CellWindow>;
  cell(viewRow: number, column: number): Promise<CellValue>;
  copy(range: CellRange, options: CopyOptions): Promise<string>;
  /** Frees the rows. Calls that are under way reject. */
  dispose(): void;
}

export interface AppendOutcome {
  readonly rowCount: number;
  readonly sizeBytes: number;
  readonly kinds: readonly ColumnKind[];
}

export interface ResultDataFactory {
  create(columns: readonly StoreColumn[]): ResultData;
  dispose(): void | Promise<void>;
}

/** One call, as it crosses to the worker. */
export type DataCall =
  | { readonly method: 'append'; readonly chunk: Chunk }
  | { readonly method: 'sort'; readonly keys: readonly SortKey[] }
  | { readonly method: 'window'; readonly request: WindowRequest }
  | { readonly method: 'cell'; readonly viewRow: number; readonly column: number }
  | { readonly method: 'copy'; readonly range: CellRange; readonly options: CopyOptions };

/** Carries out a call on a store; the worker and the in-process form both go through here. */
export function carryOut(store: ResultStore, call: DataCall): unknown {
  switch (call.method) {
    case 'append': {
      store.append(call.chunk);
      const kinds = store.columns.map((_, column) => store.kindOf(column));
      return { rowCount: store.rowCount, sizeBytes: store.sizeBytes, kinds } satisfies AppendOutcome;
    }
    case 'sort':
      store.sort(call.keys);
      return undefined;
    case 'window':
      return store.window(call.request);
    case 'cell':
      return store.cell(call.viewRow, call.column);
    case 'copy':
      return store.copy(call.range, call.options);
    default:
      return call satisfies never;
  }
}

/** The typed face over whatever carries a call out. */
export function createResultData(
  columns: readonly StoreColumn[],
  channel: {
    readonly send: (call: DataCall, transfer: readonly ArrayBuffer[]) => Promise<unknown>;
    readonly dispose: () => void;
  },
): ResultData {
  const packing = columns.map((column) => ({ isJson: columnKindOf(column.type) === 'json' }));
  // The answers come from `carryOut`, whose cases return these types.
  return {
    append: (rows) => {
      const chunk = packRows(rows, packing);
      return channel.send({ method: 'append', chunk }, buffersOf(chunk)) as Promise<AppendOutcome>;
    },
    sort: (keys) => channel.send({ method: 'sort', keys }, []) as Promise<undefined>,
    window: (request) => channel.send({ method: 'window', request }, []) as Promise<CellWindow>,
    cell: (viewRow, column) => channel.send({ method: 'cell', viewRow, column }, []) as Promise<CellValue>,
    copy: (range, options) => channel.send({ method: 'copy', range, options }, []) as Promise<string>,
    dispose: () => channel.dispose(),
  };
}

/** Rows in this thread: for small results where no worker can be had. */
export function createLocalData(): ResultDataFactory {
  return {
    create(columns) {
      let store: ResultStore | undefined = new ResultStore(columns);
      return createResultData(columns, {
        send: (call) =>
          store === undefined
            ? Promise.reject(new ResultDisposedError())
            : Promise.resolve(carryOut(store, call)),
        dispose: () => (store = undefined),
      });
    },
    dispose: () => undefined,
  };
}

/** The rows were freed while something still asked for them: expected when a result is closed or replaced. */
export class ResultDisposedError extends Error {
  constructor() {
    super('The result was closed');
    this.name = 'ResultDisposedError';
  }
}
