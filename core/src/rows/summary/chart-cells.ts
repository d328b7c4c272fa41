/** Reads the cells that a chart draws, as texts and numbers. */
import type { Amounts } from '../amounts.ts';
import { cellText } from '../chunk.ts';
import type { ColumnKind } from '../column-kind.ts';
import { cellTag, type ColumnChunk } from '../packed-rows.ts';
import { epochMicroseconds } from '../timestamps.ts';

/** Rows processed between pauses. */
const rowsAtATime = 20_000;

export interface ChartSource {
  /** Number of visible rows. */
  readonly rowCount: number;
  readonly kindOf: (column: number) => ColumnKind;
  /** Set for amounts of money. */
  readonly amountsOf?: (column: number) => Amounts | undefined;
  /** Whether a column's amounts have no common scale. */
  readonly hasMixedAmounts?: (column: number) => boolean;
  readonly locate: (
    row: number,
    column: number,
  ) => { readonly packed: ColumnChunk | undefined; readonly row: number };
}

/** Returns the number to draw, or undefined if the cell has none. */
export type NumberAt = (row: number, column: number) => number | undefined;

export async function eachRow(
  { rowCount }: ChartSource,
  pause: () => Promise<void>,
  visit: (row: number) => void,
): Promise<void> {
  for (let row = 0; row < rowCount; row += 1) {
    visit(row);
    if (row % rowsAtATime === rowsAtATime - 1) await pause();
  }
}

export function textAt(source: ChartSource, row: number, column: number): string | null {
  const { packed, row: at } = source.locate(row, column);
  return packed === undefined ? null : (cellText(packed, at) ?? null);
}

export function isTooLarge(value: number): boolean {
  return Math.abs(value) > Number.MAX_SAFE_INTEGER;
}

/**
 * Returns whole numbers as distances from the smallest one in these columns. Undefined if a number is not whole or the
 * range is too large.
 */
export async function distancesOf(
  source: ChartSource,
  columns: readonly number[],
  pause: () => Promise<void>,
): Promise<{ readonly base: string; readonly at: NumberAt } | undefined> {
  const wholeAt = (row: number, column: number) => {
    const { packed, row: at } = source.locate(row, column);
    const text = (packed && cellText(packed, at))?.trim() ?? '';
    return /^-?\d+$/.test(text) ? BigInt(text) : undefined;
  };
  const range: { isWhole: boolean; least?: bigint; greatest?: bigint } = { isWhole: true };
  const widen = (row: number, column: number) => {
    if (!range.isWhole || numberAt(source, row, column) === undefined) return;
    const value = wholeAt(row, column);
    if (value === undefined) range.isWhole = false;
    else {
      if (range.least === undefined || value < range.least) range.least = value;
      if (range.greatest === undefined || value > range.greatest) range.greatest = value;
    }
  };
  await eachRow(source, pause, (row) => {
    for (const column of columns) widen(row, column);
  });
  const { isWhole, least, greatest } = range;
  if (!isWhole || least === undefined || greatest === undefined || isTooLarge(Number(greatest - least)))
    return undefined;
  return {
    base: String(least),
    at: (row, column) => {
      const value = wholeAt(row, column);
      return value === undefined ? undefined : Number(value - least);
    },
  };
}

/** Returns a finite number, or a time in milliseconds since 1970. Undefined for any other cell. */
export function numberAt(source: ChartSource, row: number, column: number): number | undefined {
  const { packed, row: at } = source.locate(row, column);
  if (packed === undefined || packed.tags[at] === cellTag.null) return undefined;
  if (packed.tags[at] === cellTag.number) return packed.numbers?.[at];
  const amounts = source.amountsOf?.(column);
  const given = cellText(packed, at) ?? '';
  if (source.hasMixedAmounts?.(column) === true) return undefined;
  const text = amounts === undefined ? given : (amounts.read(given)?.decimal ?? '');
  const value =
    source.kindOf(column) === 'time'
      ? epochMicroseconds(text) / 1_000
      : text.trim() === ''
        ? Number.NaN
        : Number(text);
  return Number.isFinite(value) ? value : undefined;
}
