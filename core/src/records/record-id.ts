/** Which record a cell of a result means: the one that its id names, else the one that its row is of. */

export interface CellOfRow {
  readonly columns: readonly { readonly name: string }[];
  readonly rows: readonly (readonly (string | null)[])[];
  /** The column of the cell; the row is the first. */
  readonly firstColumn: number;
}

/** Undefined where neither the cell nor its row has a global id. */
export function recordIdOf({ columns, rows, firstColumn }: CellOfRow): string | undefined {
  const [row = []] = rows;
  const cell = row[firstColumn];
  const name = plainName(columns[firstColumn]?.name);
  if (isGlobalId(cell) && (name.includes('global') || looksGenerated(cell))) return cell;
  const own = columns.findIndex(
    (column, index) => plainName(column.name) === 'globalid' && isGlobalId(row[index]),
  );
  if (own >= 0) return row[own] ?? undefined;
  // One that the query gave another name: account_global_id, a_global_id.
  const others = columns.flatMap((column, index) =>
    /globalid$/.test(plainName(column.name)) && isGlobalId(row[index]) ? [row[index]] : [],
  );
  if (others.length === 1) return others[0] ?? undefined;
  return isGlobalId(cell) && mayBeId(cell) ? cell : undefined;
}

const plainName = (name = ''): string => name.toLowerCase().replaceAll('_', '');

function isGlobalId(text: string | null | undefined): text is string {
  return typeof text === 'string' && /^[^\s{}[\]"]{8,200}$/.test(text);
}

/** Ids are opaque, but they are no numbers, times or addresses. */
const mayBeId = (text: string): boolean => !/^[-+\d.:TZ]+$/.test(text) && !text.includes('@');

/** UUIDs and the like, whatever the column is called; names, addresses and times are not. */
function looksGenerated(text: string): boolean {
  return /^[0-9a-f]{8}-(?:[0-9a-f]{4}-){3}[0-9a-f]{12}$/i.test(text);
}
