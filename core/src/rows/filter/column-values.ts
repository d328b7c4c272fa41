/** Counts the distinct values of a column. */
import { cellText } from '../chunk.ts';
import type { Chunk } from '../packed-rows.ts';
import type { ColumnValues } from '../rows.ts';
import { compareTexts } from '../sort/folded-texts.ts';
import { chunkFinder } from '../sort/sort.ts';

/** Longer values are not useful in a list, so they are only counted. */
const choosableCharsMax = 1_000;

/** So many JSON texts are parsed in a second. A program that wrote more wrote equal ones in one way. */
export const groupedTexts = 100_000;

export function countValues(
  source: { readonly chunks: readonly Chunk[]; readonly starts: readonly number[] },
  options: {
    readonly column: number;
    /** The rows to count; undefined for all. */
    readonly rows: Uint32Array | undefined;
    /** Maximum number of values to return; the rest are only counted. */
    readonly limit: number;
    /** Returns the same text for equal values, of which the first is returned. */
    readonly identityOf: (text: string) => string;
    /** If there are more texts, none is compared with `identityOf`. */
    readonly comparedMax: number;
  },
): ColumnValues {
  const counts = new Map<string | null, number>();
  const add = (text: string | undefined) => counts.set(text ?? null, (counts.get(text ?? null) ?? 0) + 1);
  const { column, rows, limit, identityOf, comparedMax } = options;
  if (rows === undefined) {
    for (const chunk of source.chunks) {
      const packed = chunk.columns[column];
      if (packed !== undefined) for (let row = 0; row < chunk.rowCount; row += 1) add(cellText(packed, row));
    }
  } else {
    const find = chunkFinder(source.starts);
    for (const row of rows) {
      const at = find(row);
      const packed = source.chunks[at]?.columns[column];
      if (packed !== undefined) add(cellText(packed, row - (source.starts[at] ?? 0)));
    }
  }
  const found = new Map<string | null, { readonly text: string | null; count: number }>();
  for (const [text, count] of counts) {
    const isRead = text !== null && counts.size <= comparedMax && text.length <= choosableCharsMax;
    const key = isRead ? identityOf(text) : text;
    const equal = found.get(key);
    if (equal === undefined) found.set(key, { text, count });
    else equal.count += count;
  }
  const values = [...found.values()]
    .filter(({ text }) => (text?.length ?? 0) <= choosableCharsMax)
    .sort((a, b) => b.count - a.count || compareNullable(a.text, b.text))
    .slice(0, limit);
  return { values, distinct: found.size };
}

function compareNullable(a: string | null, b: string | null): number {
  if (a === null || b === null) return Number(a === null) - Number(b === null);
  return compareTexts(a, b);
}
