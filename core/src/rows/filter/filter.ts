/** Finds the rows that match filters, with one mark per row and one pass per filter, so rows are never copied. */
import { cellText } from '../chunk.ts';
import type { TypedColumn } from '../column-kind.ts';
import { orderOf, ownOrderOf, type TypeOrder } from '../order/type-order.ts';
import { cellTag, type Chunk, type ColumnChunk } from '../packed-rows.ts';
import type { ColumnFilter, CompareOperator, FilterRule, TextOperator } from '../rows.ts';
import { timeOf } from '../sort/sort.ts';
import { epochMicroseconds } from '../timestamps.ts';
import { eachMatch } from './match-text.ts';

/** Returns the rows of a chunk that match all filters, as ascending indexes within the chunk. */
export function matchingRows(
  chunk: Chunk,
  filters: readonly ColumnFilter[],
  typeOf: (column: number) => TypedColumn,
): Uint32Array<ArrayBuffer> {
  const misses = new Uint8Array(chunk.rowCount);
  for (const { column, rule } of filters) {
    const packed = chunk.columns[column];
    if (packed !== undefined) markMisses(packed, { rule, column: typeOf(column), misses });
  }
  const rows = new Uint32Array(chunk.rowCount);
  let count = 0;
  for (let row = 0; row < chunk.rowCount; row += 1) if (misses[row] === 0) rows[count++] = row;
  return rows.slice(0, count);
}

function markMisses(
  chunk: ColumnChunk,
  {
    rule,
    column,
    misses,
  }: { readonly rule: FilterRule; readonly column: TypedColumn; readonly misses: Uint8Array },
): void {
  if (rule.kind === 'text' && (rule.operator === 'contains' || rule.operator === 'does-not-contain')) {
    const holds = new Uint8Array(misses.length);
    eachMatch(chunk, misses.length, rule, (row) => (holds[row] = 1));
    const wanted = rule.operator === 'contains' ? 1 : 0;
    for (let row = 0; row < misses.length; row += 1) {
      if (holds[row] !== wanted || chunk.tags[row] === cellTag.null) misses[row] = 1;
    }
    return;
  }
  const meets = cellTest(rule, column);
  for (let row = 0; row < misses.length; row += 1) {
    if (misses[row] === 0 && !meets(chunk, row)) misses[row] = 1;
  }
}

type CellTest = (chunk: ColumnChunk, row: number) => boolean;

function cellTest(rule: FilterRule, column: TypedColumn): CellTest {
  switch (rule.kind) {
    case 'null':
      return (chunk, row) => (chunk.tags[row] === cellTag.null) === rule.isNull;
    case 'values':
      return valuesTest(rule.values, column);
    case 'text': {
      const text = rule.matchCase ? rule.text : rule.text.toLowerCase();
      const edge = edgeTest(rule, text);
      return (chunk, row) => {
        const isAtEdge = edge(chunk, row);
        if (isAtEdge !== undefined) return isAtEdge;
        const value = cellText(chunk, row);
        if (value === undefined) return false;
        return meetsText(rule.operator, rule.matchCase ? value : value.toLowerCase(), text);
      };
    }
    case 'compare':
      return compareTest(rule.operator, rule.text.trim(), column);
    default:
      return rule satisfies never;
  }
}

/**
 * Returns a test for whether a packed cell equals, starts with or ends with a string, comparing bytes. Undefined means
 * inconclusive, since some non-ASCII letters have ASCII lowercase forms.
 */
function edgeTest(
  { operator, matchCase }: { readonly operator: TextOperator; readonly matchCase: boolean },
  text: string,
): (chunk: ColumnChunk, row: number) => boolean | undefined {
  const isEdge = operator === 'equals' || operator === 'starts-with' || operator === 'ends-with';
  if (!isEdge || !/^[\x00-\x7f]*$/.test(text)) return () => undefined;
  const wanted = Buffer.from(text);
  return ({ tags, bytes, offsets }, row) => {
    const tag = tags[row];
    const isPacked = tag === cellTag.text || tag === cellTag.exact || tag === cellTag.json;
    if (!isPacked || bytes === undefined || offsets === undefined) return undefined;
    const start = offsets[row] ?? 0;
    const length = (offsets[row + 1] ?? 0) - start;
    const compared = Math.min(length, wanted.length);
    const first = operator === 'ends-with' ? length - compared : 0;
    const wantedFirst = operator === 'ends-with' ? wanted.length - compared : 0;
    let isSame = true;
    for (let index = 0; index < compared; index += 1) {
      let byte = bytes[start + first + index] ?? 0;
      if (byte >= 0x80) return undefined;
      if (!matchCase && byte >= 0x41 && byte <= 0x5a) byte += 0x20;
      if (byte !== wanted[wantedFirst + index]) {
        if (operator !== 'ends-with') return false;
        isSame = false;
      }
    }
    return isSame && compared === wanted.length && (operator !== 'equals' || length === compared);
  };
}

