/**
 * Packs a result page directly from the response bytes. No value is created per cell, so no number is ever rounded, and
 * a page takes a fraction of the time and memory of parsing. Any shape other than an object whose rows are arrays goes
 * to the parser, which also reports invalid JSON.
 */
import { isUtf8 } from 'node:buffer';
import { saysError } from '#api/client/answers/outcome.ts';
import { jsonText, parseJson, type JsonValue } from '#api/client/json.ts';
import {
  decodePageHead,
  isMostlyEmpty,
  mayBeColumns,
  rowsMembers,
  type PageHead,
} from '#api/client/query-page.ts';
import { BodyMemory } from '#api/client/requests/body-memory.ts';
import type { BytesReader } from '#api/client/requests/requester.ts';
import { cellTag, type CellTag, type Chunk } from '../packed-rows.ts';
import { ColumnBuilder, finishColumns } from './column-builder.ts';
import { ascii, numberEnd, skipSpace, stringEnd, valueEnd } from './json-text.ts';
import { LentMemory } from './lent-memory.ts';

export interface PackedPage extends PageHead {
  readonly rows: Chunk;
}

/**
 * The representation of numbers: `doubles` stores a number as a double if it prints the same, for rows that are sorted
 * and summed. `texts` stores it as text in borrowed memory (`Chunk.done`), for rows that are written but not kept.
 */
export type PackedNumbers = 'doubles' | 'texts';

const rowNames: ReadonlySet<string> = new Set(rowsMembers);
/** Pages with more columns go to the parser. */
const columnsMax = 2_000;

/** Reuses its memory across pages, so each run needs its own scanner. */
export class PageScanner implements BytesReader<PackedPage> {
  readonly memory = new BodyMemory();
  readonly #numbers: PackedNumbers;
  readonly #lent = new LentMemory();
  readonly #columns: ColumnBuilder[] = [];
  #room = 1_024;

  constructor(numbers: PackedNumbers) {
    this.#numbers = numbers;
  }

  readonly read = (bytes: Uint8Array<ArrayBuffer>): PackedPage | undefined => this.scan(bytes);

  /**
   * Packs a page.
   * @returns undefined if the page needs the parser.
   */
  scan(bytes: Uint8Array<ArrayBuffer>): PackedPage | undefined {
    if (!isUtf8(bytes)) return undefined;
    const members = new Map<string, JsonValue>();
    let rows: Rows | undefined;
    let at = skipSpace(bytes, 0);
    if (bytes[at] !== ascii.openObject) return undefined;
    do {
      const name = memberName(bytes, skipSpace(bytes, at + 1));
      if (name === undefined) return undefined;
      if (rowNames.has(name.text)) {
        // If more than one member could contain the rows, the parser decides.
        if (rows !== undefined) return undefined;
        rows = this.#scanRows(bytes, name.valueAt);
        if (rows === undefined) return undefined;
        at = skipSpace(bytes, rows.end);
      } else {
        const end = valueEnd(bytes, name.valueAt);
        const value = end < 0 ? undefined : parsed(bytes, name.valueAt, end);
        if (value === undefined) return undefined;
        members.set(name.text, value);
        at = skipSpace(bytes, end);
      }
    } while (bytes[at] === ascii.comma);
    const isWhole = bytes[at] === ascii.closeObject && skipSpace(bytes, at + 1) === bytes.length;
    if (!isWhole || rows === undefined || saysError(members)) return undefined;
    // The parser finds out whether these are columns rather than rows.
    if (rows.width !== rows.rowCount && mayBeColumns(members.get('columns'), rows.rowCount)) return undefined;
    const head = decodePageHead(members, rows.width);
    // A cell with a value takes two bytes or more. The parser counts them.
    if (isMostlyEmpty(rows.rowCount * head.columns.length, bytes.length / 2)) return undefined;
    return this.#page(head, rows);
  }

  #page(head: PageHead, { rowCount, width }: Rows): PackedPage {
    const builders = this.#columns.slice(0, width);
    if (this.#numbers === 'doubles') {
      const columns = finishColumns(builders, rowCount, (size) => new ArrayBuffer(size));
      return { ...head, rows: { rowCount, columns } };
    }
    let memory: SharedArrayBuffer | undefined;
    // Readers do not depend on whether the memory is shared.
    const take = (size: number) => (memory = this.#lent.take(size)) as ArrayBufferLike as ArrayBuffer;
    const columns = finishColumns(builders, rowCount, take);
    const done = () => {
      if (memory !== undefined) this.#lent.give(memory);
      memory = undefined;
    };
    return { ...head, rows: { rowCount, columns, done } };
  }

