/**
 * Interface to the rows of a result, which are stored in a worker thread of the extension host. All calls are
 * asynchronous, so sorting a million rows never blocks other extensions.
 *
 *     const { matches } = await data.ask('find', { text: 'admin', ... });
 */
import type { AskOptions } from '../questions/asking.ts';
import type { Ask } from '../questions/question-map.ts';
import type { CallOptions } from './calls.ts';
import { buffersOf, packingOf } from './chunk.ts';
import type { PageRows } from './packed-rows.ts';
import { packedInSlices } from './page-rows.ts';
import type { AppendOutcome, RowCalls, StoreCalls } from './row-calls.ts';
import type { StoreColumn } from './rows.ts';

/** The rows of one result. Calls run in order; long ones yield to shorter ones. */
export interface ResultData {
  /** Appends rows and resets the sort order. Resolves with the current row counts and column kinds. */
  append(rows: PageRows): Promise<AppendOutcome>;
  /** Appends columns for rows added from now on; earlier rows have NULL. */
  grow(columns: readonly StoreColumn[]): void;
  readonly ask: Ask<RowCalls, CallOptions>;
  /** Frees the rows. Pending calls reject. */
  dispose(): void;
}

/** Wraps a transport, and packs rows before they are sent. */
export function createResultData(
  columns: readonly StoreColumn[],
  line: { readonly ask: Ask<StoreCalls, AskOptions>; readonly dispose: () => void },
): ResultData {
  const packing = packingOf(columns);
  let packed: Promise<unknown> = Promise.resolve();
  return {
    append: async (rows) => {
      // Pages are packed one at a time, since packing yields.
      const chunk = packed.then(() => packedInSlices(rows, packing));
      packed = chunk.catch(() => undefined);
      const ready = await chunk;
      return await line.ask('append', ready, { transfer: buffersOf(ready) });
    },
    grow: (more) => {
      // Takes effect after the pages that were packed without the columns.
      packed = packed.then(() => {
        for (const each of packingOf(more)) packing.push(each);
        line.ask('grow', more).catch(() => undefined); // the next append fails too
      });
    },
    ask: (question, request, options) => line.ask(question, request, options),
    dispose: () => line.dispose(),
  };
}

/** Rejects pending calls when the rows are freed, which is expected when a result is closed or replaced. */
export class ResultDisposedError extends Error {
  constructor() {
    super('The result was closed');
    this.name = 'ResultDisposedError';
  }
}
