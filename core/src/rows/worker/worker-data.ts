/** Result rows in one worker thread for all results: started with the first result, replaced when it dies. */
import { Worker } from 'node:worker_threads';
import { buffersOf, packRowsInSlices, type Chunk } from '../chunk.ts';
import {
  createResultData,
  packingOf,
  ResultDisposedError,
  type CallOptions,
  type DataCall,
  type FileData,
  type ResultData,
  type ResultDataFactory,
} from '../result-data.ts';
import { RowsFileError } from '../files/rows-file-error.ts';
import type { FileOptions, FinishedFile } from '../files/rows-file.ts';
import type { StoreColumn } from '../rows.ts';
import { createWholeResults, type WholeCall } from '../stored-results.ts';
import { t } from '../../util/texts.ts';
import type { Translations } from '../../util/translate.ts';

/** What the worker is told. `result` names the store, `file` a file that is written without one. */
export type WorkerRequest =
  | { readonly kind: 'create'; readonly result: number; readonly columns: readonly StoreColumn[] }
  | { readonly kind: 'call'; readonly result: number; readonly id: number; readonly call: DataCall }
  | { readonly kind: 'file'; readonly file: number; readonly id: number; readonly call: FileCall }
  | { readonly kind: 'whole'; readonly id: number; readonly call: WholeCall }
  | { readonly kind: 'stop'; readonly id: number }
  | { readonly kind: 'dispose'; readonly result: number };

export type FileCall =
  | { readonly method: 'open'; readonly columns: readonly StoreColumn[]; readonly options: FileOptions }
  | { readonly method: 'write'; readonly chunk: Chunk }
  | { readonly method: 'grow'; readonly columns: readonly StoreColumn[] }
  | { readonly method: 'finish' }
  | { readonly method: 'close' };

export type WorkerAnswer =
  | { readonly id: number; readonly value: unknown }
  | { readonly id: number; readonly error: string; readonly name: string }
  | { readonly id: number; readonly progress: number };

interface Pending {
  readonly result: number | undefined;
  readonly resolve: (value: unknown) => void;
  readonly reject: (error: Error) => void;
  readonly onProgress: ((rows: number) => void) | undefined;
}

type Message =
  | { readonly kind: 'call'; readonly result: number; readonly call: DataCall }
  | { readonly kind: 'whole'; readonly call: WholeCall }
  | FileMessage;
interface FileMessage {
  readonly kind: 'file';
  readonly file: number;
  readonly call: FileCall;
}

/** What the worker starts with. */
export interface WorkerStart {
  readonly translations: Translations;
}

/**
 * @param script the worker's module: `dist/results-worker.cjs`, or `worker-main.ts` when run from source.
 * @param translations of what the worker says; English needs none.
 */
