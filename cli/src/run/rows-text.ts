/** Formats a row count in English, with singular and plural. */
export function rowsText(rowCount: number): string {
  return rowCount === 1 ? '1 row' : `${rowCount.toLocaleString('en-US')} rows`;
}
