/** Writes cells as SQL: values for `IN (...)`, and INSERT statements. */
import { ExactNumber, jsonText, parseJson, type JsonValue } from '#api/client/json.ts';
import { quoteIdentifier } from '#base/sql-names.ts';
import { numberPattern } from '#base/values/number-pattern.ts';
import { distinctNames } from './distinct-names.ts';
import type { CellRow, CopyCell, TextOptions, TextWriter } from './text-writer.ts';

/** Maximum rows per INSERT statement, since databases parse a statement as a whole. */
const insertRowsMax = 1_000;

export function sqlWriter(
  names: readonly string[],
  {
    format,
    tableName,
    types = [],
  }: Pick<TextOptions, 'tableName' | 'types'> & {
    readonly format: 'in-list' | 'insert';
  },
): TextWriter {
  const forms = names.map((_, column) => formOf(types[column] ?? ''));
  return format === 'in-list' ? inListWriter(forms) : insertWriter(names, tableName, forms);
}

const nothing = (columnCount: number): string => {
  const nulls = Array.from({ length: columnCount }, () => 'NULL').join(', ');
  return columnCount > 1 ? `(${nulls})` : nulls;
};

/**
 * Writes distinct values, or rows of values for `(a, b) IN (...)`, since columns may differ in type. Omits NULL and rows
 * with NULL, since neither `x IN (NULL)` nor `x NOT IN (NULL)` is ever true.
 */
function inListWriter(forms: readonly Form[]): TextWriter {
  const columnCount = forms.length;
  const items = new Set<string>();
  return {
    start: () => '',
    rows: (rows) => {
      for (const row of rows) {
        if (row.some(({ text }) => text === null)) continue;
        const values = valuesOf(row, forms);
        items.add(columnCount > 1 ? `(${values})` : values);
      }
      return '';
    },
    // No value is in an empty list, and SQL has no form for one.
    end: () => `(${items.size === 0 ? nothing(columnCount) : [...items].join(', ')})`,
  };
}

function insertWriter(names: readonly string[], tableName: string, forms: readonly Form[]): TextWriter {
  // A table cannot have two columns of one name.
  const head = `INSERT INTO ${tableName} (${distinctNames(names).map(quoteIdentifier).join(', ')}) VALUES`;
  let count = 0;
  if (names.length === 0) {
    const row = `INSERT INTO ${tableName} DEFAULT VALUES;\n`;
    return { start: () => '', rows: (rows) => Array.from(rows, () => row).join(''), end: () => '' };
  }
  return {
    start: () => '',
    rows: (rows) => {
      let text = '';
      for (const row of rows) {
        const isFirst = count % insertRowsMax === 0;
        if (isFirst) text += count === 0 ? `${head}\n` : `;\n${head}\n`;
        else text += ',\n';
        text += `  (${valuesOf(row, forms)})`;
        count += 1;
      }
      return text;
    },
    end: () => (count === 0 ? '' : ';\n'),
  };
}

/** A number is JSON only in quotes. A short float without quotes is a numeric, which it seldom equals. */
const quotedTypes = new Set(['json', 'jsonb', 'float4', 'real']);

/** How the values of a type are written; arrays have their own forms. */
type Form = 'array' | 'box-array' | 'json-array' | 'quoted' | 'plain' | { readonly cast: string };

function formOf(type: string): Form {
  const name = type.trim().toLowerCase();
  if (/^(?:jsonb?\[\]|_jsonb?)$/.test(name)) return 'json-array';
  if (/^(?:box\[\]|_box)$/.test(name)) return 'box-array';
  if (name.endsWith('[]') || name.startsWith('_')) return 'array';
  // Their `=` is that of numbers, which a name is not.
  if (/^reg[a-z]+$/.test(name)) return { cast: name };
  return quotedTypes.has(name) ? 'quoted' : 'plain';
}

function valuesOf(row: CellRow, forms: readonly Form[]): string {
  return row
    .map((cell, column) => {
      const form = forms[column];
      switch (form) {
        case 'array':
          return arrayLiteral(cell, (list) => braced(list)) ?? literal(cell);
        case 'box-array':
          return arrayLiteral(cell, bracedBoxes) ?? literal(cell);
        case 'json-array':
          return arrayLiteral(cell, bracedJson) ?? literal(cell);
        case 'quoted':
          return cell.text === null ? 'NULL' : quoteText(cell.text);
        case 'plain':
        case undefined:
          return literal(cell);
        default:
          return cell.text === null ? 'NULL' : `${quoteText(cell.text)}::${form.cast}`;
      }
    })
    .join(', ');
}

/** Converts a JSON array to a PostgreSQL array, whose type comes from the column. Undefined for anything else. */
function arrayLiteral({ text }: CopyCell, write: (list: readonly JsonValue[]) => string): string | undefined {
  if (text?.startsWith('[') !== true) return undefined;
  const list = listOf(text);
  return list === undefined ? undefined : quoteText(write(list));
}

/** Parses a JSON array; numbers keep all their digits. Undefined for anything else. */
function listOf(text: string): readonly JsonValue[] | undefined {
  try {
    const value = parseJson(text);
    return Array.isArray(value) ? value : undefined;
  } catch {
    return undefined; // not JSON: quoted as a plain string
  }
}

/** A JSON array within an array of JSON is an element, not a further dimension. */
function bracedJson(list: readonly JsonValue[]): string {
  const items = list.map((item) => (item === null ? 'NULL' : quotedItem(jsonText(item))));
  return `{${items.join(',')}}`;
}

function quotedItem(text: string): string {
  return `"${text.replaceAll(/["\\]/g, (char) => `\\${char}`)}"`;
}

/** Boxes contain commas, so that a semicolon separates them. */
const bracedBoxes = (list: readonly JsonValue[]): string => braced(list, ';');

function braced(list: readonly JsonValue[], delimiter: ',' | ';' = ','): string {
  const items = list.map((item): string => {
    if (item === null) return 'NULL';
    if (Array.isArray(item)) return braced(item, delimiter);
    const isNumber = typeof item === 'number' || typeof item === 'boolean' || item instanceof ExactNumber;
    const text = typeof item === 'string' ? item : jsonText(item);
    return isNumber ? text : quotedItem(text);
  });
  return `{${items.join(delimiter)}}`;
}

/**
 * Formats a cell as a literal: numbers and booleans without quotes, everything else as quoted text whose type
 * PostgreSQL infers from the column.
 */
export function literal({ text, isBare }: CopyCell): string {
  if (text === null) return 'NULL';
  const isPlain = isBare && (numberPattern.test(text) || text === 'true' || text === 'false');
  // -0 would become 0 before it is a float.
  const isMinusZero = text.startsWith('-') && !/[1-9]/.test(text.split(/e/i, 1)[0] ?? '');
  return isPlain && !isMinusZero ? text : quoteText(text);
}

/**
 * Quotes a string. Uses the E'' form for backslashes, which servers with `standard_conforming_strings` off would
 * interpret in plain literals.
 */
export function quoteText(text: string): string {
  const body = text.replaceAll("'", "''");
  return body.includes('\\') ? `E'${body.replaceAll('\\', '\\\\')}'` : `'${body}'`;
}
