/**
 * Writes a table in each format and reads it with programs that are not ours. What comes back is what PostgreSQL holds,
 * except for what docs/formats.md says.
 */
import { execFile } from 'node:child_process';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { pathToFileURL } from 'node:url';
import { promisify } from 'node:util';
import { DuckDBInstance, type DuckDBConnection } from '@duckdb/node-api';
import * as xlsx from '@e965/xlsx';
import type { PGlite } from '@electric-sql/pglite';
import { marked } from 'marked';
import type { FileFormat } from '#core/rows/files/file-formats.ts';
import type { FileOptions } from '#core/rows/files/rows-encoder.ts';
import type { TextRowsFormat } from '#core/rows/files/rows-file-source.ts';
import { createLocalData } from '#core/rows/local-data.ts';
import type { ResultData } from '#core/rows/result-data.ts';
import { encoderOf } from '#service/query/encode.ts';
import {
  definitionOf,
  isJson,
  makeTable,
  textsOf,
  type ValueColumn,
  type ValueTable,
} from './value-table.ts';

type Cells = readonly (readonly (string | null)[])[];

export interface FileReaders {
  /** Returns what differs, a line for each format and reader. */
  differences(table: ValueTable): Promise<readonly string[]>;
  close(): Promise<void>;
}

const nullTexts = ['', 'NULL', 'n/a'] as const;

/** @param office the program of LibreOffice, if it reads the workbooks, too; it takes seconds for each. */
export async function openReaders(postgres: PGlite, office?: string): Promise<FileReaders> {
  const folder = await mkdtemp(path.join(os.tmpdir(), 'identity-queries-values-'));
  const duck = await (await DuckDBInstance.create(':memory:', { threads: '1' })).connect();
  await duck.run(`SET TimeZone = 'UTC'`).catch(() => undefined); // needs an extension in some builds
  let count = 0;
  return {
    differences: async (table) => {
      const pick = <Item>(items: readonly [Item, ...Item[]]): Item =>
        items[Math.floor(table.random() * items.length)] ?? items[0];
      const nullText = pick(nullTexts);
      const written = async (format: FileFormat, guardFormulas = false) => {
        count += 1;
        const file = path.join(folder, `${count}.${format}`);
        await writeTable(table, { format, path: file, nullText, guardFormulas, ...fixed });
        return file;
      };
      const found: string[] = [];
      const check = async (name: string, read: () => Promise<string | undefined>) => {
        const difference = await read().catch((error: unknown) => `is refused: ${String(error)}`);
        if (difference !== undefined) found.push(`${name}: ${difference}`);
      };
      const setting: Setting = { table, postgres, duck, nullText };
      const csv = await written('csv');
      await check('CSV in PostgreSQL', () => csvInPostgres(csv, setting));
      await check('CSV in DuckDB', () => separatedInDuck(csv, ',', setting));
      const tsv = await written('tsv');
      await check('TSV in DuckDB', () => separatedInDuck(tsv, '\t', setting));
      const guarded = await written(pick(['csv', 'tsv']), true);
      await check('guarded text in SheetJS', () => noFormula(guarded));
      const list = await written('json');
      await check('JSON in PostgreSQL', () => jsonInPostgres(list, setting));
      const lines = await written('jsonl');
      await check('JSON Lines in PostgreSQL', () => jsonInPostgres(lines, setting));
      const insert = await written('insert');
      await check('INSERT in PostgreSQL', () => insertInPostgres(insert, setting));
      await check('lists in PostgreSQL', () => listsInPostgres(setting));
      const book = await written('xlsx');
      await check('Excel in SheetJS', () => excelInSheet(book, setting));
      if (office !== undefined)
        await check('Excel in LibreOffice', async () =>
          excelInSheet(await savedByOffice(office, book, folder), setting, officeValue),
        );
      await check('Parquet in DuckDB', async () => parquetInDuck(await written('parquet'), setting));
      const markdown = await written('markdown');
      await check('Markdown in marked', () => markdownInMarked(markdown, setting));
      for (const [format, file] of [
        ...([['csv', csv], ['tsv', tsv], ['json', list], ['jsonl', lines]] as const), // oxfmt-ignore
        [guarded.endsWith('csv') ? 'csv' : 'tsv', guarded],
      ] as const)
        await check(`${format} here`, () =>
          readHere(file, { ...setting, format, isGuarded: file === guarded }),
        );
      return found;
    },
    close: async () => {
      duck.closeSync();
      await rm(folder, { recursive: true });
    },
  };
}

