/** Implements each operation on the stores that hold the rows. Runs in the worker or in this thread. */
import { t } from '#base/texts.ts';
import { answerWith, type Answers, type Asked } from '../questions/question-map.ts';
import type { CallContext } from './calls.ts';
import { compareStores } from './compare/diff-store.ts';
import { suggestKeys } from './compare/suggest-keys.ts';
import { keepRows, readKeptRows } from './files/kept-rows.ts';
import { readTextRows } from './files/text-rows.ts';
import type { MadeResult, OperationCalls } from './result-operations.ts';
import { outcomeOf } from './row-answers.ts';
import type { ResultStore } from './store/result-store.ts';

interface OperationContext extends CallContext {
  readonly stores: Map<number, ResultStore>;
}

const answers: Answers<OperationCalls, OperationContext> = {
  fork({ of, made }, { stores }) {
    const fork = storeOf(stores, of).fork();
    stores.set(made, fork);
    return resultOf(fork);
  },
  async compare({ before, after, made, spec }, { stores, ...context }) {
    const sides = { before: storeOf(stores, before), after: storeOf(stores, after) };
    const { store, summary } = await compareStores(sides, spec, context);
    stores.set(made, store);
    return { ...resultOf(store), summary };
  },
  suggestKeys({ before, after, pairs }, { stores, ...context }) {
    const sides = { before: storeOf(stores, before).source, after: storeOf(stores, after).source };
    return suggestKeys(sides, pairs, context);
  },
  async read({ made, file }, { stores, ...context }) {
    const { format } = file;
    const read =
      format === 'kept'
        ? await readKeptRows(file, context)
        : await readTextRows({ ...file, format }, context);
    stores.set(made, read.store);
    return { ...resultOf(read.store), isCut: read.isCut };
  },
  keep: ({ of, path }, { stores, ...context }) => keepRows(storeOf(stores, of), path, context),
};

export function answerOperation(
  stores: Map<number, ResultStore>,
  asked: Asked<OperationCalls>,
  context: CallContext,
): unknown {
  return answerWith(answers, asked, { ...context, stores });
}

function storeOf(stores: ReadonlyMap<number, ResultStore>, id: number): ResultStore {
  const store = stores.get(id);
  if (store === undefined) throw new Error(t('The rows are gone. Run the query again.'));
  return store;
}

function resultOf(store: ResultStore): MadeResult {
  return { columns: store.columns, outcome: outcomeOf(store), isCut: false };
}