/** Finds the values that equal one of those wanted, however they are written. */
function valuesTest(wanted: readonly (string | null)[], { type, kind }: TypedColumn): CellTest {
  const isWritten = writtenTest(wanted);
  const { identityOf, isInByteOrder } = orderOf(type, kind);
  if (kind === 'text' && ownOrderOf(type) === undefined) return isWritten;
  const texts = wanted.filter((value) => value !== null);
  const keys = new Set(texts.map(identityOf));
  const areKeys = texts.every((text) => keys.has(text));
  const numbers = new Set([...keys].map(Number).filter((value) => keys.has(identityOf(String(value)))));
  const times = new Set(texts.map(epochMicroseconds));
  const isOfKind = ownOrderOf(type) === undefined && (kind === 'number' || kind === 'json');
  const mayBe: CellTest = isOfKind ? spellingTest([...keys], kind) : () => true;
  return (chunk, row) => {
    if (isWritten(chunk, row)) return true;
    const { tags, bytes, offsets } = chunk;
    if (tags[row] === cellTag.null) return false;
    if (tags[row] === cellTag.number && kind === 'number') return numbers.has(chunk.numbers?.[row] ?? 0);
    const [start, end] = [offsets?.[row] ?? 0, offsets?.[row + 1] ?? 0];
    // These have one spelling, which is their key.
    if (areKeys && bytes !== undefined && isInByteOrder?.(bytes, start, end) === true) return false;
    if (!mayBe(chunk, row)) return false;
    const time = kind === 'time' ? timeOf(chunk, row) : Number.NaN;
    return Number.isSafeInteger(time) ? times.has(time) : keys.has(identityOf(cellText(chunk, row) ?? ''));
  };
}

/**
 * Tells by its bytes which cell may be a number or JSON of these keys in another spelling, since parsing each would take
 * most of the time. Blanks, signs, zeros and the order of members change none of the other characters.
 */
