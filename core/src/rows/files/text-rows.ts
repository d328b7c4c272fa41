/** Reads rows from files exported by this or other programs: CSV, tab-separated values, JSON Lines, or a JSON array. */
import { createReadStream } from 'node:fs';
import { stat } from 'node:fs/promises';
import { parseJson, type JsonValue } from '#api/client/json.ts';
import { isMostlyEmpty } from '#api/client/query-page.ts';
import { t } from '#base/texts.ts';
import type { CallContext } from '../calls.ts';
import { packRows } from '../chunk.ts';
import { ResultStore } from '../store/result-store.ts';
import { CsvReader, type CsvField } from './csv.ts';
import { guardFormula, unguardFormula } from './formula-guard.ts';
import { InferredKind } from './inferred-kind.ts';
import { RowsFileError } from './rows-file-error.ts';
import type { RowsFileSource, TextRowsFormat } from './rows-file-source.ts';
import { StrictDecoder } from './strict-decoder.ts';

type Source = RowsFileSource & { readonly format: TextRowsFormat };
type Values = readonly unknown[];

interface Batch {
  /** Column names, the same in all batches. */
  readonly names: readonly string[];
  readonly rows: readonly Values[];
}

const batchRows = 10_000;
/** A JSON array is read as a whole, so its size is limited. */
const listBytesMax = 256_000_000;

/** @throws RowsFileError if the file does not contain rows. */
export async function readTextRows(
  source: Source,
  { pause, progress }: CallContext,
): Promise<{ readonly store: ResultStore; readonly isCut: boolean }> {
  const kinds: InferredKind[] = [];
  let store: ResultStore | undefined;
  let isCut = false;
  for await (const { names, rows } of batchesOf(source)) {
    store ??= new ResultStore(names.map((name) => ({ name, type: '' })));
    while (kinds.length < names.length) kinds.push(new InferredKind());
    const room = source.rowLimit - store.rowCount;
    isCut = rows.length > room;
    const packing = names.map(() => ({ isJson: false }));
    const taken = isCut ? rows.slice(0, room) : rows;
    for (const [column, kind] of kinds.entries()) kind.add(taken, column);
    store.append(packRows(taken, packing));
    progress(store.rowCount);
    await pause();
    if (isCut) break;
  }
  if (store === undefined) throw new RowsFileError(t('The file is empty.'));
  store.setInferredKinds(kinds.map(({ kind }) => kind));
  return { store, isCut };
}

function batchesOf(source: Source): AsyncGenerator<Batch, void, void> {
  switch (source.format) {
    case 'csv':
    case 'tsv':
      return separatedBatches(source);
    case 'jsonl':
      return lineBatches(source);
    case 'json':
      return listBatches(source);
    default:
      return source.format satisfies never;
  }
}

async function* pieces({
  path,
  encoding = 'utf-8',
}: Pick<Source, 'path' | 'encoding'>): AsyncGenerator<string, void, void> {
  const decoder = new StrictDecoder(encoding);
  let isFirst = true;
  for await (const piece of createReadStream(path, { highWaterMark: 1 << 18 })) {
    const text = decoder.decode(piece as Buffer); // no encoding is set, so the stream yields buffers
    if (isFirst && text.slice(0, 100).includes('\0'))
      throw new RowsFileError(t('The file is not UTF-8 text. Save it as UTF-8, then compare again.'));
    yield isFirst ? text.replace(/^\uFEFF/, '') : text;
    isFirst = false;
  }
  decoder.end();
}

async function* separatedBatches(source: Source): AsyncGenerator<Batch, void, void> {
  let reader: CsvReader | undefined;
  let names: readonly string[] | undefined;
  let waiting: Values[] = [];
  let line = 0;
  const take = (rows: readonly CsvField[][]) => {
    for (const row of rows) {
      line += 1;
      if (names === undefined) {
        names = row.map((field) => textOf(field, source.isGuarded));
        continue;
      }
      if (row.length !== names.length) {
        throw new RowsFileError(
          t(
            'The number of fields in row {0} is {1}, but the header has {2}.',
            line - 1,
            row.length,
            names.length,
          ),
        );
      }
      waiting.push(row.map((field) => valueOf(field, source)));
    }
  };
  for await (const piece of pieces(source)) {
    reader ??= new CsvReader(source.format === 'tsv' ? '\t' : separatorOf(piece));
    take(reader.push(piece));
    if (names !== undefined && waiting.length >= batchRows) {
      yield { names, rows: waiting };
      waiting = [];
    }
  }
  if (reader?.isOpen === true)
    throw new RowsFileError(t('The file ends inside quotes, so it is incomplete.'));
  take(reader?.end() ?? []);
  if (names !== undefined) yield { names, rows: waiting };
}

