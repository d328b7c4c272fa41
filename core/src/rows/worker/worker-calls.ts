/** Messages to the worker that holds the rows of all results. */
import type { Translations } from '#base/translate.ts';
import type { AskMessage } from '#core/questions/line-messages.ts';
import type { Asked, Question } from '#core/questions/question-map.ts';
import type { FileOptions, FinishedFile } from '../files/rows-encoder.ts';
import type { Chunk } from '../packed-rows.ts';
import type { OperationCalls } from '../result-operations.ts';
import type { StoreCalls } from '../row-calls.ts';
import type { StoreColumn } from '../rows.ts';

export interface WorkerStart {
  readonly translations: Translations;
}

/** Calls for writing a file without a store. */
export interface FileCalls {
  readonly open: Question<
    { readonly columns: readonly StoreColumn[]; readonly options: FileOptions },
    undefined
  >;
  readonly write: Question<Chunk, undefined>;
  /** Adds columns; returns whether the format accepts them. */
  readonly grow: Question<readonly StoreColumn[], boolean>;
  readonly finish: Question<undefined, FinishedFile>;
  readonly close: Question<undefined, undefined>;
}

/** A call and its target: `result` is the ID of the store, `file` the ID of the file. */
export type WorkerCall =
  | { readonly of: 'rows'; readonly result: number; readonly asked: Asked<StoreCalls> }
  | { readonly of: 'results'; readonly asked: Asked<OperationCalls> }
  | { readonly of: 'file'; readonly file: number; readonly asked: Asked<FileCalls> };

export type WorkerRequest =
  | AskMessage<WorkerCall>
  | { readonly kind: 'create'; readonly result: number; readonly columns: readonly StoreColumn[] }
  | { readonly kind: 'dispose'; readonly result: number };
