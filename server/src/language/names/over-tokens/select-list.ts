/** Reads the outputs in a SELECT list. */
import { nameAt } from '#server/language/text/identifiers.ts';
import { needsAs } from '#server/language/text/keywords.ts';
import { TokenKind, type TokenList } from '#server/language/text/lexer/tokens.ts';
import { readExpression } from './mentions.ts';
import { firstSelect, type Definition, type OutlineSelect } from './outline.ts';
import { definitionAt, isWholeQuery, type OutlineReading, type Visible } from './reading.ts';
import { endsOperand, isReserved, isSyntaxWord } from './words.ts';

export function readOutputs(
  r: OutlineReading,
  select: OutlineSelect,
  start: number,
  last: number,
  tables: Visible | undefined,
): void {
  const { code } = r;
  let first = start;
  if (code.word(first) === 'all') {
    first++;
  } else if (code.word(first) === 'distinct') {
    first++;
    if (code.word(first) === 'on' && code.is(first + 1, '(')) {
      const close = r.skip(first + 1, last);
      readExpression(r, select, first + 2, close - 1, 'order', tables);
      first = close + 1;
    }
  }
  for (const [from, to] of splitByCommas(r, first, last)) {
    if (from <= to) readOutput(r, select, from, to, tables);
  }
}

function splitByCommas(
  r: OutlineReading,
  first: number,
  last: number,
): readonly (readonly [number, number])[] {
  const parts: [number, number][] = [];
  let start = first;
  for (let index = first; index <= last; index = r.skip(index, last) + 1) {
    if (r.code.is(index, ',')) {
      parts.push([start, index - 1]);
      start = index + 1;
    }
  }
  return start <= last ? [...parts, [start, last]] : parts;
}

function readOutput(
  r: OutlineReading,
  select: OutlineSelect,
  first: number,
  last: number,
  tables: Visible | undefined,
): void {
  const { code } = r;
  const hasAs = last - 1 > first && code.word(last - 1) === 'as' && !code.is(last - 2, '.');
  const alias = hasAs || isBareAlias(r, first, last) ? definitionAt(r, 'column', last) : undefined;
  const end = alias === undefined ? last : last - (hasAs ? 2 : 1);
  readExpression(r, select, first, end, 'expression', tables);
  const output = { first, last };
  if (alias !== undefined) {
    select.outputs.push({ ...output, definition: alias });
  } else if (code.is(end, '*') && (end === first || code.is(end - 1, '.'))) {
    const qualifier = nameAt(code, end - 2);
    select.outputs.push({ ...output, star: end === first || qualifier === undefined ? [] : [qualifier] });
  } else {
    const definition = namingDefinition(r, first, end);
    const field = code.is(last - 1, '.') && code.is(last - 2, ')') ? nameAt(code, last) : undefined;
    if (definition !== undefined) select.outputs.push({ ...output, definition });
    else select.outputs.push(field === undefined ? output : { ...output, name: field });
  }
}

/** Returns the name that PostgreSQL gives an output without one: that of a column or a function in it. */
function namingDefinition(r: OutlineReading, first: number, last: number): Definition | undefined {
  const { token, query } = namingPart(r, first, last) ?? {};
  if (query !== undefined) {
    const inner = r.queryAt.get(query);
    return inner && firstSelect(inner)?.outputs[0]?.definition;
  }
  const definition = token === undefined ? undefined : definitionAt(r, 'column', token);
  const name = definition && (trimmedBy(r.code, definition.token) ?? definition.name);
  return definition && { ...definition, name: name ?? '', aliasBehind: last };
}

/** Returns the function that `trim(...)` stands for, whose name the output takes. */
function trimmedBy(code: TokenList, index: number): string | undefined {
  if (code.word(index) !== 'trim' || !code.is(index + 1, '(') || code.is(index - 1, '.')) return undefined;
  const side = code.word(index + 2);
  return side === 'leading' ? 'ltrim' : side === 'trailing' ? 'rtrim' : 'btrim';
}

/** The token that names an expression, or the first one of the query that does. */
interface NamingPart {
  readonly token?: number;
  readonly query?: number;
}

/** Expressions may be nested without end, and each level reads its part again. */
const namingDepthMax = 100;

