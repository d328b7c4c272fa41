/**
 * Rows as aligned columns for a terminal. Widths come from the first rows; a wider value in a later row shifts that
 * row.
 */
import { cutEnd } from '#base/shown-text/cut.ts';
import { forTerminal } from '#base/shown-text/for-terminal.ts';

export interface TableColumn {
  readonly name: string;
  readonly isNumber?: boolean;
}

/** Longer cells are truncated on a terminal; a file or a pipe contains them in full. */
const cellMax = 60;

export type CellsShown = 'whole' | 'start';

export class TextTable {
  readonly #columns: readonly TableColumn[];
  #widths: readonly number[] | undefined;

  readonly #shown: (text: string | null) => string;

  constructor(columns: readonly TableColumn[], cells: CellsShown = 'start') {
    this.#columns = columns;
    this.#shown = (text) => shown(text, cells);
  }

  /** Formats rows; the first call also returns the header. */
  rows(rows: readonly (readonly (string | null)[])[]): string {
    const cells = rows.map((row) => row.map(this.#shown));
    if (this.#widths !== undefined) return this.#lines(cells);
    const names = this.#columns.map(({ name }) => this.#shown(name));
    const widths = names.map((name, column) =>
      cells.reduce((width, row) => Math.max(width, widthOf(row[column] ?? '')), widthOf(name)),
    );
    this.#widths = widths;
    const rule = widths.map((width) => '-'.repeat(width)).join('  ');
    return `${this.#lines([names])}${rule}\n${this.#lines(cells)}`;
  }

  #lines(rows: readonly (readonly string[])[]): string {
    return rows
      .map(
        (row) =>
          `${row
            .map((cell, column) => this.#padded(cell, column))
            .join('  ')
            .trimEnd()}\n`,
      )
      .join('');
  }

  #padded(cell: string, column: number): string {
    const blanks = ' '.repeat(Math.max(0, (this.#widths?.[column] ?? 0) - widthOf(cell)));
    return this.#columns[column]?.isNumber === true ? blanks + cell : cell + blanks;
  }
}

function shown(text: string | null, cells: CellsShown): string {
  if (text === null) return 'NULL';
  return cells === 'whole' ? forTerminal(text) : cutEnd(forTerminal(text), cellMax);
}

/** Returns the width on a terminal: East Asian wide characters and emoji take two columns. */
function widthOf(text: string): number {
  let width = 0;
  for (const character of text) width += isWide(character) ? 2 : /\p{M}/u.test(character) ? 0 : 1;
  return width;
}

function isWide(character: string): boolean {
  return /[\u1100-\u115f\u2e80-\ua4cf\uac00-\ud7a3\uf900-\ufaff\ufe30-\ufe6f\uff00-\uff60\uffe0-\uffe6\u{1f300}-\u{1faff}\u{20000}-\u{3fffd}]/u.test(
    character,
  );
}
