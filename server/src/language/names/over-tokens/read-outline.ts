/** Reads a statement's outline: queries with their CTEs, set operations and SELECTs. */
import { TokenKind, type TokenList } from '#server/language/text/lexer/tokens.ts';
import type { StatementSpan } from '#server/language/text/statements.ts';
import {
  isAround,
  type Definition,
  type Outline,
  type OutlineCommonTable,
  type OutlineQuery,
  type OutlineSelect,
} from './outline.ts';
import {
  definitionAt,
  isLabel,
  isQuery,
  readColumnList,
  type OutlineReading,
  type Visible,
} from './reading.ts';
import { readSelect } from './select.ts';
import { isBehind, isStart, setWords } from './words.ts';

/** Maximum recursion depth. Deeper parts are skipped. */
const depthMax = 200;

export function readOutline(code: TokenList, first: number, last: number): Outline {
  const r = startReading(code);
  const query = isQuery(r, first) ? r.query(first, last, undefined, undefined) : undefined;
  return { query, queries: r.queries, selects: r.selects, others: r.others };
}

/** Reads the names visible at the token `at`, even outside queries: in EXPLAIN, INSERT or a single clause. */
export function readOutlineAround(
  code: TokenList,
  { firstToken: first, lastToken: last }: StatementSpan,
  at: number,
): Outline {
  const r = startReading(code, at);
  const start = isQuery(r, first) ? first : (find(r, first, last, 'with') ?? find(r, first, last, 'select'));
  if (start === undefined) readSelect(r, first, last, undefined, undefined);
  const query = start === undefined ? undefined : r.query(start, last, undefined, undefined);
  for (const table of r.queries.flatMap(({ commonTables }) => commonTables)) {
    if (!table.isQuery) readSelect(r, table.first, table.last, undefined, undefined);
  }
  return { query, queries: r.queries, selects: r.selects, others: r.others };
}

function startReading(code: TokenList, at?: number): OutlineReading {
  const closing = bracketPairs(code);
  let depth = 0;
  const r: OutlineReading = {
    code,
    queries: [],
    queryAt: new Map(),
    selects: [],
    others: new Set(),
    at,
    skip(index, end) {
      const isOpen = code.is(index, '(') || code.is(index, '[');
      return isOpen ? Math.min(closing.get(index) ?? end, end) : index;
    },
    query(from, to, parent, outer) {
      const query: OutlineQuery = { first: from, last: to, commonTables: [], branches: [] };
      r.queries.push(query);
      r.queryAt.set(from, query);
      if (++depth <= depthMax) fillQuery(r, query, parent, outer);
      depth--;
      return query;
    },
  };
  return r;
}

/** The brackets of a text, which one completion reads around several tokens. */
const knownPairs = new WeakMap<
  TokenList,
  { readonly length: number; readonly pairs: ReadonlyMap<number, number> }
>();

/** Maps each bracket to its closing token or, if that is missing, to the last token that may be inside. */
function bracketPairs(code: TokenList): ReadonlyMap<number, number> {
  const known = knownPairs.get(code);
  if (known?.length === code.length) return known.pairs;
  const pairs = new Map<number, number>();
  const open: number[] = [];
  for (let index = 0; index < code.length; index++) {
    const kind = code.kind(index);
    if (kind === TokenKind.word) {
      for (
        let start = open.at(-1);
        start !== undefined && isBehind(code, start, index);
        start = open.at(-1)
      ) {
        pairs.set(start, index - 1);
        open.pop();
      }
    } else if (kind === TokenKind.punctuation) {
      // As this passes over every token, it compares characters.
      const symbol = code.text.charAt(code.start(index));
      if (symbol === '(' || symbol === '[') {
        open.push(index);
      } else if (symbol === ')' || symbol === ']') {
        const start = open.pop();
        if (start !== undefined) pairs.set(start, index);
      } else if (symbol === ';') {
        open.length = 0;
      }
    }
  }
  knownPairs.set(code, { length: code.length, pairs });
  return pairs;
}

function fillQuery(
  r: OutlineReading,
  query: OutlineQuery,
  parent: OutlineSelect | undefined,
  outer: Visible | undefined,
): void {
  const { code } = r;
  const { last } = query;
  let index = query.first;
  let visible = outer;
  if (code.word(index) === 'with') {
    index = readCommonTables(r, index, query, parent, outer);
    visible = { tables: query.commonTables, count: query.commonTables.length, outer };
  }
  let start = index;
  for (; index <= last; index = r.skip(index, last) + 1) {
    if (setWords.has(code.word(index)) && index > start && !isLabel(r, index)) {
      readBranch(r, start, index - 1, query, parent, visible);
      const next = code.word(index + 1);
      start = index + (next === 'all' || next === 'distinct' ? 2 : 1);
      index = start - 1;
    }
  }
  readBranch(r, start, last, query, parent, visible);
}