  #scanRows(bytes: Uint8Array<ArrayBuffer>, start: number): Rows | undefined {
    if (bytes[start] !== ascii.openList) return undefined;
    let at = skipSpace(bytes, start + 1);
    if (bytes[at] === ascii.closeList) return { rowCount: 0, width: 0, end: at + 1 };
    let width = 0;
    for (let row = 0; ; row += 1) {
      if (row === this.#room) this.#growRows();
      if (bytes[at] !== ascii.openList) return undefined;
      let cell = 0;
      at = skipSpace(bytes, at + 1);
      if (bytes[at] === ascii.closeList) at += 1;
      else {
        for (;;) {
          if (cell === width) {
            if (width === columnsMax) return undefined;
            this.#begin(width, row);
            width += 1;
          }
          const column = this.#columns[cell];
          if (column === undefined) return undefined;
          at = this.#takeCell(bytes, at, column, row);
          if (at < 0) return undefined;
          cell += 1;
          if (bytes[at] !== ascii.comma) at = skipSpace(bytes, at);
          if (bytes[at] === ascii.closeList) break;
          if (bytes[at] !== ascii.comma) return undefined;
          at = skipSpace(bytes, at + 1);
        }
        at += 1;
      }
      for (; cell < width; cell += 1) this.#columns[cell]?.endCell(row, cellTag.null);
      if (bytes[at] !== ascii.comma) at = skipSpace(bytes, at);
      if (bytes[at] === ascii.closeList) return { rowCount: row + 1, width, end: at + 1 };
      if (bytes[at] !== ascii.comma) return undefined;
      at = skipSpace(bytes, at + 1);
    }
  }

  #growRows(): void {
    this.#room *= 2;
    for (const column of this.#columns) column.growRows(this.#room);
  }

  #begin(index: number, rows: number): void {
    const column = (this.#columns[index] ??= new ColumnBuilder(this.#room));
    column.begin(rows);
  }

  /**
   * Packs one cell.
   * @returns the position after the cell, or -1 if it is invalid.
   */
  #takeCell(bytes: Uint8Array<ArrayBuffer>, at: number, column: ColumnBuilder, row: number): number {
    switch (bytes[at]) {
      case ascii.quote:
        return takeText(bytes, at + 1, column, row);
      case 0x6e:
        column.endCell(row, cellTag.null);
        return wordEnd(bytes, at, nullWord);
      case 0x74:
        column.endCell(row, cellTag.true);
        return wordEnd(bytes, at, trueWord);
      case 0x66:
        column.endCell(row, cellTag.false);
        return wordEnd(bytes, at, falseWord);
      case ascii.openList:
      case ascii.openObject:
        return takeNested(bytes, at, column, row);
      default:
        return this.#takeNumber(bytes, at, column, row);
    }
  }

  #takeNumber(bytes: Uint8Array<ArrayBuffer>, at: number, column: ColumnBuilder, row: number): number {
    const end = numberEnd(bytes, at);
    if (end < 0) return -1;
    if (this.#numbers === 'doubles') {
      const value = shortInteger(bytes, at, end) ?? exactDouble(bytes, at, end);
      if (value !== undefined) {
        column.putNumber(row, value);
        return end;
      }
    }
    copyText(bytes, { start: at, end }, column, { row, tag: cellTag.exact });
    return end;
  }
}

interface Rows {
  readonly rowCount: number;
  readonly width: number;
  /** Position after the list of rows. */
  readonly end: number;
}

/** Returns a member name without escapes, and the start of its value. */
function memberName(
  bytes: Uint8Array<ArrayBuffer>,
  at: number,
): { readonly text: string; readonly valueAt: number } | undefined {
  if (bytes[at] !== ascii.quote) return undefined;
  const end = stringEnd(bytes, at + 1);
  if (end < 0) return undefined;
  const text = textOf(bytes, at + 1, end - 1);
  const colon = skipSpace(bytes, end);
  if (text.includes('\\') || bytes[colon] !== ascii.colon) return undefined;
  return { text, valueAt: skipSpace(bytes, colon + 1) };
}

