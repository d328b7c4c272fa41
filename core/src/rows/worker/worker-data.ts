/**
 * Keeps the rows of all results in one worker thread. The worker starts with the first result and is replaced if it
 * dies.
 */
import { Worker } from 'node:worker_threads';
import { t } from '#base/texts.ts';
import type { Translations } from '#base/translate.ts';
import { Asking, type AskOptions } from '#core/questions/asking.ts';
import type { AnswerMessage } from '#core/questions/line-messages.ts';
import { askThrough } from '#core/questions/question-map.ts';
import { buffersOf, packingOf } from '../chunk.ts';
import { RowsFileError } from '../files/rows-file-error.ts';
import { packedInSlices } from '../page-rows.ts';
import type { FileData, ResultDataFactory } from '../result-data-factory.ts';
import { createResultData, ResultDisposedError, type ResultData } from '../result-data.ts';
import { createResultOperations } from '../result-operations.ts';
import type { StoreColumn } from '../rows.ts';
import type { FileCalls, WorkerCall, WorkerRequest, WorkerStart } from './worker-calls.ts';

interface Line {
  readonly worker: Worker;
  readonly asking: Asking<WorkerCall>;
}

/**
 * @param script the worker's module: `dist/results-worker.cjs`, or `worker-main.ts` when run from source.
 * @param translations translations of the worker's messages; not needed for English.
 */
export function createWorkerData(script: string | URL, translations: Translations = {}): ResultDataFactory {
  let line: Line | undefined;
  let lastNumber = 0;

  const start = (): Line => {
    const worker = new Worker(script, {
      name: 'identity-query-results',
      workerData: { translations } satisfies WorkerStart,
    });
    const asking = new Asking<WorkerCall>({
      post: (message, transfer) => worker.postMessage(message satisfies WorkerRequest, transfer),
      errorOf,
    });
    const started = { worker, asking };
    worker.on('message', (answer: AnswerMessage) => asking.receive(answer));
    const onEnd = (cause: unknown) => {
      if (line === started) line = undefined;
      asking.fail(
        new Error(t('The rows were lost because their worker stopped. Run the query again.'), { cause }),
      );
    };
    worker.on('error', onEnd);
    worker.on('exit', onEnd);
    // An idle worker must not keep the process alive; pending calls do, through `ref` below.
    worker.unref();
    return started;
  };
  const present = (): Line => (line ??= start());

  /** Calls the worker that holds the target. Rejects if that worker was replaced. */
  const ask = async (owner: Line, call: WorkerCall, options: AskOptions = {}): Promise<unknown> => {
    if (owner !== line) throw new Error(t('The rows were lost. Run the query again.'));
    owner.worker.ref();
    try {
      return await owner.asking.ask(call, options);
    } finally {
      if (!owner.asking.isWaiting) owner.worker.unref();
    }
  };

  const numbers = new WeakMap<ResultData, { readonly result: number; readonly owner: Line }>();
  const dataOf = (result: number, owner: Line, columns: readonly StoreColumn[]): ResultData => {
    let isDisposed = false;
    const data = createResultData(columns, {
      ask: askThrough((asked, options) =>
        isDisposed
          ? Promise.reject(new ResultDisposedError())
          : ask(owner, { of: 'rows', result, asked }, options),
      ),
      dispose: () => {
        if (isDisposed) return;
        isDisposed = true;
        owner.asking.fail(new ResultDisposedError(), (call) => call.of === 'rows' && call.result === result);
        if (owner === line) owner.worker.postMessage({ kind: 'dispose', result } satisfies WorkerRequest);
      },
    });
    numbers.set(data, { result, owner });
    return data;
  };
  const operations = createResultOperations({
    // The results of a dead worker are gone, and its successor reports ID 0 as unknown.
    numberOf: (data) => {
      const known = numbers.get(data);
      return known !== undefined && known.owner === line ? known.result : 0;
    },
    reserve: () => {
      const made = ++lastNumber;
      const owner = present();
      return { made, dataOf: (columns) => dataOf(made, owner, columns) };
    },
    ask: askThrough((asked, options) => ask(present(), { of: 'results', asked }, options)),
  });

  return {
    ...operations,
    create(columns) {
      const result = ++lastNumber;
      const owner = present();
      owner.worker.postMessage({ kind: 'create', result, columns } satisfies WorkerRequest);
      return dataOf(result, owner, columns);
    },
    async createFile(columns, options): Promise<FileData> {
      const file = ++lastNumber;
      const owner = present();
      const packing = packingOf(columns);
      const askFile = askThrough<FileCalls, AskOptions>((asked, how) =>
        ask(owner, { of: 'file', file, asked }, how),
      );
      await askFile('open', { columns, options });
      return {
        async write(rows) {
          const chunk = await packedInSlices(rows, packing);
          const { rowCount, columns: cells } = chunk;
          await askFile('write', { rowCount, columns: cells }, { transfer: buffersOf(chunk) });
          chunk.done?.();
        },
        async grow(more) {
          const isTaken = await askFile('grow', more);
          if (isTaken) for (const each of packingOf(more)) packing.push(each);
          return isTaken;
        },
        finish: () => askFile('finish', undefined),
        async dispose() {
          // If the worker died, its files are already closed.
          if (owner === line) await askFile('close', undefined);
        },
      };
    },
    async dispose() {
      const ending = line;
      line = undefined;
      ending?.asking.fail(new ResultDisposedError());
      await ending?.worker.terminate();
    },
  };
}

function errorOf({ name, message }: { readonly name: string; readonly message: string }): Error {
  switch (name) {
    case 'AbortError':
      return new DOMException(message, name);
    case 'RowsFileError':
      return new RowsFileError(message);
    default:
      return new Error(message);
  }
}