interface Setting {
  readonly table: ValueTable;
  readonly postgres: PGlite;
  readonly duck: DuckDBConnection;
  readonly nullText: string;
}

const fixed = { tableName: 'copied', byteOrderMark: false } as const;

async function writeTable({ columns, rows }: ValueTable, options: FileOptions): Promise<void> {
  const file = await createLocalData().createFile(columns, options);
  try {
    await file.write(rows);
    await file.finish();
  } finally {
    await file.dispose();
  }
}

/** Returns the first cell that differs. */
function difference(found: Cells, expected: Cells, columns: readonly ValueColumn[]): string | undefined {
  if (found.length !== expected.length) return `${found.length} rows, not ${expected.length}`;
  for (const [row, cells] of expected.entries())
    for (const [column, text] of cells.entries()) {
      const other = found[row]?.[column];
      if (other !== text)
        return `${columns[column]?.values.type ?? ''} ${shortened(text)} comes back as ${shortened(other)}`;
    }
  return undefined;
}

function shortened(text: string | null | undefined): string {
  return (text === undefined ? 'nothing' : JSON.stringify(text)).slice(0, 200);
}

const isList = ({ type }: ValueColumn) => type.endsWith('[]');

/**
 * What docs/formats.md says about JSON: its NULL is NULL, its white space is lost, and a list in a list of JSON is an
 * element or a further dimension.
 */
function normalText(text: string | null, column: ValueColumn | undefined): string | null {
  if (text === null || column === undefined) return null;
  const written = column.type === 'jsonb[]' || column.type === 'json[]' ? encoderOf(column.type)(text) : text;
  return column.type.startsWith('json') ? written.replaceAll(/("(?:[^"\\]|\\.)*")|\s+/g, '$1') : written;
}

/** Compares the texts of typed values. */
function typedDifference(found: Cells, { columns, texts, shown }: ValueTable): string | undefined {
  const normal = (cells: Cells) =>
    cells.map((row) => row.map((text, column) => normalText(text, columns[column])));
  const expected = texts.map((row, at) =>
    row.map((text, column) => (shown[at]?.[column] === null ? null : text)),
  );
  return difference(normal(found), normal(expected), columns);
}

async function csvInPostgres(
  file: string,
  { table, postgres, nullText }: Setting,
): Promise<string | undefined> {
  const { columns, shown } = table;
  const types = columns
    .slice(1)
    .map((column) => ({ ...column.values, ...(isList(column) ? { type: 'text' } : {}) }));
  await makeTable(postgres, 'copied', definitionOf(types));
  const options = `FORMAT csv, HEADER true, NULL '${nullText}'`;
  await postgres.query(`COPY copied FROM '/dev/blob' WITH (${options})`, [], {
    blob: new Blob([new Uint8Array(await readFile(file))]),
  });
  const found = await textsOf(postgres, 'copied', types.length);
  // An array is written as JSON, as the service sends it.
  const written = columns.map((column) => (isList(column) ? { ...column, type: 'text' } : column));
  const texts = table.texts.map((row, at) =>
    row.map((text, column) => (written[column] === columns[column] ? text : (shown[at]?.[column] ?? null))),
  );
  return typedDifference(found, { ...table, columns: written, texts });
}

async function separatedInDuck(
  file: string,
  separator: string,
  { table: { columns, shown }, duck, nullText }: Setting,
): Promise<string | undefined> {
  const types = columns.map((_, index) => `'k${index}': 'VARCHAR'`).join(', ');
  const found = await duck.runAndReadAll(
    `SELECT * FROM read_csv('${file}', auto_detect = false, header = true, delim = '${separator}', quote = '"', escape = '"',
      nullstr = '${nullText}', allow_quoted_nulls = false, columns = {${types}}, max_line_size = 50000000)`,
  );
  return difference(found.getRows() as Cells, shown, columns); // all are texts
}

