/** Entry point of the worker. Keeps one store per result and runs calls in order; long calls yield to others. */
import { parentPort, workerData } from 'node:worker_threads';
import { setTranslations } from '#base/texts.ts';
import { Answering, type AnswerContext } from '#core/questions/answering.ts';
import { answerWith, type Answers } from '#core/questions/question-map.ts';
import { contextOf } from '../calls.ts';
import { openFileStore, type FileStore } from '../files/file-store.ts';
import { answerOperation } from '../operation-answers.ts';
import { answerRows } from '../row-answers.ts';
import { ResultStore } from '../store/result-store.ts';
import type { FileCalls, WorkerCall, WorkerRequest, WorkerStart } from './worker-calls.ts';

setTranslations((workerData as WorkerStart).translations); // set by `createWorkerData`

const stores = new Map<number, ResultStore>();
const files = new Map<number, FileStore>();
const answering = new Answering<WorkerCall>({
  post: (message) => parentPort?.postMessage(message),
  answer,
});

parentPort?.on('message', (request: WorkerRequest) => {
  switch (request.kind) {
    case 'create':
      stores.set(request.result, new ResultStore(request.columns));
      return;
    case 'dispose':
      stores.delete(request.result);
      return;
    case 'ask':
    case 'stop':
      void answering.receive(request);
      return;
    default:
      request satisfies never;
  }
});

function answer(call: WorkerCall, { signal, progress }: AnswerContext): unknown {
  const options = { signal, onProgress: progress };
  switch (call.of) {
    case 'rows': {
      const store = stores.get(call.result);
      if (store === undefined) throw new Error('No such result');
      const check = () => {
        if (stores.get(call.result) !== store) throw new DOMException('Closed', 'AbortError');
      };
      return answerRows(store, call.asked, contextOf(options, check));
    }
    case 'results':
      return answerOperation(stores, call.asked, contextOf(options));
    case 'file':
      return answerWith(fileAnswers, call.asked, call.file);
    default:
      return call satisfies never;
  }
}

const fileAnswers: Answers<FileCalls, number> = {
  async open({ columns, options }, id) {
    files.set(id, await openFileStore(columns, options));
    return undefined;
  },
  async write(chunk, id) {
    await fileOf(id).write(chunk);
    return undefined;
  },
  grow: (columns, id) => fileOf(id).grow(columns),
  finish: (_, id) => fileOf(id).finish(),
  async close(_, id) {
    const file = fileOf(id);
    files.delete(id);
    await file.close();
    return undefined;
  },
};

function fileOf(id: number): FileStore {
  const file = files.get(id);
  if (file === undefined) throw new Error('No such file');
  return file;
}