/** Finds what names an expression such as `a.b`, `(b)::type`, `b[1]`, `CAST(b AS type)`, `CASE ... ELSE b END` or `f(...)`. */
function namingPart(r: OutlineReading, first: number, last: number, depth = 0): NamingPart | undefined {
  const { code } = r;
  if (depth > namingDepthMax) return undefined;
  if (code.is(first, '(')) {
    const close = r.skip(first, last);
    if (!keepsName(r, close + 1, last)) return undefined;
    return isWholeQuery(r, first, last)
      ? { query: first + 1 }
      : namingPart(r, first + 1, close - 1, depth + 1);
  }
  if (code.word(first) === 'cast' && code.is(first + 1, '(')) {
    const close = r.skip(first + 1, last);
    let as: number | undefined;
    for (let index = first + 2; index < close; index = r.skip(index, close - 1) + 1)
      if (code.word(index) === 'as') as = index;
    return as !== undefined && keepsName(r, close + 1, last)
      ? namingPart(r, first + 2, as - 1, depth + 1)
      : undefined;
  }
  if (code.word(first) === 'case') return namingElse(r, first, last, depth);
  let index = first;
  if (nameAt(code, index) === undefined || isReserved(code, index)) return undefined;
  while (index + 2 <= last && code.is(index + 1, '.') && nameAt(code, index + 2) !== undefined) index += 2;
  const isCall = code.is(index + 1, '(') && endOfCall(r, index + 1, last) === last;
  return isCall || keepsName(r, index + 1, last) ? { token: index } : undefined;
}

/** What names the value behind ELSE names the CASE around it. */
function namingElse(r: OutlineReading, first: number, last: number, level: number): NamingPart | undefined {
  const { code } = r;
  let depth = 0;
  let otherwise: number | undefined;
  for (let index = first; index <= last; index = r.skip(index, last) + 1) {
    const word = code.is(index - 1, '.') ? '' : code.word(index);
    if (word === 'case') depth++;
    else if (word === 'else' && depth === 1) otherwise = index;
    else if (word === 'end' && --depth === 0)
      return otherwise !== undefined && keepsName(r, index + 1, last)
        ? namingPart(r, otherwise + 1, index - 1, level + 1)
        : undefined;
  }
  return undefined;
}

/** Returns whether only subscripts, casts and collations are left, with which an expression keeps its name. */
function keepsName(r: OutlineReading, first: number, last: number): boolean {
  const { code } = r;
  let index = first;
  while (index <= last) {
    if (code.is(index, '[')) index = r.skip(index, last) + 1;
    else if (code.is(index, '::')) {
      let next = index + 1;
      while (next <= last && !code.is(next, '::') && code.word(next) !== 'collate')
        next = r.skip(next, last) + 1;
      if (next === index + 1 || hasOperator(r, index + 1, next - 1)) return false;
      index = next;
    } else if (code.word(index) === 'collate' && nameAt(code, index + 1) !== undefined) {
      index += 2;
      while (code.is(index, '.')) index += 2;
    } else return false;
  }
  return true;
}

/** Returns the last token of a call with its FILTER, WITHIN GROUP and OVER. */
function endOfCall(r: OutlineReading, open: number, last: number): number {
  const { code } = r;
  let end = r.skip(open, last);
  for (;;) {
    const word = code.word(end + 1);
    const behind = word === 'within' && code.word(end + 2) === 'group' ? end + 3 : end + 2;
    if (end >= last || !['filter', 'within', 'over'].includes(word)) return end;
    end = code.is(behind, '(') ? r.skip(behind, last) : behind;
  }
}

function hasOperator(r: OutlineReading, first: number, last: number): boolean {
  for (let index = first; index <= last; index++) {
    const word = r.code.word(index);
    const next = r.code.word(index + 1);
    const isWord = operatorWords.has(word) || (word === 'at' && /^(?:time|local)$/.test(next));
    const isOfType = word === 'with' && next === 'time';
    if (isWord || r.code.kind(index) === TokenKind.operator || (isReserved(r.code, index) && !isOfType))
      return true;
  }
  return false;
}

/** Operators that are words, and not reserved. */
const operatorWords = new Set('is isnull notnull like ilike similar overlaps'.split(' '));

function isBareAlias(r: OutlineReading, first: number, last: number): boolean {
  const { code } = r;
  const word = code.word(last);
  const isName = code.kind(last) === TokenKind.quotedName || (word !== '' && !needsAs.has(word));
  const isZone = word === 'zone' && code.word(last - 1) === 'time';
  const isWindow = code.word(last - 1) === 'over' && code.is(last - 2, ')');
  return (
    last > first &&
    isName &&
    !isZone &&
    !isWindow &&
    !isSyntaxWord(code, last) &&
    endsOperand(code, last - 1) &&
    !isReserved(code, last)
  );
}