/**
 * Strings up to this length, which are the most common, are copied byte by byte while searching for the closing quote.
 */
const shortText = 128;

/**
 * Packs a string.
 * @param at the position after the opening quote.
 */
function takeText(bytes: Uint8Array<ArrayBuffer>, at: number, column: ColumnBuilder, row: number): number {
  const into = column.reserve(shortText);
  const stop = at + shortText;
  const shift = column.end - at;
  let place = at;
  for (; place < stop; place += 1) {
    const byte = bytes[place] ?? 0;
    if (byte === ascii.quote) {
      column.endText(row, cellTag.text, place + shift);
      return place + 1;
    }
    if (byte === ascii.backslash || byte < 0x20) break;
    into[place + shift] = byte;
  }
  return takeOtherText(bytes, at, column, row);
}

/** Packs a string that is long or contains escapes. */
function takeOtherText(
  bytes: Uint8Array<ArrayBuffer>,
  at: number,
  column: ColumnBuilder,
  row: number,
): number {
  const end = stringEnd(bytes, at);
  if (end < 0) return -1;
  if (bytes.subarray(at, end).includes(ascii.backslash)) {
    const text = parsed(bytes, at - 1, end);
    // JSON allows unpaired surrogates but UTF-8 does not, so the parser handles them.
    if (typeof text !== 'string' || !text.isWellFormed()) return -1;
    column.putText(row, cellTag.text, text);
  } else {
    copyText(bytes, { start: at, end: end - 1 }, column, { row, tag: cellTag.text });
  }
  return end;
}

function takeNested(bytes: Uint8Array<ArrayBuffer>, at: number, column: ColumnBuilder, row: number): number {
  const end = valueEnd(bytes, at);
  const value = end < 0 ? undefined : parsed(bytes, at, end);
  if (value === undefined) return -1;
  column.putText(row, cellTag.json, jsonText(value));
  return end;
}

function copyText(
  bytes: Uint8Array<ArrayBuffer>,
  { start, end }: { readonly start: number; readonly end: number },
  column: ColumnBuilder,
  { row, tag }: { readonly row: number; readonly tag: CellTag },
): void {
  const into = column.reserve(end - start);
  const from = column.end;
  if (end - start > shortText) into.set(bytes.subarray(start, end), from);
  else for (let place = start; place < end; place += 1) into[from + place - start] = bytes[place] ?? 0;
  column.endText(row, tag, from + end - start);
}

/** Maximum number of digits that a double always represents exactly. */
const exactDigits = 15;

/**
 * Parses an integer. Undefined for longer numbers, fractions, exponents, and negative zero, which prints without its
 * sign.
 */
function shortInteger(bytes: Uint8Array<ArrayBuffer>, start: number, end: number): number | undefined {
  const isNegative = bytes[start] === ascii.minus;
  const first = isNegative ? start + 1 : start;
  if (end - first > exactDigits || (isNegative && bytes[first] === ascii.zero)) return undefined;
  let value = 0;
  for (let place = first; place < end; place += 1) {
    const digit = (bytes[place] ?? 0) - ascii.zero;
    if (digit < 0 || digit > 9) return undefined;
    value = value * 10 + digit;
  }
  return isNegative ? -value : value;
}

/** Parses a number. Undefined if the double prints differently. */
function exactDouble(bytes: Uint8Array<ArrayBuffer>, start: number, end: number): number | undefined {
  const text = textOf(bytes, start, end);
  const value = Number(text);
  return String(value) === text ? value : undefined;
}

const nullWord = Buffer.from('null');
const trueWord = Buffer.from('true');
const falseWord = Buffer.from('false');

function wordEnd(bytes: Uint8Array<ArrayBuffer>, at: number, word: Uint8Array): number {
  for (let place = 1; place < word.length; place += 1) if (bytes[at + place] !== word[place]) return -1;
  return at + word.length;
}

/** Parses JSON. Undefined if it is invalid. */
function parsed(bytes: Uint8Array<ArrayBuffer>, start: number, end: number): JsonValue | undefined {
  try {
    return parseJson(textOf(bytes, start, end));
  } catch (error) {
    if (error instanceof SyntaxError) return undefined;
    throw error;
  }
}

function textOf(bytes: Uint8Array<ArrayBuffer>, start: number, end: number): string {
  return Buffer.from(bytes.buffer, bytes.byteOffset + start, end - start).toString('utf8');
}
