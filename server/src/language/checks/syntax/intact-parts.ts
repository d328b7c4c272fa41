/**
 * Finds the parts of a statement that a syntax error leaves intact: without the clause that holds the error, the rest
 * may parse, and its names can be checked.
 */
import { TokenKind, type TokenList } from '#server/language/text/lexer/tokens.ts';
import type { StatementSpan } from '#server/language/text/statements.ts';

export interface IntactPart {
  /** The statement with spaces in place of the clause. */
  readonly text: string;
  /** Whether a finding about the token at the offset is about an intact part. */
  readonly holds: (start: number) => boolean;
}

/** Longer statements would be parsed twice while somebody types. */
const lengthMax = 4_000;

/** Clauses that can be left out without a change of what the names in the others mean. */
const removable: ReadonlySet<string> = new Set('where group having order limit offset'.split(' '));
const clauseWords: ReadonlySet<string> = new Set([
  ...removable,
  ...'select from window fetch for union intersect except with values into'.split(' '),
]);

/**
 * @param text the statement as it was parsed
 * @param offset where PostgreSQL found the error, from the statement's start
 */
export function intactParts(
  code: TokenList,
  span: StatementSpan,
  text: string,
  offset: number | undefined,
): readonly IntactPart[] {
  if (offset === undefined || text.length > lengthMax) return [];
  const at = Math.min(code.at(span.start + offset), span.lastToken + 1);
  // PostgreSQL finds most errors one token late.
  const parts = [at - 1, at].flatMap((token) => partWithout(code, span, text, token) ?? []);
  return parts.filter((part, index) => parts.findIndex((other) => other.text === part.text) === index);
}

function partWithout(
  code: TokenList,
  span: StatementSpan,
  text: string,
  token: number,
): IntactPart | undefined {
  if (token <= span.firstToken || token > span.lastToken) return undefined;
  const level = levelAround(code, span, token);
  if (level === undefined) return undefined;
  const { clauses, last } = level;
  const index = clauses.findLastIndex((clause) => clause <= token);
  const clause = clauses[index];
  const word = code.word(clause ?? -1);
  const next = clauses[index + 1] ?? last + 1;
  const isList = word === 'select';
  if (clause === undefined || !(isList || removable.has(word))) return undefined;
  // Without its tables, nothing is known about the names of a query.
  const tables = clauses.filter((each) => code.word(each) === 'from' && each !== clause);
  const ownTables = tables.find(
    (each) => each > (clauses.findLast((own) => code.word(own) === 'select' && own <= clause) ?? 0),
  );
  if (isList && (ownTables === undefined || ownTables !== next)) return undefined;
  const first = isList ? clause + 1 : clause;
  if (first > next - 1) return undefined;
  const [from, to] = [code.start(first) - span.start, code.end(next - 1) - span.start];
  const [start, end] = [code.start(first), code.end(next - 1)];
  const ownEnd =
    clauses.slice(index + 1).find((each) => !['from', 'where'].includes(code.word(each))) ?? last + 1;
  return {
    text: `${text.slice(0, from)}${' '.repeat(to - from)}${text.slice(to)}`,
    holds: (place) => {
      if (place >= start && place < end) return false;
      // What a list names may be missed by the clauses behind it, and by the queries around it.
      return !isList || (place >= end && place < code.start(ownEnd));
    },
  };
}

interface Level {
  /** Tokens of the words that begin clauses. */
  readonly clauses: readonly number[];
  readonly last: number;
}

/** Returns the clauses of the innermost query around the token. */
function levelAround(code: TokenList, span: StatementSpan, token: number): Level | undefined {
  let open = token;
  do {
    open = openingBefore(code, span.firstToken, open);
  } while (open >= span.firstToken && !['select', 'with'].includes(code.word(open + 1)));
  const clauses: number[] = [];
  let depth = 0;
  let index = open + 1;
  for (; index <= span.lastToken; index++) {
    if (code.is(index, '(') || code.is(index, '[')) depth++;
    else if (code.is(index, ')') || code.is(index, ']')) {
      if (depth === 0) break;
      depth--;
    } else if (depth === 0 && isClause(code, index)) clauses.push(index);
  }
  return clauses.length === 0 || depth !== 0 ? undefined : { clauses, last: index - 1 };
}

/** Returns the bracket that is open before the token, or an index before the first token. */
function openingBefore(code: TokenList, first: number, token: number): number {
  let closed = 0;
  let index = token - 1;
  for (; index >= first; index--) {
    if (code.is(index, ')') || code.is(index, ']')) closed++;
    else if ((code.is(index, '(') || code.is(index, '[')) && closed-- === 0) break;
  }
  return index < first ? first - 1 : index;
}

function isClause(code: TokenList, index: number): boolean {
  if (!clauseWords.has(code.word(index)) || code.is(index - 1, '.')) return false;
  const before = code.word(index - 1);
  if (code.word(index) === 'from')
    return (
      before !== 'distinct' || code.kind(index - 2) !== TokenKind.word || code.word(index - 2) === 'select'
    );
  return before !== 'as' && before !== 'within';
}
