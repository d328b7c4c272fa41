/** The record that a cell of a result refers to: the one its ID names, else the one of its row. */

export interface CellOfRow {
  readonly columns: readonly { readonly name: string }[];
  readonly rows: readonly (readonly (string | null)[])[];
  /** Column of the cell; the row is the first. */
  readonly firstColumn: number;
}

/** Undefined if neither the cell nor its row has a global ID or a possible one. */
export function recordIdOf(of: CellOfRow): string | undefined {
  const cell = of.rows[0]?.[of.firstColumn];
  return namedRecordId(of) ?? (isGlobalId(cell) && mayBeId(cell) ? cell : undefined);
}

/** The same, if the column is known to contain global IDs or the text can be nothing else. */
export function namedRecordId({ columns, rows, firstColumn }: CellOfRow): string | undefined {
  const [row = []] = rows;
  const cell = row[firstColumn];
  const name = plainName(columns[firstColumn]?.name);
  if (isGlobalId(cell) && (name.includes('global') || looksGenerated(cell))) return cell;
  const own = columns.findIndex(
    (column, index) => plainName(column.name) === 'globalid' && isGlobalId(row[index]),
  );
  if (own >= 0) return row[own] ?? undefined;
  // A renamed id column: account_global_id, a_global_id.
  const others = columns.flatMap((column, index) =>
    /globalid$/.test(plainName(column.name)) && isGlobalId(row[index]) ? [row[index]] : [],
  );
  return others.length === 1 ? (others[0] ?? undefined) : undefined;
}

const plainName = (name = ''): string => name.toLowerCase().replaceAll('_', '');

function isGlobalId(text: string | null | undefined): text is string {
  return typeof text === 'string' && /^[^\s{}[\]"]{8,200}$/.test(text);
}

/** IDs are opaque, but never numbers, times or addresses. */
const mayBeId = (text: string): boolean => !/^[-+\d.:TZ]+$/.test(text) && !text.includes('@');

/** UUIDs and similar values in any column; not names, addresses or times. */
function looksGenerated(text: string): boolean {
  return /^[0-9a-f]{8}-(?:[0-9a-f]{4}-){3}[0-9a-f]{12}$/i.test(text);
}