/** The text of a spreadsheet is no formula in any cell. */
async function noFormula(file: string): Promise<string | undefined> {
  const book = xlsx.read(await readFile(file), { type: 'buffer', raw: false });
  const sheet = book.Sheets[book.SheetNames[0] ?? ''] ?? {};
  for (const [place, cell] of Object.entries(sheet) as [string, xlsx.CellObject | undefined][])
    if (!place.startsWith('!') && cell?.f !== undefined) return `${place} is the formula ${cell.f}`;
  return undefined;
}

async function jsonInPostgres(file: string, setting: Setting): Promise<string | undefined> {
  const { table, postgres } = setting;
  const text = await readFile(file, 'utf8');
  const list = file.endsWith('.json') ? text : `[${text.trimEnd().split('\n').join(',')}]`;
  const types = table.columns.slice(1).map(({ values }) => values);
  await makeTable(postgres, 'copied', definitionOf(types));
  const keys = table.columns.slice(1).map((_, index) => `a -> $${index + 2} AS c${index}`);
  // The names of the file become those of the table.
  await postgres.query(
    `INSERT INTO copied SELECT typed.* FROM json_array_elements($1::json) AS one (a),
       LATERAL (SELECT to_json(renamed) AS object FROM (SELECT a -> 'row' AS "row"${keys.map((key) => `, ${key}`).join('')}) AS renamed) AS other,
       LATERAL json_populate_record(NULL::copied, object) AS typed`,
    [list, ...table.columns.slice(1).map(({ name }) => name)],
  );
  return typedDifference(await textsOf(postgres, 'copied', types.length), table);
}

async function insertInPostgres(file: string, { table, postgres }: Setting): Promise<string | undefined> {
  const types = table.columns.slice(1).map(({ values }) => values);
  const quoted = table.columns.map(({ name }) => `"${name.replaceAll('"', '""')}"`);
  await makeTable(
    postgres,
    'copied',
    table.columns.map(({ values }, index) => `${quoted[index] ?? ''} ${values.type}`).join(', '),
  );
  await postgres.exec(await readFile(file, 'utf8'));
  const rename = (from: string, to: string) => `ALTER TABLE copied RENAME COLUMN ${from} TO ${to}`;
  const renames = [
    ...types.map((_, index) => rename(quoted[index + 1] ?? '', `temporary${index}`)),
    ...types.map((_, index) => rename(`temporary${index}`, `c${index}`)),
  ];
  await postgres.exec(renames.join(';'));
  return typedDifference(await textsOf(postgres, 'copied', types.length), table);
}

/** A copied list selects the rows that it was copied from. */
async function listsInPostgres({ table, postgres }: Setting): Promise<string | undefined> {
  const { columns, rows, shown } = table;
  const data = await dataOf(table);
  const all = rows.map((_, row) => row);
  for (const [column, own] of columns.entries()) {
    if (column === 0 || own.values.isEqualityUnknown === true) continue;
    // PostgreSQL cannot read one literal of a composite type without a cast.
    const isOne =
      new Set(shown.map((row) => row[column])).size - Number(shown.some((row) => row[column] === null)) === 1;
    if (own.type === 'pair' && isOne) continue;
    const range = { firstRow: 0, lastRow: rows.length - 1, columns: [column] };
    const list = await data.ask('copy', { range, options: { ...copying, format: 'in-list' } });
    const { rows: found } = await postgres.query<{ row: number }>(
      `SELECT "row" FROM held WHERE c${column - 1} IN ${list} ORDER BY "row"`,
    );
    // NULL within JSON is NULL in the service's responses, and equals no JSON.
    const hasNull = (row: number) =>
      own.type === 'jsonb[]' && shown[row]?.[column]?.includes('null') === true;
    const expected = all.filter((row) => shown[row]?.[column] !== null && !hasNull(row));
    if (found.map(({ row }) => row).join() !== expected.join())
      return `${own.values.type}: ${list} finds ${found.map(({ row }) => row).join()}, not ${expected.join()}`;
  }
  data.dispose();
  return undefined;
}