function readBranch(
  r: OutlineReading,
  first: number,
  last: number,
  query: OutlineQuery,
  parent: OutlineSelect | undefined,
  tables: Visible | undefined,
): void {
  // The first branch is always read, since it determines the column names.
  const isWanted = r.at === undefined || query.branches.length === 0 || (first <= r.at && r.at <= last + 1);
  if (first > last || !isWanted) return;
  if (r.code.is(first, '(') && isQuery(r, first)) {
    const close = r.skip(first, last);
    query.branches.push(r.query(first + 1, close - (r.code.is(close, ')') ? 1 : 0), parent, tables));
    if (close < last) query.tail = readSelect(r, close + 1, last, parent, tables);
    return;
  }
  const isLastOfSeveral = query.branches.length > 0 && last === query.last;
  const order = isLastOfSeveral ? find(r, first, last, 'order') : undefined;
  query.branches.push(readSelect(r, first, (order ?? last + 1) - 1, parent, tables));
  if (order !== undefined) query.tail = readSelect(r, order, last, parent, tables);
}

function find(r: OutlineReading, first: number, last: number, word: string): number | undefined {
  for (let index = first; index <= last; index = r.skip(index, last) + 1) {
    if (r.code.word(index) === word && !isLabel(r, index)) return index;
  }
  return undefined;
}

/** Returns the index of the token after the WITH clause. */
function readCommonTables(
  r: OutlineReading,
  withAt: number,
  query: OutlineQuery,
  parent: OutlineSelect | undefined,
  outer: Visible | undefined,
): number {
  const { code } = r;
  const { last } = query;
  const isRecursive = code.word(withAt + 1) === 'recursive';
  const bodies: { readonly table: ReadTable; readonly seen: number }[] = [];
  let index = withAt + (isRecursive ? 2 : 1);
  while (index <= last) {
    const definition = definitionAt(r, 'common-table', index);
    if (definition === undefined) break;
    const hasList = code.is(index + 1, '(');
    const columnAliases = hasList ? readColumnList(r, index + 1, last) : [];
    let at = hasList ? r.skip(index + 1, last) + 1 : index + 1;
    at += code.word(at) === 'as' ? 1 : 0;
    at += code.word(at) === 'not' ? 1 : 0;
    at += code.word(at) === 'materialized' ? 1 : 0;
    if (!code.is(at, '(')) break;
    const close = r.skip(at, last);
    const end = close - (code.is(close, ')') ? 1 : 0);
    const table = new ReadTable(definition, columnAliases, at + 1, end);
    bodies.push({ table, seen: query.commonTables.length });
    query.commonTables.push(table);
    index = close + 1;
    index = readSearchAndCycle(r, table, index, last);
    if (!code.is(index, ',')) break;
    index++;
  }
  for (const { table, seen } of bodies) {
    if (!isQuery(r, table.first)) continue;
    const read = (): OutlineQuery =>
      r.query(table.first, table.last, parent, {
        tables: query.commonTables,
        count: isRecursive ? query.commonTables.length : seen,
        outer,
      });
    table.read = read;
    // Nested queries must be in the list of those around the token.
    if (r.at === undefined || isAround(table, r.at)) table.readNow();
  }
  return index;
}

/** Around one token, the other tables of WITH are read only if their columns are asked for. */
class ReadTable implements OutlineCommonTable {
  readonly definition: Definition;
  readonly columnAliases: readonly Definition[];
  readonly first: number;
  readonly last: number;
  readonly added: Definition[] = [];
  readonly uses: number[] = [];
  /** Reads the query; undefined if the table is none, such as a DELETE. */
  read: (() => OutlineQuery) | undefined;
  #query: OutlineQuery | undefined;

  constructor(definition: Definition, columnAliases: readonly Definition[], first: number, last: number) {
    this.definition = definition;
    this.columnAliases = columnAliases;
    this.first = first;
    this.last = last;
  }

  get isQuery(): boolean {
    return this.read !== undefined;
  }

  get query(): OutlineQuery | undefined {
    this.readNow();
    return this.#query;
  }

  readNow(): void {
    this.#query ??= this.read?.();
  }
}

/** Reads `SEARCH DEPTH FIRST BY a, b SET c` and `CYCLE a, b SET c TO 1 DEFAULT 0 USING d`. Returns the token behind. */
function readSearchAndCycle(
  r: OutlineReading,
  table: OutlineCommonTable,
  start: number,
  last: number,
): number {
  const { code } = r;
  let index = start;
  let isList = false;
  for (; index <= last && !code.is(index, '(') && !isStart(code, index); index++) {
    const before = code.word(index - 1);
    if (isList && code.is(index, ',')) continue;
    if (!isList && code.is(index, ',')) break;
    const isListed: boolean = before === 'by' || before === 'cycle' || (isList && code.is(index - 1, ','));
    const added = before === 'set' || before === 'using' ? definitionAt(r, 'column', index) : undefined;
    isList = isListed;
    if (added !== undefined) {
      table.added.push(added);
    } else if (isListed) {
      table.uses.push(index);
    } else {
      r.others.add(index);
    }
  }
  return index;
}
