/** Reads the names and subqueries in expressions. */
import type { Clause, OutlineSelect } from './outline.ts';
import { isQuery, type OutlineReading, type Visible } from './reading.ts';
import { endsOperand, isReserved, isSyntaxWord } from './words.ts';
import { TokenKind } from '#server/language/text/lexer/tokens.ts';
import { nameAt } from '#server/language/text/identifiers.ts';

export function readExpression(
  r: OutlineReading,
  select: OutlineSelect,
  first: number,
  last: number,
  clause: Clause,
  tables: Visible | undefined,
): void {
  const { code } = r;
  for (let index = first; index <= last; index++) {
    if (code.is(index, '(') && isQuery(r, index)) {
      const close = r.skip(index, last);
      r.query(index + 1, close - (code.is(close, ')') ? 1 : 0), select, tables);
      index = close;
    } else if (r.at === undefined && nameAt(code, index) !== undefined) {
      index = readMention(r, select, index, first, last, clause);
    }
  }
}

/** Reads the name that starts at `first`. Returns its last token. */
function readMention(
  r: OutlineReading,
  select: OutlineSelect,
  first: number,
  from: number,
  last: number,
  clause: Clause,
): number {
  const { code } = r;
  if ((isReserved(code, first) || isSyntaxWord(code, first)) && !code.is(first - 1, '.')) {
    return first;
  }
  const tokens = [first];
  let end = first;
  while (end + 2 <= last && code.is(end + 1, '.') && nameAt(code, end + 2) !== undefined) {
    end += 2;
    tokens.push(end);
  }
  const hasStar = code.is(end + 1, '.') && code.is(end + 2, '*');
  const isElsewhere =
    code.is(end + 1, '(') ||
    code.is(first - 1, '::') ||
    code.is(first - 1, '.') ||
    code.is(end + 1, '=>') ||
    code.is(end + 1, ':=') ||
    ['as', 'over', 'collate', 'nulls'].includes(code.word(first - 1)) ||
    (code.word(end + 1) === 'from' && code.is(first - 1, '(') && code.word(first - 2) === 'extract') ||
    (code.kind(end + 1) === TokenKind.string && tokens.length === 1 && code.kind(first) === TokenKind.word);
  if (isElsewhere) {
    tokens.forEach((token) => r.others.add(token));
  } else if (first === from || tokens.length > 1 || !endsOperand(code, first - 1)) {
    const isWhole =
      (first === from || code.is(first - 1, ',')) &&
      (end >= last || code.is(end + 1, ',') || ['asc', 'desc', 'nulls'].includes(code.word(end + 1)));
    select.mentions.push({ tokens, hasStar, clause: isWhole ? clause : 'expression' });
  }
  return end;
}
