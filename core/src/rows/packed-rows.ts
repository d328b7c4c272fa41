/**
 * Rows packed into columns: one tag byte per cell, numbers as doubles, everything else as UTF-8. A page of rows becomes
 * one chunk, whose buffers are transferred to the worker, never copied. The panel uses this module too, so it must not
 * use Node.js.
 */

/** The kind of a cell. Tags distinguish NULL from empty text, and numbers from text that consists of digits. */
export const cellTag = { null: 0, false: 1, true: 2, number: 3, exact: 4, text: 5, json: 6 } as const;
export type CellTag = (typeof cellTag)[keyof typeof cellTag];

export interface ColumnChunk {
  /** One tag per row. */
  readonly tags: Uint8Array<ArrayBuffer>;
  /** One double per row; undefined if no cell is a double. */
  readonly numbers: Float64Array<ArrayBuffer> | undefined;
  /** UTF-8 of exact numbers, strings and JSON; cell `i` spans `offsets[i]` to `offsets[i + 1]`. */
  readonly bytes: Uint8Array<ArrayBuffer> | undefined;
  readonly offsets: Uint32Array<ArrayBuffer> | undefined;
}

export interface Chunk {
  readonly rowCount: number;
  readonly columns: readonly ColumnChunk[];
  /** Returns borrowed memory for reuse; called once the rows are written. Undefined if no memory is borrowed. */
  readonly done?: (() => void) | undefined;
}

/** Rows of a page, either as values or packed directly from the response bytes. */
export type PageRows = readonly (readonly unknown[])[] | Chunk;
