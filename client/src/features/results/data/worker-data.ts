/** Result rows in one worker thread for all results: started with the first result, replaced when it dies. */
import { Worker } from 'node:worker_threads';
import {
  createResultData,
  ResultDisposedError,
  type DataCall,
  type ResultDataFactory,
} from './result-data.ts';
import type { StoreColumn } from './rows.ts';

/** What the worker is told. `result` names the store; calls on one result are answered in order. */
export type WorkerRequest =
  | { readonly kind: 'create'; readonly result: number; readonly columns: readonly StoreColumn[] }
  | { readonly kind: 'call'; readonly result: number; readonly id: number; readonly call: DataCall }
  | { readonly kind: 'dispose'; readonly result: number };

export type WorkerAnswer =
  { readonly id: number; readonly value: unknown } | { readonly id: number; readonly error: string };

interface Pending {
  readonly result: number;
  readonly resolve: (value: unknown) => void;
  readonly reject: (error: Error) => void;
}

/** @param script the worker's module: `dist/results-worker.cjs`, or `worker-main.ts` when run from source. */
export function createWorkerData(script: string | URL): ResultDataFactory {
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
    const started = new Worker(script, { name: 'identity-query-results' });
    started.on('message', (answer: WorkerAnswer) => {
      const call = pending.get(answer.id);
      pending.delete(answer.id);
      if ('error' in answer) call?.reject(new Error(answer.error));
      else call?.resolve(answer.value);
    });
    const onEnd = (cause: unknown) => {
      if (worker !== started) return;
      worker = undefined;
      fail(() => true, new Error('The rows were lost: their worker ended. Run the query again.', { cause }));
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

  return {
    create(columns) {
      const result = ++lastResult;
      let owner: Worker | undefined;
      let isDisposed = false;
      post({ kind: 'create', result, columns });
      owner = worker;
      return createResultData(columns, {
        send: (call, transfer) => {
          if (isDisposed) return Promise.reject(new ResultDisposedError());
          if (owner !== worker) return Promise.reject(new Error('The rows were lost. Run the query again.'));
          const id = ++lastCall;
          return new Promise<unknown>((resolve, reject) => {
            pending.set(id, { result, resolve, reject });
            owner?.ref();
            post({ kind: 'call', result, id, call }, transfer);
          }).finally(() => {
            if (pending.size === 0) owner?.unref();
          });
        },
        dispose: () => {
          if (isDisposed) return;
          isDisposed = true;
          fail((call) => call.result === result, new ResultDisposedError());
          if (owner !== undefined && owner === worker) post({ kind: 'dispose', result });
          owner = undefined;
        },
      });
    },
    async dispose() {
      const ending = worker;
      worker = undefined;
      fail(() => true, new ResultDisposedError());
      await ending?.terminate();
    },
  };
}
