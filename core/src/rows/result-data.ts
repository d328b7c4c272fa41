/**
 * Where a result's rows live: behind this interface, in a worker thread of the extension host. Everything answers
 * asynchronously, so that sorting a million rows never holds up the editor's other extensions.
 *
 *     const { matches } = await data.ask('find', { text: 'admin', ... });
 */
import type { Ask } from '../questions/question-map.ts';
import type { AskOptions } from '../questions/asking.ts';
import { buffersOf, packingOf } from './chunk.ts';
import type { PageRows } from './packed-rows.ts';
import { packedInSlices } from './page-rows.ts';
import type { CallOptions } from './calls.ts';
import type { AppendOutcome, RowCalls, StoreCalls } from './row-calls.ts';
import type { StoreColumn } from './rows.ts';

/** The rows of one result. Calls are carried out in the order they are made; long ones let shorter ones pass. */
export interface ResultData {
  /** Adds rows at the end and gives up any order. Resolves with what is known of the columns then. */
  append(rows: PageRows): Promise<AppendOutcome>;
  /** Adds columns behind the others, for rows that are added from now on; in all others they are NULL. */
  grow(columns: readonly StoreColumn[]): void;
  readonly ask: Ask<RowCalls, CallOptions>;
  /** Frees the rows. Calls that are under way reject. */
  dispose(): void;
}

/** The packing face over whatever carries a call out. */
export function createResultData(
  columns: readonly StoreColumn[],
  line: { readonly ask: Ask<StoreCalls, AskOptions>; readonly dispose: () => void },
): ResultData {
  const packing = packingOf(columns);
  let packed: Promise<unknown> = Promise.resolve();
  return {
    append: async (rows) => {
      // One after the other: packing pauses now and then.
      const chunk = packed.then(() => packedInSlices(rows, packing));
      packed = chunk.catch(() => undefined);
      const ready = await chunk;
      return await line.ask('append', ready, { transfer: buffersOf(ready) });
    },
    grow: (more) => {
      // Between the rows that were packed without them and those that are packed with them.
      packed = packed.then(() => {
        for (const each of packingOf(more)) packing.push(each);
        line.ask('grow', more).catch(() => undefined); // the next append fails too
      });
    },
    ask: (question, request, options) => line.ask(question, request, options),
    dispose: () => line.dispose(),
  };
}

/** The rows were freed while something still asked for them: expected when a result is closed or replaced. */
export class ResultDisposedError extends Error {
  constructor() {
    super('The result was closed');
    this.name = 'ResultDisposedError';
  }
}
