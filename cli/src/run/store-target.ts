/** A target that keeps the rows of a run in the worker, for commands that compute something from all of them. */
import type { ResultDataFactory } from '#core/rows/result-data-factory.ts';
import type { ResultData } from '#core/rows/result-data.ts';
import type { HeldRows } from '#core/rows/result-operations.ts';
import type { AppendOutcome } from '#core/rows/row-calls.ts';
import type { StoreColumn } from '#core/rows/rows.ts';
import type { FinishingTarget } from './rows-target.ts';

export function storeTarget(factory: ResultDataFactory): FinishingTarget & { held(): HeldRows } {
  let columns: readonly StoreColumn[] = [];
  let data: ResultData = factory.create([]);
  let outcome: AppendOutcome = { rowCount: 0, viewRowCount: 0, sizeBytes: 0, kinds: [] };
  return {
    keepsRows: true,
    async open(opened) {
      columns = opened;
      data = factory.create(opened);
      outcome = await data.append([]);
    },
    grow(more) {
      columns = [...columns, ...more];
      data.grow(more);
      return Promise.resolve();
    },
    async write(rows) {
      outcome = await data.append(rows);
    },
    finish: () => Promise.resolve({ cutCells: 0 }),
    close: () => Promise.resolve(),
    held: () => ({ data, columns, outcome, isCut: false }),
  };
}