export function createWorkerData(script: string | URL, translations: Translations = {}): ResultDataFactory {
  const pending = new Map<number, Pending>();
  let worker: Worker | undefined;
  let lastResult = 0;
  let lastCall = 0;

  const fail = (filter: (call: Pending) => boolean, error: Error) => {
    for (const [id, call] of pending) {
      if (!filter(call)) continue;
      pending.delete(id);
      call.reject(error);
    }
  };

  const start = (): Worker => {
    const started = new Worker(script, {
      name: 'identity-query-results',
      workerData: { translations } satisfies WorkerStart,
    });
    started.on('message', (answer: WorkerAnswer) => {
      const call = pending.get(answer.id);
      if ('progress' in answer) {
        call?.onProgress?.(answer.progress);
        return;
      }
      pending.delete(answer.id);
      if ('error' in answer) call?.reject(errorOf(answer));
      else call?.resolve(answer.value);
    });
    const onEnd = (cause: unknown) => {
      if (worker !== started) return;
      worker = undefined;
      fail(
        () => true,
        new Error(t('The rows were lost: their worker ended. Run the query again.'), { cause }),
      );
    };
    started.on('error', onEnd);
    started.on('exit', onEnd);
    // An idle worker must not keep a process alive; pending calls do, through `ref` below.
    started.unref();
    return started;
  };

  const post = (request: WorkerRequest, transfer: readonly ArrayBuffer[] = []) => {
    worker ??= start();
    worker.postMessage(request, transfer);
  };

  /** Asks the worker; `owner` is the one that has what is asked about. */
  const ask = (
    owner: Worker,
    message: Message,
    { signal, onProgress, transfer }: CallOptions & { readonly transfer?: readonly ArrayBuffer[] },
  ): Promise<unknown> => {
    if (owner !== worker) return Promise.reject(new Error(t('The rows were lost. Run the query again.')));
    if (signal?.aborted === true) return Promise.reject(new DOMException('Stopped', 'AbortError'));
    const id = ++lastCall;
    const stop = () => owner === worker && owner.postMessage({ kind: 'stop', id } satisfies WorkerRequest);
    signal?.addEventListener('abort', stop, { once: true });
    return new Promise<unknown>((resolve, reject) => {
      const result = message.kind === 'call' ? message.result : undefined;
      pending.set(id, { result, resolve, reject, onProgress });
      owner.ref();
      owner.postMessage({ ...message, id } satisfies WorkerRequest, transfer ?? []);
    }).finally(() => {
      signal?.removeEventListener('abort', stop);
      if (pending.size === 0) owner.unref();
    });
  };

  const numbers = new WeakMap<ResultData, { readonly result: number; readonly owner: Worker }>();
  const dataOf = (result: number, owner: Worker, columns: readonly StoreColumn[]): ResultData => {
    let isDisposed = false;
    const data = createResultData(columns, {
      send: (call, options) =>
        isDisposed
          ? Promise.reject(new ResultDisposedError())
          : ask(owner, { kind: 'call', result, call }, options),
      dispose: () => {
        if (isDisposed) return;
        isDisposed = true;
        fail((call) => call.result === result, new ResultDisposedError());
        if (owner === worker) post({ kind: 'dispose', result });
      },
    });
    numbers.set(data, { result, owner });
    return data;
  };
  const present = (): Worker => (worker ??= start());
  const whole = createWholeResults({
    // Of a worker that ended nothing is left; its successor says so of a number that it does not know.
    numberOf: (data) => {
      const known = numbers.get(data);
      return known !== undefined && known.owner === worker ? known.result : 0;
    },
    reserve: () => {
      const made = ++lastResult;
      const owner = present();
      return { made, dataOf: (columns) => dataOf(made, owner, columns) };
    },
    send: (call, options) => ask(present(), { kind: 'whole', call }, options),
  });

  return {
    ...whole,
    create(columns) {
      const result = ++lastResult;
      const owner = present();
      post({ kind: 'create', result, columns });
      return dataOf(result, owner, columns);
    },
    async createFile(columns, options): Promise<FileData> {
      const file = ++lastResult;
      worker ??= start();
      const owner = worker;
      const packing = packingOf(columns);
      await ask(owner, { kind: 'file', file, call: { method: 'open', columns, options } }, {});
      return {
        async write(rows) {
          const chunk = await packRowsInSlices(rows, packing);
          const call = { method: 'write', chunk } as const;
          await ask(owner, { kind: 'file', file, call }, { transfer: buffersOf(chunk) });
        },
        async grow(more) {
          const isTaken = await ask(
            owner,
            { kind: 'file', file, call: { method: 'grow', columns: more } },
            {},
          );
          if (isTaken === true) packing.push(...packingOf(more));
          return isTaken === true;
        },
        // The worker answers it so.
        finish: () =>
          ask(owner, { kind: 'file', file, call: { method: 'finish' } }, {}) as Promise<FinishedFile>,
        async dispose() {
          // A worker that ended has closed what it held open.
          if (owner === worker) await ask(owner, { kind: 'file', file, call: { method: 'close' } }, {});
        },
      };
    },
    async dispose() {
      const ending = worker;
      worker = undefined;
      fail(() => true, new ResultDisposedError());
      await ending?.terminate();
    },
  };
}

function errorOf({ error, name }: { readonly error: string; readonly name: string }): Error {
  switch (name) {
    case 'AbortError':
      return new DOMException(error, name);
    case 'RowsFileError':
      return new RowsFileError(error);
    default:
      return new Error(error);
  }
}