function spellingTest(keys: readonly string[], kind: 'number' | 'json'): CellTest {
  const weights = spellingWeights[kind];
  const packedTag = kind === 'json' ? cellTag.json : cellTag.text;
  const sums = new Set<number>();
  for (const key of keys) {
    // Only a cell with an escape equals one, and has no sum.
    if (kind === 'json' && key.includes('\\')) continue;
    const bytes = Buffer.from(key);
    const sum = spellingSum(weights, bytes, { start: 0, end: bytes.length });
    // Any spelling may be this one.
    if (sum === undefined || !/^[[{"\d.-]/.test(key)) return () => true;
    sums.add(sum);
  }
  return ({ tags, bytes, offsets }, row) => {
    const tag = tags[row];
    if ((tag !== packedTag && tag !== cellTag.exact) || bytes === undefined) return true;
    const sum = spellingSum(weights, bytes, { start: offsets?.[row] ?? 0, end: offsets?.[row + 1] ?? 0 });
    return sum === undefined || sums.has(sum);
  };
}

/** What each byte adds: nothing for those that another spelling may have more of. */
const spellingWeights = {
  number: weightsWithout(/[\s+\-.0\x80-\xff]/),
  json: weightsWithout(/[ \t\r\n+\-.0]/),
};

function weightsWithout(other: RegExp): Int32Array {
  return Int32Array.from({ length: 256 }, (_, byte) =>
    other.test(String.fromCharCode(byte)) ? 0 : Math.imul(byte ** 3 + 1, 0x9e3779b1),
  );
}

/** Returns the same number for all spellings of a value; undefined if it has an escape or an exponent. */
function spellingSum(
  weights: Int32Array,
  bytes: Uint8Array,
  { start, end }: { readonly start: number; readonly end: number },
): number | undefined {
  let sum = 0;
  let isText = false;
  let before = 0;
  for (let index = start; index < end; index += 1) {
    const byte = bytes[index] ?? 0;
    if (byte === 0x5c) return undefined;
    if (byte === 0x22) isText = !isText;
    // An `e` behind a digit or a point.
    if (!isText && (byte | 0x20) === 0x65 && before >= 0x2e && before <= 0x39) return undefined;
    sum = (sum + (weights[byte] ?? 0)) | 0;
    before = byte;
  }
  return sum;
}

/** Compares bytes, since creating a string per cell would take most of the time. */
function writtenTest(wanted: readonly (string | null)[]): CellTest {
  const values = new Set(wanted);
  const texts = wanted.filter((value) => value !== null).map((value) => Buffer.from(value));
  const byLength = Map.groupBy(texts, ({ length }) => length);
  return (chunk, row) => {
    const { tags, bytes, offsets } = chunk;
    const tag = tags[row];
    const isPacked = tag === cellTag.text || tag === cellTag.exact || tag === cellTag.json;
    if (!isPacked || bytes === undefined || offsets === undefined)
      return values.has(cellText(chunk, row) ?? null);
    const start = offsets[row] ?? 0;
    const candidates = byLength.get((offsets[row + 1] ?? 0) - start);
    return candidates?.some((candidate) => isAt(bytes, start, candidate)) ?? false;
  };
}

function isAt(bytes: Uint8Array, start: number, wanted: Buffer): boolean {
  for (let index = 0; index < wanted.length; index += 1) {
    if (bytes[start + index] !== wanted[index]) return false;
  }
  return true;
}

function meetsText(operator: TextOperator, value: string, text: string): boolean {
  switch (operator) {
    case 'contains':
      return value.includes(text);
    case 'does-not-contain':
      return !value.includes(text);
    case 'equals':
      return value === text;
    case 'starts-with':
      return value.startsWith(text);
    case 'ends-with':
      return value.endsWith(text);
    default:
      return operator satisfies never;
  }
}

/** Maximum number of digits that a double always represents exactly. */
const doubleDigitsMax = 15;

function compareTest(operator: CompareOperator, text: string, { type, kind }: TypedColumn): CellTest {
  const isMet = meetsOrder(operator);
  const order = orderOf(type, kind);
  if (!order.has(text)) return notAValue(operator, order, text);
  // The texts of equal JSON are in no common order.
  const key = kind === 'json' ? order.identityOf(text) : undefined;
  const compared: CellTest = (chunk, row) => {
    const value = cellText(chunk, row);
    if (value === undefined) return false;
    const isSame = value === text || (key !== undefined && order.identityOf(value) === key);
    // A text that is no value of the type differs from every value.
    return order.has(value) ? isMet(isSame ? 0 : order.compare(value, text)) : operator === '<>';
  };
  if (kind === 'number') {
    const bound = Number(text);
    const isDouble = text.replace(/\D/g, '').length <= doubleDigitsMax && Number.isFinite(bound);
    return (chunk, row) =>
      chunk.tags[row] === cellTag.number && isDouble
        ? isMet((chunk.numbers?.[row] ?? Number.NaN) - bound)
        : compared(chunk, row);
  }
  if (kind === 'time') {
    const bound = epochMicroseconds(text);
    return (chunk, row) => {
      if (chunk.tags[row] === cellTag.null) return false;
      const time = timeOf(chunk, row);
      const isExact = Math.max(Math.abs(time), Math.abs(bound)) <= Number.MAX_SAFE_INTEGER;
      return isExact ? isMet(time - bound) : compared(chunk, row);
    };
  }
  return compared;
}

/** A bound that is no value of the type equals only the same text. */
function notAValue(operator: CompareOperator, order: TypeOrder, text: string): CellTest {
  return (chunk, row) => {
    const value = cellText(chunk, row);
    if (value === undefined) return false;
    if (operator === '<>') return value !== text;
    return !order.has(value) && meetsOrder(operator)(order.compare(value, text));
  };
}

/** Returns a test for the difference of two values. */
function meetsOrder(operator: CompareOperator): (difference: number) => boolean {
  switch (operator) {
    case '=':
      return (difference) => difference === 0;
    case '<>':
      return (difference) => difference !== 0;
    case '<':
      return (difference) => difference < 0;
    case '<=':
      return (difference) => difference <= 0;
    case '>':
      return (difference) => difference > 0;
    case '>=':
      return (difference) => difference >= 0;
    default:
      return operator satisfies never;
  }
}
