/** Implements each call on the rows of a result. Runs in the worker or in this thread. */
import { answerWith, type Answers, type Asked } from '../questions/question-map.ts';
import type { CallContext } from './calls.ts';
import type { FileColumn, FinishedFile } from './files/rows-encoder.ts';
import { openRowsFile } from './files/rows-file.ts';
import type { AppendOutcome, ExportRequest, StoreCalls } from './row-calls.ts';
import type { ResultStore } from './store/result-store.ts';

interface RowContext extends CallContext {
  readonly store: ResultStore;
}

/** Maximum number of values offered in a filter. */
const valuesMax = 1_000;

const answers: Answers<StoreCalls, RowContext> = {
  append: (chunk, { store }) => {
    store.append(chunk);
    return outcomeOf(store);
  },
  grow: (columns, { store }) => {
    store.grow(columns);
    return undefined;
  },
  sortAndFilter: (wanted, { store }) => store.sortAndFilter(wanted),
  rearrange: (wanted, { store }) => store.rearrange(wanted),
  window: (request, { store }) => store.window(request),
  cell: ({ row, column }, { store }) => store.cell(row, column),
  records: ({ rows }, { store }) => store.records(rows),
  values: ({ column }, { store }) => store.values(column, valuesMax),
  find: (request, { store, pause }) => store.find(request, pause),
  chart: (spec, { store, pause }) => store.chart(spec, pause),
  distinct: (range, { store, pause }) => store.distinct(range, pause),
  aggregate: (range, { store, pause }) => store.aggregate(range, pause),
  group: (spec, { store, pause }) => store.group(spec, pause),
  copy: ({ range, options }, { store }) => store.copy(range, options),
  digest: ({ rowCount }, { store, ...context }) => store.digest(rowCount, context),
  export: (request, { store, ...context }) => exportRows(store, request, context),
};

export function answerRows(store: ResultStore, asked: Asked<StoreCalls>, context: CallContext): unknown {
  return answerWith(answers, asked, { ...context, store });
}

export function outcomeOf(store: ResultStore): AppendOutcome {
  const { rowCount, viewRowCount, sizeBytes } = store;
  return { rowCount, viewRowCount, sizeBytes, kinds: store.columns.map((_, column) => store.kindOf(column)) };
}

/** Rows to write between pauses; this takes tens of milliseconds. */
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
  // The batches are a snapshot, so sorting or adding rows later does not affect the file.
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