/** Detects the separator. Spreadsheets in many locales write semicolons. */
function separatorOf(piece: string): string {
  const head = /^(?:"(?:[^"]|"")*"|[^"\r\n])*/.exec(piece)?.[0].replace(/"(?:[^"]|"")*"/g, '') ?? '';
  const counts = [',', ';', '\t'].map((one) => ({ one, count: head.split(one).length }));
  return counts.reduce((best, next) => (next.count > best.count ? next : best)).one;
}

function valueOf(field: CsvField, source: Source): string | null {
  const { text, isQuoted } = field;
  return !isQuoted && (text === '' || isNull(text, source)) ? null : textOf(field, source.isGuarded);
}

/** Returns whether an unquoted field is the NULL text, with or without the formula guard. */
function isNull(text: string, { nullText, isGuarded }: Source): boolean {
  if (!isGuarded) return text === nullText;
  return text === guardFormula(nullText) || (text === nullText && unguardFormula(text) === text);
}

function textOf({ text }: CsvField, isGuarded: boolean): string {
  return isGuarded ? unguardFormula(text) : text;
}

async function* lineBatches(source: Source): AsyncGenerator<Batch, void, void> {
  let rest = '';
  let line = 0;
  let names: readonly string[] | undefined;
  let waiting: JsonRow[] = [];
  const take = (text: string) => {
    line += 1;
    if (text.trim() !== '') waiting.push(rowOf(parsed(text, line), line));
  };
  for await (const piece of pieces(source)) {
    const lines = (rest + piece).split('\n');
    rest = lines.pop() ?? '';
    for (const text of lines) take(text);
    if (waiting.length < batchRows) continue;
    names ??= namesOf(waiting);
    yield batchOf(names, waiting);
    waiting = [];
  }
  take(rest);
  names ??= namesOf(waiting);
  if (names.length > 0) yield batchOf(names, waiting);
}

async function* listBatches(source: Source): AsyncGenerator<Batch, void, void> {
  const { size } = await stat(source.path);
  if (size > listBytesMax)
    throw new RowsFileError(t('The file is too large for a JSON list. Export as JSON Lines or CSV instead.'));
  let text = '';
  for await (const piece of pieces(source)) text += piece;
  const list = parsed(text, 1);
  if (!Array.isArray(list)) throw new RowsFileError(t('The file contains no JSON list of rows.'));
  const rows = list.map((value, index) => rowOf(value, index + 1));
  const names = namesOf(rows);
  for (let first = 0; first < rows.length; first += batchRows)
    yield batchOf(names, rows.slice(first, first + batchRows));
}

interface JsonRow {
  readonly line: number;
  readonly members: ReadonlyMap<string, JsonValue>;
}

function parsed(text: string, line: number): JsonValue {
  try {
    return parseJson(text);
  } catch (error) {
    throw new RowsFileError(t('Line {0} is not JSON.', line), { cause: error });
  }
}

function rowOf(value: JsonValue, line: number): JsonRow {
  if (value === null || typeof value !== 'object' || Array.isArray(value))
    throw new RowsFileError(t('Row {0} is not a JSON object.', line));
  return { line, members: new Map(Object.entries(value)) };
}

function namesOf(rows: readonly JsonRow[]): string[] {
  const names = rows.flatMap(({ members }) => [...members.keys()]);
  const all = [...new Set(names)];
  // Rows that share next to no column are refused for it: each would have a cell for each column.
  return isMostlyEmpty(rows.length * all.length, names.length) ? [...(rows[0]?.members.keys() ?? [])] : all;
}

function batchOf(names: readonly string[], rows: readonly JsonRow[]): Batch {
  const known = new Set(names);
  return {
    names,
    rows: rows.map(({ line, members }) => {
      const other = [...members.keys()].find((name) => !known.has(name));
      if (other !== undefined)
        throw new RowsFileError(t('Row {0} has a column that no earlier row has: {1}', line, other));
      return names.map((name) => members.get(name) ?? null);
    }),
  };
}
