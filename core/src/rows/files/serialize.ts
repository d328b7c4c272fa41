/**
 * Converts cells to text, for both the clipboard and files. Values are written in full, and numbers digit by digit, as
 * displayed. Writers stream rows, so a file is never entirely in memory.
 */
import { jsonForLog } from '#base/shown-text/for-terminal.ts';
import { escapeMarkdown } from '#base/words/markdown.ts';
import { distinctNames } from './distinct-names.ts';
import { guardFormula, hidesFormula } from './formula-guard.ts';
import { sqlWriter } from './serialize-sql.ts';
import { sheetTime } from './sheet-time.ts';
import type { CellRow, CopyCell, CopySource, TextOptions, TextWriter } from './text-writer.ts';

export function createTextWriter(names: readonly string[], options: TextOptions): TextWriter {
  switch (options.format) {
    case 'tsv':
      return tsvWriter(names, options);
    case 'csv':
      return csvWriter(names, options);
    case 'json':
      return jsonWriter(names);
    case 'jsonl':
      return jsonLinesWriter(names);
    case 'markdown':
      return markdownWriter(names, options.nullText);
    case 'in-list':
    case 'insert':
      return sqlWriter(names, { ...options, format: options.format });
    default:
      return options.format satisfies never;
  }
}

/** Returns cells as text for the clipboard. */
export function serialize(source: CopySource, options: TextOptions): string {
  if (options.format === 'tsv' && !options.withHeaders && source.names.length === 1) {
    // A single cell is copied without quotes, since it is usually pasted into text, not a spreadsheet.
    const rows = [...source.rows()];
    const [only] = rows;
    if (only !== undefined && rows.length === 1) {
      const text = only[0]?.text ?? options.nullText;
      return options.guardFormulas ? guardFormula(text) : text;
    }
    return written({ names: source.names, rows: () => rows }, options);
  }
  return written(source, options);
}

function written(source: CopySource, options: TextOptions): string {
  const writer = createTextWriter(source.names, options);
  const text = writer.start() + writer.rows(source.rows()) + writer.end();
  // CSV keeps its final line break, which RFC 4180 makes optional. Other copied text has none.
  return options.format === 'csv' ? text : text.replace(/\n$/, '');
}

/**
 * Writes tab-separated values as spreadsheets do: a field with a tab, a line break or a leading quote is quoted, and
 * its quotes are doubled.
 */
function tsvWriter(
  names: readonly string[],
  {
    withHeaders,
    nullText,
    guardFormulas,
    keepsNull = false,
    timesForSheets = false,
    types = [],
  }: TextOptions,
): TextWriter {
  const isTime = types.map((type) => timesForSheets && /^timestamp/i.test(type));
  const guarded = (text: string) => (guardFormulas ? guardFormula(text) : text);
  const guardedNull = guarded(nullText);
  const nullField = quoteTsv(guardedNull);
  const field = (text: string) => {
    const shown = guarded(text);
    const isQuoted =
      (keepsNull && (shown === '' || shown === guardedNull)) || (guardFormulas && hidesFormula(text));
    return isQuoted ? quoted(shown) : quoteTsv(shown);
  };
  const cell = ({ text }: CopyCell, column: number) =>
    text === null ? nullField : field(isTime[column] === true ? sheetTime(text) : text);
  return {
    start: () => (withHeaders ? `${names.map(field).join('\t')}\n` : ''),
    rows: (rows) => lines(rows, (row) => `${row.map(cell).join('\t')}\n`),
    end: () => '',
  };
}

function quoteTsv(text: string): string {
  return /[\t\r\n]|^"/.test(text) ? quoted(text) : text;
}

export type CsvOptions = Pick<TextOptions, 'nullText' | 'guardFormulas'>;

/** Formats cells as CSV. Empty strings and strings equal to the NULL text are quoted, so that they stay strings. */
export function csvFields({ nullText, guardFormulas }: CsvOptions): {
  readonly guardedNull: string;
  readonly nullField: string;
  readonly field: (text: string) => string;
} {
  const guarded = (text: string) => (guardFormulas ? guardFormula(text) : text);
  const needsQuotes = (text: string) => /[",\r\n]/.test(text);
  const guardedNull = guarded(nullText);
  return {
    guardedNull,
    nullField: needsQuotes(guardedNull) ? quoted(guardedNull) : guardedNull,
    field: (text) => {
      const shown = guarded(text);
      const isOwn = shown === guardedNull || shown === '' || needsQuotes(shown);
      return isOwn || (guardFormulas && hidesFormula(text)) ? quoted(shown) : shown;
    },
  };
}

/** Writes CSV according to RFC 4180, with CRLF line endings. */
function csvWriter(names: readonly string[], options: TextOptions): TextWriter {
  const { nullField, field } = csvFields(options);
  const cell = ({ text }: CopyCell) => (text === null ? nullField : field(text));
  // Readers detect the separator from the first line, so names with other separators are quoted.
  const name = (text: string) =>
    /[;\t]/.test(text) ? quoted(options.guardFormulas ? guardFormula(text) : text) : field(text);
  return {
    start: () => `${names.map(name).join(',')}\r\n`,
    rows: (rows) => lines(rows, (row) => `${row.map(cell).join(',')}\r\n`),
    end: () => '',
  };
}

function quoted(text: string): string {
  return `"${text.replaceAll('"', '""')}"`;
}

/** Writes one object per row. Duplicate column names get a number, since object keys must be unique. */
function jsonWriter(names: readonly string[]): TextWriter {
  let object = objectWriter(names);
  let isFirst = true;
  return {
    grow: (all) => (object = objectWriter(all)),
    start: () => '[',
    rows: (rows) =>
      lines(rows, (row) => {
        const before = isFirst ? '\n' : ',\n';
        isFirst = false;
        return `${before}  ${object(row)}`;
      }),
    end: () => (isFirst ? ']\n' : '\n]\n'),
  };
}

function jsonLinesWriter(names: readonly string[]): TextWriter {
  let object = objectWriter(names);
  return {
    grow: (all) => (object = objectWriter(all)),
    start: () => '',
    rows: (rows) => lines(rows, (row) => `${object(row)}\n`),
    end: () => '',
  };
}

function objectWriter(names: readonly string[]): (row: CellRow) => string {
  const keys = distinctNames(names).map((name) => `${JSON.stringify(name)}: `);
  return (row) => {
    if (row.length === 0) return '{}';
    let members = '';
    row.forEach(({ text, isBare }, column) => {
      const value = text === null ? 'null' : isBare && isJsonValue(text) ? text : JSON.stringify(text);
      members += (column > 0 ? ', ' : '') + (keys[column] ?? '"": ') + value;
    });
    // Rows in a pipe end in the log of a build.
    return jsonForLog(`{ ${members} }`);
  };
}

/** Returns whether a bare value is valid JSON, which has no NaN or infinity. */
function isJsonValue(text: string): boolean {
  return !/^-?(?:nan|infinity)$/i.test(text);
}

function markdownWriter(names: readonly string[], nullText: string): TextWriter {
  const line = (cells: readonly string[]) => `| ${cells.join(' | ')} |\n`;
  return {
    start: () => line(names.map(escapeMarkdown)) + line(names.map(() => '---')),
    rows: (rows) =>
      lines(rows, (row) => line(row.map(({ text }) => (text === null ? nullText : escapeMarkdown(text))))),
    end: () => '',
  };
}

function lines(rows: Iterable<CellRow>, line: (row: CellRow) => string): string {
  let text = '';
  for (const row of rows) text += line(row);
  return text;
}