const copying = { withHeaders: false, nullText: '', guardFormulas: false, tableName: 't' } as const;

async function dataOf({ columns, rows }: Pick<ValueTable, 'columns' | 'rows'>): Promise<ResultData> {
  const data = createLocalData().create(columns);
  await data.append(rows);
  return data;
}

async function excelInSheet(
  file: string,
  { table }: Setting,
  asSaved: (value: unknown) => unknown = lineBreaks,
): Promise<string | undefined> {
  const { columns, rows, shown } = table;
  const book = xlsx.read(await readFile(file), { type: 'buffer', cellText: false, cellNF: true });
  const sheet = book.Sheets[book.SheetNames[0] ?? ''] ?? {};
  for (const [column, own] of columns.entries()) {
    const head = cellAt(sheet, 0, column);
    if (head?.v !== own.name) return `the name ${shortened(own.name)} is ${shortened(String(head?.v))}`;
    const hasLongNumber = rows.some((_, row) => isLongNumber(shown[row]?.[column] ?? '', own));
    for (const row of rows.keys()) {
      const text = shown[row]?.[column] ?? null;
      const found = cellAt(sheet, row + 1, column);
      const expected =
        text === null ? undefined : excelValue(text, rows[row]?.[column], { own, hasLongNumber });
      const isSame = expected === undefined ? found === undefined : asSaved(found?.v) === asSaved(expected);
      // LibreOffice saves true as a call.
      if (!isSame || (found?.f !== undefined && typeof expected !== 'boolean'))
        return `${own.values.type} ${shortened(text)} is ${shortened(found === undefined ? null : String(found.v))}`;
    }
  }
  return undefined;
}

/** LibreOffice saves numbers with 15 digits, and no empty texts. */
function officeValue(value: unknown): unknown {
  if (typeof value === 'number') return value.toPrecision(15);
  return value === undefined ? '' : lineBreaks(value);
}

/** Opens and saves a workbook, and returns the file that was saved. */
async function savedByOffice(program: string, file: string, folder: string): Promise<string> {
  const [profile, saved] = [path.join(folder, 'profile'), path.join(folder, 'saved')];
  const args = ['--headless', `-env:UserInstallation=${pathToFileURL(profile).href}`];
  await execute(program, [...args, '--convert-to', 'xlsx', '--outdir', saved, file]);
  return path.join(saved, path.basename(file));
}

const execute = promisify(execFile);

function cellAt(sheet: xlsx.WorkSheet, r: number, c: number): xlsx.CellObject | undefined {
  return sheet[xlsx.utils.encode_cell({ r, c })] as xlsx.CellObject | undefined; // a cell's address has a cell
}

/** SheetJS writes one line break for two characters. */
function lineBreaks(value: unknown): unknown {
  return typeof value === 'string' ? value.replaceAll('\r\n', '\n') : value;
}

const floats = new Set(['float4', 'float8']);
const numbers = new Set([...floats, 'int2', 'int4', 'int8', 'oid', 'numeric']);
const times = new Set(['date', 'timestamp', 'timestamptz']);

function isLongNumber(text: string, { type }: ValueColumn): boolean {
  return numbers.has(type) && !floats.has(type) && /^-?\d{16,}(?:\.0*)?$/.test(text);
}

