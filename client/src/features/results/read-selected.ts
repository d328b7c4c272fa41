/** Reads the selected rows of a result, in full. Independent of the editor. */
import type { ResultData } from '#core/rows/result-data.ts';
import type { CellRange } from '#core/rows/rows.ts';

/** Maximum number of rows to read from a selection. */
export const selectedRowsMax = 10_000;

export interface SelectedCells {
  readonly rows: readonly (readonly (string | null)[])[];
  /** Whether more rows are selected. */
  readonly isCut: boolean;
}

export async function readSelected(
  data: Pick<ResultData, 'ask'>,
  { firstRow, lastRow }: Pick<CellRange, 'firstRow' | 'lastRow'>,
  columnCount: number,
): Promise<SelectedCells> {
  const selected = lastRow - firstRow + 1;
  const rowCount = Math.min(selectedRowsMax, selected);
  const columns = Array.from({ length: columnCount }, (_, index) => index);
  const window = await data.ask('window', { firstRow, rowCount, columns });
  const cells = new Map(window.columns.map((one) => [one.column, one.cells]));
  const rows = Array.from({ length: rowCount }, (_, row) =>
    columns.map((column) => cells.get(column)?.[row] ?? null),
  );
  return { rows, isCut: rowCount < selected };
}
