/** The worker's side: one store a result, one call after the other; long calls let others pass when they pause. */
import { parentPort, workerData } from 'node:worker_threads';
import { setTranslations } from '../../util/texts.ts';
import { carryOut, openFileStore, type CallContext, type DataCall } from '../result-data.ts';
import { ResultStore } from '../store/result-store.ts';
import { carryOutWhole } from '../stored-results.ts';
import type { FileCall, WorkerAnswer, WorkerRequest, WorkerStart } from './worker-data.ts';

setTranslations((workerData as WorkerStart).translations); // `createWorkerData` gives them

const stores = new Map<number, ResultStore>();
const files = new Map<number, Awaited<ReturnType<typeof openFileStore>>>();
/** Calls that were told to stop. */
const stopped = new Set<number>();
const running = new Set<number>();

parentPort?.on('message', (request: WorkerRequest) => {
  switch (request.kind) {
    case 'create':
      stores.set(request.result, new ResultStore(request.columns));
      return;
    case 'dispose':
      stores.delete(request.result);
      return;
    case 'stop':
      if (running.has(request.id)) stopped.add(request.id);
      return;
    case 'call':
      void answer(request.id, () => callStore(request));
      return;
    case 'whole':
      void answer(request.id, () => carryOutWhole(stores, request.call, contextOf(request.id)));
      return;
    case 'file':
      void answer(request.id, () => callFile(request.file, request.call));
      return;
    default:
      request satisfies never;
  }
});

function post(message: WorkerAnswer): void {
  parentPort?.postMessage(message);
}

async function answer(id: number, carryOutCall: () => unknown): Promise<void> {
  running.add(id);
  try {
    // A plain value is answered at once: the next message must not pass it.
    const outcome = carryOutCall();
    post({ id, value: outcome instanceof Promise ? await outcome : outcome });
  } catch (error) {
    const { name, message } = error instanceof Error ? error : new Error('Unknown failure');
    post({ id, error: message, name });
  } finally {
    running.delete(id);
    stopped.delete(id);
  }
}

function callStore({
  result,
  id,
  call,
}: {
  readonly result: number;
  readonly id: number;
  readonly call: DataCall;
}) {
  const store = stores.get(result);
  if (store === undefined) throw new Error('No such result');
  return carryOut(
    store,
    call,
    contextOf(id, () => stores.get(result) === store),
  );
}

function contextOf(id: number, isThere: () => boolean = () => true): CallContext {
  return {
    pause: async () => {
      await new Promise((resolve) => setImmediate(resolve));
      if (stopped.has(id) || !isThere()) throw new DOMException('Stopped', 'AbortError');
    },
    progress: (rows) => post({ id, progress: rows }),
  };
}

async function callFile(id: number, call: FileCall): Promise<unknown> {
  if (call.method === 'open') {
    files.set(id, await openFileStore(call.columns, call.options));
    return undefined;
  }
  const file = files.get(id);
  if (file === undefined) throw new Error('No such file');
  switch (call.method) {
    case 'write':
      await file.write(call.chunk);
      return undefined;
    case 'grow':
      return file.grow(call.columns);
    case 'finish':
      return await file.finish();
    case 'close':
      files.delete(id);
      await file.close();
      return undefined;
    default:
      return call satisfies never;
  }
}
