/**
 * A result that is never in memory as a whole. Its rows are created when a page needs them, and their number is not
 * reported.
 */
import { json, Refusal, type Reply } from './exchange.ts';
import { Digits } from './json.ts';
import type { PageRequest } from './paging.ts';

export interface StreamedRows {
  readonly count: number;
  /** Number of bytes written at once. A chunk may end anywhere, even within a character or a number. */
  readonly pieceBytes: number;
}

const kinds = ['int8', 'text', 'numeric', 'timestamptz'] as const;
const columns = Array.from({ length: 20 }, (_, index) => {
  const type = kinds[index % kinds.length] ?? 'text';
  return { name: `${type}_${index}`, type };
});

/** Returns the values of a row by its 0-based number. */
export function streamedRow(row: number): readonly unknown[] {
  return columns.map(({ type }, column) => {
    switch (type) {
      case 'int8':
        return new Digits(String(9_007_199_254_740_993n + BigInt(row * 20 + column)));
      case 'text':
        return row % 7 === 0 ? null : `Zoë 𝒜 "${row}"\n`;
      case 'numeric':
        return new Digits(`${row}.${String(column).padStart(20, '0')}`);
      case 'timestamptz':
        return new Date(Date.UTC(2026, 0, 1) + row * 1_000).toISOString();
      default:
        return type satisfies never;
    }
  });
}

export class StreamedResult {
  readonly #rows: StreamedRows;
  #made = 0;

  constructor(rows: StreamedRows) {
    this.#rows = rows;
  }

  /** Number of rows created across all pages. */
  get made(): number {
    return this.#made;
  }

  /** @throws Refusal if the token is unknown. */
  page({ pageSize, pageToken = 'row-0' }: PageRequest): Reply {
    const [, first] = /^row-(\d+)$/.exec(pageToken) ?? [];
    if (first === undefined) throw new Refusal(400, 'BAD_REQUEST', 'pageToken is not one of this result.');
    const start = Number(first);
    const end = Math.min(start + pageSize, this.#rows.count);
    const rows = Array.from({ length: end - start }, (_, index) => streamedRow(start + index));
    this.#made += rows.length;
    const nextPageToken = end < this.#rows.count ? `row-${end}` : undefined;
    return { ...json(200, { columns, rows, nextPageToken }), pieceBytes: this.#rows.pieceBytes };
  }
}
