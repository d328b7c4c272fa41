/** Determines the record that a result cell refers to, from an ID in the cell or in its row. */

export interface CellOfRow {
  readonly columns: readonly { readonly name: string }[];
  readonly rows: readonly (readonly (string | null)[])[];
  /** Index of the cell's column; the cell's row is first in `rows`. */
  readonly firstColumn: number;
}

/** @returns undefined if neither the cell nor its row contains a known or possible global ID. */
export function recordIdOf(of: CellOfRow): string | undefined {
  const cell = of.rows[0]?.[of.firstColumn];
  return namedRecordId(of) ?? (isGlobalId(cell) && mayBeId(cell) ? cell : undefined);
}

/**
 * Returns whether a column of rows may hold IDs.
 * @param isRecord whether its first value is the ID of a record; undefined if unknown. Applications and groups are none.
 */
export function mayHoldIds(column: {
  readonly name: string;
  readonly sample: string;
  readonly isRecord: boolean | undefined;
}): boolean {
  return column.isRecord !== false || /id$|global/i.test(column.name) || looksGenerated(column.sample);
}

/** Like `recordIdOf`, but accepts only IDs in columns that contain global IDs, and text that can be nothing else. */
export function namedRecordId({ columns, rows, firstColumn }: CellOfRow): string | undefined {
  const [row = []] = rows;
  const cell = row[firstColumn];
  const name = plainName(columns[firstColumn]?.name);
  if (isGlobalId(cell) && (name.includes('global') || looksGenerated(cell))) return cell;
  const own = columns.findIndex(
    (column, index) => plainName(column.name) === 'globalid' && isGlobalId(row[index]),
  );
  if (own >= 0) return row[own] ?? undefined;
  // A renamed ID column, such as account_global_id or a_global_id.
  const others = columns.flatMap((column, index) =>
    /globalid$/.test(plainName(column.name)) && isGlobalId(row[index]) ? [row[index]] : [],
  );
  return others.length === 1 ? (others[0] ?? undefined) : undefined;
}

const plainName = (name = ''): string => name.toLowerCase().replaceAll('_', '');

function isGlobalId(text: string | null | undefined): text is string {
  return typeof text === 'string' && /^[^\s{}[\]"]{8,200}$/.test(text);
}

/** IDs are opaque, but never look like numbers, times or email addresses. */
const mayBeId = (text: string): boolean => !/^[-+\d.:TZ]+$/.test(text) && !text.includes('@');

/** Returns whether the text is a UUID, which is accepted as an ID in any column. */
function looksGenerated(text: string): boolean {
  return /^[0-9a-f]{8}-(?:[0-9a-f]{4}-){3}[0-9a-f]{12}$/i.test(text);
}