/** What docs/formats.md says about cells of Excel. */
function excelValue(
  text: string,
  value: unknown,
  { own, hasLongNumber }: { readonly own: ValueColumn; readonly hasLongNumber: boolean },
): string | number | boolean {
  if (typeof value === 'boolean') return value;
  if (numbers.has(own.type) || (isJson(own) && typeof value !== 'string' && !/^[[{]/.test(text)))
    return hasLongNumber || !/\d/.test(text) || Math.abs(Number(text)) >= 1e308 ? text : Number(text);
  if (!times.has(own.type))
    return text.length > 32_767 ? `${text.slice(0, 32_766).replace(/[\uD800-\uDBFF]$/, '')}…` : text;
  const at = /^(\d{4}-\d\d-\d\d)(?: (\d\d:\d\d:\d\d)(?:\.(\d+))?(?:\+00)?)?$/.exec(text);
  if (at === null) return text;
  const [, date = '', clock = '00:00:00', fraction = ''] = at;
  const days = Date.parse(`${date}T${clock}.${fraction.padEnd(3, '0').slice(0, 3)}Z`) / 86_400_000 + 25_569;
  return days >= 61 ? days : text;
}

async function parquetInDuck(file: string, { table, duck, postgres }: Setting): Promise<string | undefined> {
  const { columns, shown } = table;
  const reader = await duck.runAndReadAll(`DESCRIBE SELECT * FROM read_parquet('${file}')`);
  const types = reader.getRows().map((row) => String(row[1]));
  const names = reader.getRows().map((row) => String(row[0]));
  const named = names.slice(0, columns.length);
  const odd = new Set(names.slice(columns.length));
  if (named.join('\n') !== columns.map(({ name }) => name).join('\n')) return `the names are ${names.join()}`;
  const quoted = (name: string) => `"${name.replaceAll('"', '""')}"`;
  const cells = named.map((each, index) => {
    const name = quoted(each);
    const type = types[index] ?? '';
    if (type === 'DATE') return `(${name} - DATE '1970-01-01')::VARCHAR`;
    if (!type.startsWith('TIMESTAMP')) return `${name}::VARCHAR`;
    const moment = `CASE WHEN isinf(${name}) THEN ${name}::VARCHAR ELSE epoch_us(${name})::VARCHAR END`;
    // What is none of the column's type is text in a column of its own.
    return odd.has(`${each} (text)`) ? `coalesce(${moment}, ${quoted(`${each} (text)`)})` : moment;
  });
  const found = await duck.runAndReadAll(`SELECT ${cells.join(', ')} FROM read_parquet('${file}')`);
  const moments = await momentsOf(postgres, columns);
  const isText = (column: number) => types[column] === 'VARCHAR';
  const expected = shown.map((row, index) =>
    row.map((text, column) => {
      const at = moments.get(column)?.[index] ?? null;
      return at === null || isText(column) || isBeyondParquet(at) ? text : at;
    }),
  );
  const beyond = [...moments].filter(([column, all]) => !isText(column) && all.some(isBeyondParquet));
  if (beyond.length !== odd.size) return `${odd.size} columns of odd values, not ${beyond.length}`;
  const plain = (cells: Cells) =>
    cells.map((row) =>
      row.map((text, column) => (text === null ? null : numberText(text, types[column] ?? ''))),
    );
  for (const [column, { type, values }] of columns.entries())
    if (type === 'numeric' && types[column]?.startsWith('DECIMAL') !== isDecimal(expected, column))
      return `${values.type} is ${types[column] ?? ''}`;
  return difference(plain(found.getRows() as Cells), plain(expected), columns);
}

/** Whether 38 digits hold all numbers of a column with the most decimal places of any. */
function isDecimal(cells: Cells, column: number): boolean {
  const texts = cells.flatMap((row) => row[column] ?? []);
  const most = (count: (text: string) => number) => Math.max(0, ...texts.map(count));
  const whole = most((text) => text.replace('-', '').split('.')[0]?.length ?? 0);
  const scale = most((text) => text.split('.')[1]?.length ?? 0);
  return texts.every((text) => /^-?[\d.]+$/.test(text)) && whole + scale <= 38;
}

function numberText(text: string, type: string): string {
  if (type.startsWith('DECIMAL')) return text.includes('.') ? text.replace(/\.?0+$/, '') : text;
  return type === 'DOUBLE' ? floatText(text) : text;
}

function floatText(text: string): string {
  const value = Number(text.replace(/^inf$/, 'Infinity').replace(/^-inf$/, '-Infinity'));
  return Object.is(value, -0) ? '-0' : String(value);
}

/** Times after the year 294,246 are beyond 64 bits of microseconds since 1970. */
const isBeyondParquet = (at: string | null): boolean =>
  at !== null && /^\d+$/.test(at) && BigInt(at) >= 2n ** 63n;

/** Returns PostgreSQL's days or microseconds since 1970 of the columns with times. */
async function momentsOf(
  postgres: PGlite,
  columns: readonly ValueColumn[],
): Promise<ReadonlyMap<number, readonly (string | null)[]>> {
  const found = new Map<number, readonly (string | null)[]>();
  for (const [column, { type }] of columns.entries()) {
    if (!times.has(type)) continue;
    const name = `c${column - 1}`;
    const [finite, most] =
      type === 'date'
        ? [`(${name} - DATE '1970-01-01')`, `'2147483647'`]
        : [`trunc(extract(epoch FROM ${name}) * 1000000)`, `'infinity'`];
    const { rows } = await postgres.query<{ at: string | null }>(
      `SELECT CASE WHEN isfinite(${name}) THEN ${finite}::text WHEN ${name} > '2000-01-01' THEN ${most} WHEN num_nulls(${name}) = 0 THEN '-' || ${most} END AS at
       FROM held ORDER BY "row"`,
    );
    found.set(
      column,
      rows.map(({ at }) => at),
    );
  }
  return found;
}

async function markdownInMarked(file: string, { table, nullText }: Setting): Promise<string | undefined> {
  const page = await marked.parse(await readFile(file, 'utf8'));
  const body = /^<table>([\s\S]*)<\/table>\s*$/.exec(page)?.[1];
  if (body === undefined || body.includes('<table')) return 'is not one table';
  const shape = (text: string | null) => (text ?? nullText).replaceAll(/\s+/g, ' ').trim();
  const found = [...body.matchAll(/<tr>([\s\S]*?)<\/tr>/g)].map(([, row = '']) =>
    [...row.matchAll(/<t[hd]>([\s\S]*?)<\/t[hd]>/g)].map(([, cell = '']) => shape(plainText(cell))),
  );
  const expected = [table.columns.map(({ name }) => name), ...table.shown].map((row) => row.map(shape));
  return difference(found, expected, table.columns);
}

/** An address is a link with the same text. */
function plainText(cell: string): string {
  return cell
    .replaceAll('<br>', '\n')
    .replaceAll(/<a href="[^"]*">([^<]*)<\/a>/g, '$1')
    .replaceAll(/&(lt|gt|quot|amp|#39);/g, (whole) => entities.get(whole) ?? whole);
}

const entities = new Map([
  ['&lt;', '<'],
  ['&gt;', '>'],
  ['&quot;', '"'],
  ['&amp;', '&'],
  ['&#39;', "'"],
]);

/** Our own reader, by which files are compared. */
async function readHere(
  file: string,
  {
    table: { columns, rows, shown },
    nullText,
    format,
    isGuarded,
  }: Setting & { readonly format: TextRowsFormat; readonly isGuarded: boolean },
): Promise<string | undefined> {
  const count = shown.length;
  // Without rows, JSON has no names.
  if (count === 0 && format.startsWith('json')) return undefined;
  const held = await createLocalData().read({ path: file, format, rowLimit: 1_000, nullText, isGuarded });
  const names = held.columns.map(({ name }) => name);
  // Without rows, JSON has no names.
  if (count > 0 || !format.startsWith('json'))
    if (names.join('\n') !== columns.map(({ name }) => name).join('\n'))
      return `the names are ${names.join()}`;
  if (held.outcome.rowCount !== count) return `${held.outcome.rowCount} rows, not ${count}`;
  const found: (string | null)[][] = [];
  for (let row = 0; row < count; row += 1) {
    const [record] = await held.data.ask('records', { rows: [row] });
    found.push((record?.values ?? []).map(({ text }) => text));
  }
  held.data.dispose();
  // A file has no types, so that a text of JSON has no quotes.
  const expected = format.startsWith('json')
    ? shown.map((row, at) => row.map((text, column) => textOf(rows[at]?.[column]) ?? text))
    : shown;
  return difference(found, expected, columns);
}

function textOf(value: unknown): string | undefined {
  return typeof value === 'string' ? value : undefined;
}
