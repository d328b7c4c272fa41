/** The selected cells of a grid and their keyboard movement. Pure code; indexes are display indexes. */

export interface Position {
  /** -1 is the row of column headers. */
  readonly row: number;
  readonly column: number;
}

/** A rectangle between two corners; `active` is the keyboard position. */
export interface Selection {
  readonly anchor: Position;
  readonly active: Position;
}

export interface Extent {
  readonly rowCount: number;
  readonly columnCount: number;
  /** Number of rows that PageUp and PageDown move by. */
  readonly pageRows: number;
}

export interface Key {
  readonly key: string;
  /** Ctrl, or Cmd on a Mac. */
  readonly mod: boolean;
  readonly shift: boolean;
}

export interface Rectangle {
  readonly firstRow: number;
  readonly lastRow: number;
  readonly firstColumn: number;
  readonly lastColumn: number;
}

export const headerRow = -1;

export function selectOne(position: Position): Selection {
  return { anchor: position, active: position };
}

/** Returns the rows and columns of a selection; a selection of header cells has no rows. */
export function rectangleOf({ anchor, active }: Selection): Rectangle {
  return {
    firstRow: Math.max(0, Math.min(anchor.row, active.row)),
    lastRow: Math.max(anchor.row, active.row),
    firstColumn: Math.min(anchor.column, active.column),
    lastColumn: Math.max(anchor.column, active.column),
  };
}

export function isInside({ row, column }: Position, area: Rectangle): boolean {
  const isInRows = row >= area.firstRow && row <= area.lastRow;
  return isInRows && column >= area.firstColumn && column <= area.lastColumn;
}

export function sizeOf(selection: Selection): { readonly rows: number; readonly columns: number } {
  const { firstRow, lastRow, firstColumn, lastColumn } = rectangleOf(selection);
  return { rows: Math.max(0, lastRow - firstRow + 1), columns: lastColumn - firstColumn + 1 };
}

/** Returns the selection after a key press; undefined if the key does nothing. */
export function afterKey(selection: Selection, key: Key, extent: Extent): Selection | undefined {
  const lastRow = extent.rowCount - 1;
  const lastColumn = extent.columnCount - 1;
  if (key.key === ' ' && (key.shift || key.mod)) {
    const { firstRow, lastRow: endRow, firstColumn, lastColumn: endColumn } = rectangleOf(selection);
    return key.shift
      ? { anchor: { row: firstRow, column: 0 }, active: { row: endRow, column: lastColumn } }
      : { anchor: { row: 0, column: firstColumn }, active: { row: lastRow, column: endColumn } };
  }
  if (key.mod && key.key.toLowerCase() === 'a' && !key.shift)
    return { anchor: { row: 0, column: 0 }, active: { row: lastRow, column: lastColumn } };
  const target = targetOf(selection.active, key, extent);
  if (target === undefined) return undefined;
  // A range contains only cells: it never extends into the header.
  const row = Math.max(key.shift ? Math.min(0, lastRow) : headerRow, Math.min(lastRow, target.row));
  const active = { row, column: Math.max(0, Math.min(lastColumn, target.column)) };
  return key.shift && selection.anchor.row !== headerRow
    ? { anchor: selection.anchor, active }
    : selectOne(active);
}

function targetOf({ row, column }: Position, key: Key, extent: Extent): Position | undefined {
  const lastRow = extent.rowCount - 1;
  const lastColumn = extent.columnCount - 1;
  const topRow = Math.min(0, lastRow);
  switch (key.key) {
    case 'ArrowDown':
      return { row: key.mod ? lastRow : row + 1, column };
    case 'ArrowUp':
      return { row: key.mod && row > 0 ? topRow : row - 1, column };
    case 'ArrowRight':
      return { row, column: key.mod ? lastColumn : column + 1 };
    case 'ArrowLeft':
      return { row, column: key.mod ? 0 : column - 1 };
    case 'PageDown':
      return { row: Math.min(lastRow, Math.max(0, row) + extent.pageRows), column };
    case 'PageUp':
      return { row: row <= 0 ? row : Math.max(0, row - extent.pageRows), column };
    case 'Home':
      return { row: key.mod ? topRow : row, column: 0 };
    case 'End':
      return { row: key.mod ? lastRow : row, column: lastColumn };
    default:
      return undefined;
  }
}
