/** State and helpers shared by the functions that read an outline. */
import { nameAt } from '#server/language/text/identifiers.ts';
import type { TokenList } from '#server/language/text/lexer/tokens.ts';
import type {
  Definition,
  DefinitionKind,
  OutlineCommonTable,
  OutlineQuery,
  OutlineSelect,
} from './outline.ts';
import { clauseWords, queryWords, setWords } from './words.ts';

export interface OutlineReading {
  readonly code: TokenList;
  readonly queries: OutlineQuery[];
  /** The queries by their first token. */
  readonly queryAt: Map<number, OutlineQuery>;
  readonly selects: OutlineSelect[];
  readonly others: Set<number>;
  /** If set, only names in scope at this token are collected, without mentions or other branches. */
  readonly at: number | undefined;
  /** Returns the token that closes the bracket at `index`, or `index` if there is no bracket. */
  skip(index: number, last: number): number;
  query(
    first: number,
    last: number,
    parent: OutlineSelect | undefined,
    outer: Visible | undefined,
  ): OutlineQuery;
}

/**
 * The first `count` CTEs of a WITH clause, followed by the outer ones. Linked rather than copied, since a WITH may have
 * a thousand CTEs.
 */
export interface Visible {
  readonly tables: readonly OutlineCommonTable[];
  readonly count: number;
  readonly outer: Visible | undefined;
}

export function findVisible(visible: Visible | undefined, name: string): OutlineCommonTable | undefined {
  for (let at = visible; at !== undefined; at = at.outer) {
    for (let index = at.count - 1; index >= 0; index--) {
      const table = at.tables[index];
      if (table?.definition.name === name) return table;
    }
  }
  return undefined;
}

export function definitionAt(r: OutlineReading, kind: DefinitionKind, token: number): Definition | undefined {
  const name = nameAt(r.code, token);
  return name === undefined ? undefined : { kind, name, token };
}

export function isQuery(r: OutlineReading, index: number): boolean {
  let at = index;
  while (r.code.is(at, '(')) at++;
  // Only VALUES may be a name: in `SELECT .a`, that before the dot is not written yet.
  return queryWords.has(r.code.word(at)) && !(r.code.word(at) === 'values' && r.code.is(at + 1, '.'));
}

/**
 * Returns whether the parenthesis at `open` holds a query and nothing else, unlike `((SELECT ...) a JOIN b ...)` and
 * `((SELECT ...) + 1)`.
 */
export function isWholeQuery(r: OutlineReading, open: number, last: number): boolean {
  const { code } = r;
  if (!isQuery(r, open)) return false;
  let end = r.skip(open, last);
  if (code.is(end, ')')) end--;
  for (let index = open + 1; code.is(index, '('); index++) {
    const close = r.skip(index, end);
    const word = code.word(close + 1);
    if (close < end && !setWords.has(word) && !clauseWords.has(word)) return false;
    end = close - (code.is(close, ')') ? 1 : 0);
  }
  return true;
}

/**
 * Returns whether a word is a name because it follows a dot or AS. With a space after the dot, the name has not been
 * typed yet.
 */
export function isLabel(r: OutlineReading, index: number): boolean {
  const isTouching = r.code.end(index - 1) === r.code.start(index);
  return (r.code.is(index - 1, '.') && isTouching) || r.code.word(index - 1) === 'as';
}

/** Reads `(a, b)` or, with types, `(a int, b text)`. */
export function readColumnList(r: OutlineReading, open: number, last: number): readonly Definition[] {
  const close = r.skip(open, last);
  const columns: Definition[] = [];
  for (let index = open + 1; index < close; index = r.skip(index, close) + 1) {
    const isFirst = index === open + 1 || r.code.is(index - 1, ',');
    const definition = isFirst ? definitionAt(r, 'column', index) : undefined;
    if (definition === undefined) {
      r.others.add(index);
    } else {
      columns.push(definition);
    }
  }
  return columns;
}

/** Returns whether a join merges columns of a name. */
export function mergedNames(
  code: TokenList,
  { isNatural, mentions }: Pick<OutlineSelect, 'isNatural' | 'mentions'>,
): (name: string) => boolean {
  if (isNatural) return () => true;
  const names = new Set(
    mentions.flatMap(({ clause, tokens: [token = -1] }) =>
      clause === 'using' ? (nameAt(code, token) ?? []) : [],
    ),
  );
  return (name) => names.has(name);
}
