/** Cells as SQL: values for `IN (...)`, and INSERT statements. */
import { quoteIdentifier } from '../../util/sql-names.ts';
import type { CellRow, CopyCell, TextWriter } from './text-writer.ts';

/** Rows of one INSERT: databases parse a statement whole. */
const insertRowsMax = 1_000;

export function sqlWriter(
  names: readonly string[],
  { format, tableName }: { readonly format: 'in-list' | 'insert'; readonly tableName: string },
): TextWriter {
  return format === 'in-list' ? inListWriter() : insertWriter(names, tableName);
}

/**
 * Each value once. NULL is left out: `x IN (NULL)` is never true, and `NOT IN` with a NULL in it never either.
 */
function inListWriter(): TextWriter {
  const literals = new Set<string>();
  return {
    start: () => '',
    rows: (rows) => {
      for (const row of rows) for (const cell of row) if (cell.text !== null) literals.add(literal(cell));
      return '';
    },
    end: () => `(${[...literals].join(', ')})`,
  };
}

function insertWriter(names: readonly string[], tableName: string): TextWriter {
  const head = `INSERT INTO ${tableName} (${names.map(quoteIdentifier).join(', ')}) VALUES`;
  let count = 0;
  return {
    start: () => '',
    rows: (rows) => {
      let text = '';
      for (const row of rows) {
        const isFirst = count % insertRowsMax === 0;
        if (isFirst) text += count === 0 ? `${head}\n` : `;\n${head}\n`;
        else text += ',\n';
        text += `  (${valuesOf(row)})`;
        count += 1;
      }
      return text;
    },
    end: () => (count === 0 ? '' : ';\n'),
  };
}

function valuesOf(row: CellRow): string {
  return row.map((cell) => (cell.text === null ? 'NULL' : literal(cell))).join(', ');
}

const number = /^[+-]?(?:\d+(?:\.\d*)?|\.\d+)(?:[eE][+-]?\d+)?$/;

/** Numbers and booleans as they are, everything else as a quoted text, whose type PostgreSQL takes from the column. */
export function literal({ text, isBare }: CopyCell): string {
  if (text === null) return 'NULL';
  const isPlain = isBare && (number.test(text) || text === 'true' || text === 'false');
  return isPlain ? text : quoteText(text);
}

/** A backslash means something to servers whose `standard_conforming_strings` is off, except in this form. */
export function quoteText(text: string): string {
  const body = text.replaceAll("'", "''");
  return body.includes('\\') ? `E'${body.replaceAll('\\', '\\\\')}'` : `'${body}'`;
}
