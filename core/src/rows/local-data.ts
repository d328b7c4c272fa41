/** Keeps rows in this thread, for tests and small results. */
import { askThrough } from '../questions/question-map.ts';
import { contextOf, type CallOptions } from './calls.ts';
import { packingOf } from './chunk.ts';
import { openFileStore } from './files/file-store.ts';
import { answerOperation } from './operation-answers.ts';
import { packed } from './page-rows.ts';
import type { ResultDataFactory } from './result-data-factory.ts';
import { createResultData, ResultDisposedError, type ResultData } from './result-data.ts';
import { createResultOperations } from './result-operations.ts';
import { answerRows } from './row-answers.ts';
import type { StoreColumn } from './rows.ts';
import { ResultStore } from './store/result-store.ts';

export function createLocalData(): ResultDataFactory {
  const stores = new Map<number, ResultStore>();
  const numbers = new WeakMap<ResultData, number>();
  let last = 0;
  const dataOf = (number: number, columns: readonly StoreColumn[]): ResultData => {
    const store = stores.get(number);
    const check = () => {
      if (stores.get(number) !== store) throw new ResultDisposedError();
    };
    const data = createResultData(columns, {
      ask: askThrough(async (asked, options: CallOptions | undefined) => {
        if (store === undefined) throw new ResultDisposedError();
        check();
        return await answerRows(store, asked, contextOf(options, check));
      }),
      dispose: () => stores.delete(number),
    });
    numbers.set(data, number);
    return data;
  };
  const operations = createResultOperations({
    numberOf: (data) => numbers.get(data) ?? 0,
    reserve: () => {
      const made = ++last;
      return { made, dataOf: (columns) => dataOf(made, columns) };
    },
    ask: askThrough(
      async (asked, options: CallOptions | undefined) =>
        await answerOperation(stores, asked, contextOf(options)),
    ),
  });
  return {
    ...operations,
    create(columns) {
      const number = ++last;
      stores.set(number, new ResultStore(columns));
      return dataOf(number, columns);
    },
    async createFile(columns, options) {
      const file = await openFileStore(columns, options);
      const packing = packingOf(columns);
      return {
        write: async (rows) => {
          const chunk = packed(rows, packing);
          await file.write(chunk);
          chunk.done?.();
        },
        grow: (more) => {
          const isTaken = file.grow(more);
          if (isTaken) for (const each of packingOf(more)) packing.push(each);
          return Promise.resolve(isTaken);
        },
        finish: () => file.finish(),
        dispose: () => file.close(),
      };
    },
    dispose: () => undefined,
  };
}
