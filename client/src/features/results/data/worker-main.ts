/** The worker's side: one store a result, one call after the other. */
import { parentPort } from 'node:worker_threads';
import { carryOut } from './result-data.ts';
import { ResultStore } from './result-store.ts';
import type { WorkerAnswer, WorkerRequest } from './worker-data.ts';

const stores = new Map<number, ResultStore>();

parentPort?.on('message', (request: WorkerRequest) => {
  switch (request.kind) {
    case 'create':
      stores.set(request.result, new ResultStore(request.columns));
      return;
    case 'dispose':
      stores.delete(request.result);
      return;
    case 'call':
      parentPort?.postMessage(answer(request));
      return;
    default:
      request satisfies never;
  }
});

function answer(request: Extract<WorkerRequest, { kind: 'call' }>): WorkerAnswer {
  const store = stores.get(request.result);
  if (store === undefined) return { id: request.id, error: 'No such result' };
  try {
    return { id: request.id, value: carryOut(store, request.call) };
  } catch (error) {
    return { id: request.id, error: error instanceof Error ? error.message : 'Unknown failure' };
  }
}
