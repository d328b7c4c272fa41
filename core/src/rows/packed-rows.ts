/**
 * Rows packed as columns: one byte of tag a cell, numbers as doubles, everything else as UTF-8. A page of rows becomes
 * one chunk; its buffers are transferred to the worker, never copied. Shared with the panel, so nothing of Node is in here.
 */

/** What a cell holds. The tag tells NULL from an empty text and a number from a text of digits. */
export const cellTag = { null: 0, false: 1, true: 2, number: 3, exact: 4, text: 5, json: 6 } as const;
export type CellTag = (typeof cellTag)[keyof typeof cellTag];

export interface ColumnChunk {
  /** One tag a row. */
  readonly tags: Uint8Array<ArrayBuffer>;
  /** One double a row; undefined when no cell is a double. */
  readonly numbers: Float64Array<ArrayBuffer> | undefined;
  /** UTF-8 of exact numbers, texts and JSON; cell `i` is `offsets[i]` to `offsets[i + 1]`. */
  readonly bytes: Uint8Array<ArrayBuffer> | undefined;
  readonly offsets: Uint32Array<ArrayBuffer> | undefined;
}

export interface Chunk {
  readonly rowCount: number;
  readonly columns: readonly ColumnChunk[];
  /** Where its memory is only lent: told by whoever has written the rows, it is used again. */
  readonly done?: (() => void) | undefined;
}

/** Rows of a page: values, or packed straight from the service's bytes. */
export type PageRows = readonly (readonly unknown[])[] | Chunk;
