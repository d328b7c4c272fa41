/**
 * The shape of a statement from its tokens: its queries, what each reads, gives and mentions. Unlike a parse tree it
 * knows where every alias is written, and it also exists while the text is broken. Indexes are those of code tokens.
 */
import { keywords, needsAs } from '../keywords.ts';
import { TokenKind, type TokenList } from '../lexer/tokens.ts';
import { nameAt } from '../names.ts';

export type DefinitionKind = 'common-table' | 'alias' | 'table' | 'column';

/** A name that the text gives. */
export interface Definition {
  readonly kind: DefinitionKind;
  readonly name: string;
  readonly token: number;
  /** For a column that takes its name from what it is made of: the token behind which `AS name` can be written. */
  readonly aliasBehind?: number;
}

export interface OutlineOutput {
  readonly first: number;
  readonly last: number;
  /** Undefined where the column has no name, or one that is not simple to tell. */
  readonly definition?: Definition;
  /** For `*`: empty, or the one qualifier. */
  readonly star?: readonly string[];
}

export interface OutlineRelation {
  /** What qualifies its columns; undefined for a subquery without alias. */
  readonly definition?: Definition;
  readonly columnAliases: readonly Definition[];
  readonly query?: OutlineQuery;
  readonly commonTable?: OutlineCommonTable;
  /** A table of a model. */
  readonly table?: { readonly schema?: string; readonly name: string };
}

export type Clause = 'expression' | 'group' | 'order' | 'using';

/** `a.b.c` in an expression. */
export interface Mention {
  readonly tokens: readonly number[];
  readonly clause: Clause;
  readonly hasStar: boolean;
  /** Already known in FROM: the common table that is read. */
  readonly target?: Definition;
}

/** One SELECT. */
export interface OutlineSelect {
  readonly first: number;
  readonly last: number;
  /** The SELECT whose relations this one sees besides its own. */
  readonly parent: OutlineSelect | undefined;
  readonly outputs: OutlineOutput[];
  readonly relations: OutlineRelation[];
  readonly mentions: Mention[];
  /** Where each clause begins, by its first word. */
  readonly clauses: { readonly word: string; readonly first: number; readonly last: number }[];
  isNatural: boolean;
}

export interface OutlineCommonTable {
  readonly definition: Definition;
  readonly columnAliases: readonly Definition[];
  readonly first: number;
  readonly last: number;
  query?: OutlineQuery;
}

export interface OutlineQuery {
  readonly first: number;
  readonly last: number;
  readonly commonTables: OutlineCommonTable[];
  /** The branches of set operations; one where there is none. */
  readonly branches: (OutlineSelect | OutlineQuery)[];
  /** ORDER BY and the like behind set operations. */
  tail?: OutlineSelect;
}

export interface Outline {
  readonly query: OutlineQuery | undefined;
  readonly queries: readonly OutlineQuery[];
  readonly selects: readonly OutlineSelect[];
  /** Names that are none of a query's: types, functions, words of syntax. */
  readonly others: ReadonlySet<number>;
}

export const isSelect = (branch: OutlineSelect | OutlineQuery): branch is OutlineSelect =>
  'relations' in branch;

/** The first of the SELECTs: it names the columns. */
export function firstSelect(query: OutlineQuery): OutlineSelect | undefined {
  const [branch] = query.branches;
  return branch === undefined || isSelect(branch) ? branch : firstSelect(branch);
}

export function readOutline(code: TokenList, first: number, last: number): Outline {
  return new OutlineReader(code, first, last).read(first, last);
}

const queryWords = new Set(['select', 'with', 'values', 'table']);
const setWords = new Set(['union', 'intersect', 'except']);
const clauseWords = new Set('from where group having window order limit offset fetch for into'.split(' '));
const joinWords = new Set('join natural cross inner left right full'.split(' '));
/** Reserved words that end an operand. */
const operandWords = new Set(
  `null true false end current_user user session_user current_date current_time current_timestamp localtime
   localtimestamp`.split(/\s+/),
);
/** Words that are not reserved and after which an operand follows. */
const leadingWords = new Set('by escape zone between value recursive values preceding following'.split(' '));

/** The first `count` of the tables of one WITH, and what is outside of it. No copies: a WITH may have a thousand. */
interface Visible {
  readonly tables: readonly OutlineCommonTable[];
  readonly count: number;
  readonly outer: Visible | undefined;
}

function findVisible(visible: Visible | undefined, name: string): OutlineCommonTable | undefined {
  for (let at = visible; at !== undefined; at = at.outer) {
    for (let index = at.count - 1; index >= 0; index--) {
      const table = at.tables[index];
      if (table?.definition.name === name) {
        return table;
      }
    }
  }
  return undefined;
}

/** Deeper than this the rest is left unread: recursion has an end. */
const depthMax = 200;

class OutlineReader {
  readonly #code: TokenList;
  readonly #closing = new Map<number, number>();
  readonly #queries: OutlineQuery[] = [];
  readonly #selects: OutlineSelect[] = [];
  readonly #others = new Set<number>();
  #depth = 0;

  constructor(code: TokenList, first: number, last: number) {
    this.#code = code;
    this.#pair(first, last);
  }

  read(first: number, last: number): Outline {
    const query = this.#isQuery(first) ? this.#query(first, last, undefined, undefined) : undefined;
    return { query, queries: this.#queries, selects: this.#selects, others: this.#others };
  }

  #pair(first: number, last: number): void {
    const open: number[] = [];
    for (let index = first; index <= last; index++) {
      if (this.#code.is(index, ';')) {
        open.length = 0;
      } else if (this.#code.is(index, '(') || this.#code.is(index, '[')) {
        open.push(index);
      } else if (this.#code.is(index, ')') || this.#code.is(index, ']')) {
        const start = open.pop();
        if (start !== undefined) {
          this.#closing.set(start, index);
        }
      }
    }
  }

  /** The token that closes the bracket here; the token itself where there is none. */
  #skip(index: number, last: number): number {
    const isOpen = this.#code.is(index, '(') || this.#code.is(index, '[');
    return isOpen ? Math.min(this.#closing.get(index) ?? last, last) : index;
  }

  #isQuery(index: number): boolean {
    let at = index;
    while (this.#code.is(at, '(')) {
      at++;
    }
    return queryWords.has(this.#code.word(at)) && !this.#code.is(at + 1, '.');
  }

  #query(
    first: number,
    last: number,
    parent: OutlineSelect | undefined,
    outer: Visible | undefined,
  ): OutlineQuery {
    const query: OutlineQuery = { first, last, commonTables: [], branches: [] };
    this.#queries.push(query);
    if (++this.#depth <= depthMax) {
      this.#fillQuery(query, parent, outer);
    }
    this.#depth--;
    return query;
  }

  #fillQuery(query: OutlineQuery, parent: OutlineSelect | undefined, outer: Visible | undefined): void {
    const code = this.#code;
    const { last } = query;
    let index = query.first;
    let visible = outer;
    if (code.word(index) === 'with') {
      index = this.#commonTables(index, query, parent, outer);
      visible = { tables: query.commonTables, count: query.commonTables.length, outer };
    }
    let start = index;
    for (; index <= last; index = this.#skip(index, last) + 1) {
      if (setWords.has(code.word(index)) && index > start && !this.#isLabel(index)) {
        this.#branch(start, index - 1, query, parent, visible);
        const next = code.word(index + 1);
        start = index + (next === 'all' || next === 'distinct' ? 2 : 1);
        index = start - 1;
      }
    }
    this.#branch(start, last, query, parent, visible);
  }

  /** A word that only names something: behind a dot or AS. Behind `t. ` nothing is written yet. */
  #isLabel(index: number): boolean {
    const isTouching = this.#code.end(index - 1) === this.#code.start(index);
    return (this.#code.is(index - 1, '.') && isTouching) || this.#code.word(index - 1) === 'as';
  }

  #branch(
    first: number,
    last: number,
    query: OutlineQuery,
    parent: OutlineSelect | undefined,
    tables: Visible | undefined,
  ): void {
    if (first > last) {
      return;
    }
    if (this.#code.is(first, '(') && this.#isQuery(first)) {
      const close = this.#skip(first, last);
      query.branches.push(
        this.#query(first + 1, close - (this.#code.is(close, ')') ? 1 : 0), parent, tables),
      );
      if (close < last) {
        query.tail = this.#select(close + 1, last, parent, tables);
      }
      return;
    }
    const isLastOfSeveral = query.branches.length > 0 && last === query.last;
    const order = isLastOfSeveral ? this.#find(first, last, 'order') : undefined;
    query.branches.push(this.#select(first, (order ?? last + 1) - 1, parent, tables));
    if (order !== undefined) {
      query.tail = this.#select(order, last, parent, tables);
    }
  }

  #find(first: number, last: number, word: string): number | undefined {
    for (let index = first; index <= last; index = this.#skip(index, last) + 1) {
      if (this.#code.word(index) === word && !this.#isLabel(index)) {
        return index;
      }
    }
    return undefined;
  }

  /** The index behind the WITH clause. */
  #commonTables(
    withAt: number,
    query: OutlineQuery,
    parent: OutlineSelect | undefined,
    outer: Visible | undefined,
  ): number {
    const code = this.#code;
    const { last } = query;
    const isRecursive = code.word(withAt + 1) === 'recursive';
    const bodies: { readonly table: OutlineCommonTable; readonly seen: number }[] = [];
    let index = withAt + (isRecursive ? 2 : 1);
    while (index <= last) {
      const definition = this.#definition('common-table', index);
      if (definition === undefined) {
        break;
      }
      const hasList = code.is(index + 1, '(');
      const columnAliases = hasList ? this.#columnList(index + 1, last) : [];
      let at = hasList ? this.#skip(index + 1, last) + 1 : index + 1;
      at += code.word(at) === 'as' ? 1 : 0;
      at += code.word(at) === 'not' ? 1 : 0;
      at += code.word(at) === 'materialized' ? 1 : 0;
      if (!code.is(at, '(')) {
        break;
      }
      const close = this.#skip(at, last);
      const end = close - (code.is(close, ')') ? 1 : 0);
      const table: OutlineCommonTable = { definition, columnAliases, first: at + 1, last: end };
      bodies.push({ table, seen: query.commonTables.length });
      query.commonTables.push(table);
      index = close + 1;
      // SEARCH and CYCLE.
      while (index <= last && !code.is(index, ',') && !code.is(index, '(') && !isStart(code, index)) {
        this.#others.add(index);
        index++;
      }
      if (!code.is(index, ',')) {
        break;
      }
      index++;
    }
    for (const { table, seen } of bodies) {
      if (this.#isQuery(table.first)) {
        table.query = this.#query(table.first, table.last, parent, {
          tables: query.commonTables,
          count: isRecursive ? query.commonTables.length : seen,
          outer,
        });
      }
    }
    return index;
  }

  #definition(kind: DefinitionKind, token: number): Definition | undefined {
    const name = nameAt(this.#code, token);
    return name === undefined ? undefined : { kind, name, token };
  }

  /** `(a, b)`, also with types: `(a int, b text)`. */
  #columnList(open: number, last: number): readonly Definition[] {
    const close = this.#skip(open, last);
    const columns: Definition[] = [];
    for (let index = open + 1; index < close; index = this.#skip(index, close) + 1) {
      const isFirst = index === open + 1 || this.#code.is(index - 1, ',');
      const definition = isFirst ? this.#definition('column', index) : undefined;
      if (definition === undefined) {
        this.#others.add(index);
      } else {
        columns.push(definition);
      }
    }
    return columns;
  }

  #select(
    first: number,
    last: number,
    parent: OutlineSelect | undefined,
    tables: Visible | undefined,
  ): OutlineSelect {
    const code = this.#code;
    const select: OutlineSelect = {
      first,
      last,
      parent,
      outputs: [],
      relations: [],
      mentions: [],
      clauses: [],
      isNatural: false,
    };
    this.#selects.push(select);
    const starts = [first];
    for (let index = first + 1; index <= last; index = this.#skip(index, last) + 1) {
      if (clauseWords.has(code.word(index)) && !this.#isLabel(index) && !isPartOfExpression(code, index)) {
        starts.push(index);
      }
    }
    starts.forEach((start, number) => {
      const end = (starts[number + 1] ?? last + 1) - 1;
      select.clauses.push({ word: code.word(start), first: start, last: end });
    });
    for (const { word, first: start, last: end } of select.clauses) {
      if (word === 'select') {
        this.#outputs(select, start + 1, end, tables);
      } else if (word === 'table') {
        this.#from(select, start + 1, end, tables);
        select.outputs.push({ first: start, last: end, star: [] });
      } else if (word === 'from') {
        this.#from(select, start + 1, end, tables);
      } else if (word === 'group' || word === 'order') {
        this.#expression(select, start + 2, end, word, tables);
      } else if (word !== 'for' && word !== 'into') {
        this.#expression(select, start + 1, end, 'expression', tables);
      }
    }
    return select;
  }

  #split(first: number, last: number): readonly (readonly [number, number])[] {
    const parts: [number, number][] = [];
    let start = first;
    for (let index = first; index <= last; index = this.#skip(index, last) + 1) {
      if (this.#code.is(index, ',')) {
        parts.push([start, index - 1]);
        start = index + 1;
      }
    }
    return start <= last ? [...parts, [start, last]] : parts;
  }

  #outputs(select: OutlineSelect, start: number, last: number, tables: Visible | undefined): void {
    const code = this.#code;
    let first = start;
    if (code.word(first) === 'all') {
      first++;
    } else if (code.word(first) === 'distinct') {
      first++;
      if (code.word(first) === 'on' && code.is(first + 1, '(')) {
        const close = this.#skip(first + 1, last);
        this.#expression(select, first + 2, close - 1, 'order', tables);
        first = close + 1;
      }
    }
    for (const [from, to] of this.#split(first, last)) {
      if (from <= to) {
        this.#output(select, from, to, tables);
      }
    }
  }

  #output(select: OutlineSelect, first: number, last: number, tables: Visible | undefined): void {
    const code = this.#code;
    const hasAs = last - 1 > first && code.word(last - 1) === 'as' && !code.is(last - 2, '.');
    const alias = hasAs || this.#isBareAlias(first, last) ? this.#definition('column', last) : undefined;
    const end = alias === undefined ? last : last - (hasAs ? 2 : 1);
    this.#expression(select, first, end, 'expression', tables);
    const output = { first, last };
    if (alias !== undefined) {
      select.outputs.push({ ...output, definition: alias });
    } else if (code.is(end, '*') && (end === first || code.is(end - 1, '.'))) {
      const qualifier = nameAt(code, end - 2);
      select.outputs.push({ ...output, star: end === first || qualifier === undefined ? [] : [qualifier] });
    } else {
      const token = this.#namingToken(first, end);
      const definition = token === undefined ? undefined : this.#definition('column', token);
      select.outputs.push(
        definition === undefined ? output : { ...output, definition: { ...definition, aliasBehind: last } },
      );
    }
  }

  /** The token that names `a.b`, `b::type` or `f(...)`. */
  #namingToken(first: number, last: number): number | undefined {
    const code = this.#code;
    let index = first;
    if (nameAt(code, index) === undefined || isReserved(code, index)) {
      return undefined;
    }
    while (index + 2 <= last && code.is(index + 1, '.') && nameAt(code, index + 2) !== undefined) {
      index += 2;
    }
    const isCall = code.is(index + 1, '(') && this.#skip(index + 1, last) === last;
    const isCast = code.is(index + 1, '::') && !this.#hasOperator(index + 2, last);
    return index === last || isCall || isCast ? index : undefined;
  }

  #hasOperator(first: number, last: number): boolean {
    for (let index = first; index <= last; index++) {
      if (this.#code.kind(index) === TokenKind.operator || isReserved(this.#code, index)) {
        return true;
      }
    }
    return false;
  }

  #isBareAlias(first: number, last: number): boolean {
    const code = this.#code;
    const word = code.word(last);
    const isName = code.kind(last) === TokenKind.quotedName || (word !== '' && !needsAs.has(word));
    const isZone = word === 'zone' && code.word(last - 1) === 'time';
    return last > first && isName && !isZone && this.#endsOperand(last - 1) && !isReserved(code, last);
  }

  #endsOperand(index: number): boolean {
    const code = this.#code;
    switch (code.kind(index)) {
      case TokenKind.word: {
        const word = code.word(index);
        const category = keywords.get(word);
        const isSyntax = category === 'reserved' || category === 'typeOrFunctionName';
        return code.is(index - 1, '.') || (isSyntax ? operandWords.has(word) : !leadingWords.has(word));
      }
      case TokenKind.quotedName:
      case TokenKind.string:
      case TokenKind.number:
      case TokenKind.positional:
      case TokenKind.placeholder:
        return true;
      default:
        return code.is(index, ')') || code.is(index, ']');
    }
  }

  #expression(
    select: OutlineSelect,
    first: number,
    last: number,
    clause: Clause,
    tables: Visible | undefined,
  ): void {
    const code = this.#code;
    for (let index = first; index <= last; index++) {
      if (code.is(index, '(') && this.#isQuery(index)) {
        const close = this.#skip(index, last);
        this.#query(index + 1, close - (code.is(close, ')') ? 1 : 0), select, tables);
        index = close;
      } else if (nameAt(code, index) !== undefined) {
        index = this.#mention(select, index, first, last, clause);
      }
    }
  }

  /** The last token of the name that begins here. */
  #mention(select: OutlineSelect, first: number, from: number, last: number, clause: Clause): number {
    const code = this.#code;
    if (isReserved(code, first) && !code.is(first - 1, '.')) {
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
      tokens.forEach((token) => this.#others.add(token));
    } else if (first === from || tokens.length > 1 || !this.#endsOperand(first - 1)) {
      const isWhole =
        (first === from || code.is(first - 1, ',')) &&
        (end >= last || code.is(end + 1, ',') || ['asc', 'desc', 'nulls'].includes(code.word(end + 1)));
      select.mentions.push({ tokens, hasStar, clause: isWhole ? clause : 'expression' });
    }
    return end;
  }

  /** Items of FROM, joins and their conditions. */
  #from(select: OutlineSelect, first: number, last: number, tables: Visible | undefined): void {
    const code = this.#code;
    let index = first;
    while (index <= last) {
      const word = code.word(index);
      if (word === 'on') {
        const end = this.#endOfCondition(index + 1, last);
        this.#expression(select, index + 1, end, 'expression', tables);
        index = end + 1;
      } else if (word === 'using' && code.is(index + 1, '(')) {
        const close = this.#skip(index + 1, last);
        for (let token = index + 2; token < close; token += 2) {
          select.mentions.push({ tokens: [token], hasStar: false, clause: 'using' });
        }
        index = close + 1;
        if (code.word(index) === 'as') {
          const definition = this.#definition('alias', index + 1);
          select.relations.push({ columnAliases: [], ...(definition === undefined ? {} : { definition }) });
          index += 2;
        }
      } else if (joinWords.has(word) && !(code.is(index + 1, '.') || code.is(index + 1, '('))) {
        select.isNatural ||= word === 'natural';
        index++;
      } else if (code.is(index, ',') || word === 'outer' || word === 'only') {
        index++;
      } else {
        index = this.#fromItem(select, index, last, tables);
      }
    }
  }

  #endOfCondition(first: number, last: number): number {
    const code = this.#code;
    let index = first;
    for (; index <= last; index = this.#skip(index, last) + 1) {
      const word = code.word(index);
      const isJoin =
        joinWords.has(word) && !this.#isLabel(index) && !code.is(index + 1, '(') && !code.is(index + 1, '.');
      if (code.is(index, ',') || word === 'on' || word === 'using' || isJoin) {
        break;
      }
    }
    return index - 1;
  }

  /** The index behind the item. */
  #fromItem(select: OutlineSelect, first: number, last: number, tables: Visible | undefined): number {
    const code = this.#code;
    const isLateral = code.word(first) === 'lateral';
    const start = isLateral ? first + 1 : first;
    if (code.is(start, '(')) {
      const close = this.#skip(start, last);
      const end = close - (code.is(close, ')') ? 1 : 0);
      if (this.#isQuery(start) && this.#isWholeQuery(start + 1, end)) {
        const query = this.#query(start + 1, end, isLateral ? select : select.parent, tables);
        return this.#alias(select, close + 1, last, { query });
      }
      this.#from(select, start + 1, end, tables);
      return this.#alias(select, close + 1, last, undefined);
    }
    const name = nameAt(code, start);
    if (name === undefined || isReserved(code, start)) {
      return start + 1;
    }
    let end = start;
    while (code.is(end + 1, '.') && nameAt(code, end + 2) !== undefined) {
      end += 2;
    }
    if (code.is(end + 1, '(')) {
      const close = this.#skip(end + 1, last);
      for (let token = start; token <= end; token += 2) {
        this.#others.add(token);
      }
      this.#expression(select, end + 2, close - (code.is(close, ')') ? 1 : 0), 'expression', tables);
      return this.#alias(select, close + 1, last, {});
    }
    if (end > start) {
      this.#others.add(start);
    }
    const own = nameAt(code, end) ?? name;
    const common = end === start ? findVisible(tables, own) : undefined;
    const definition: Definition = common?.definition ?? { kind: 'table', name: own, token: end };
    return this.#alias(
      select,
      end + 1,
      last,
      common === undefined
        ? { definition, table: { name: own, ...(end > start ? { schema: name } : {}) } }
        : { definition, commonTable: common },
      end,
    );
  }

  /** `(SELECT ...) UNION ...` in parentheses is a query, `((SELECT ...) a JOIN b ...)` a joined table. */
  #isWholeQuery(first: number, last: number): boolean {
    if (!this.#code.is(first, '(')) {
      return true;
    }
    const close = this.#skip(first, last);
    const word = this.#code.word(close + 1);
    return close >= last || setWords.has(word) || clauseWords.has(word);
  }

  #alias(
    select: OutlineSelect,
    start: number,
    last: number,
    item: Partial<OutlineRelation> | undefined,
    tableToken?: number,
  ): number {
    const code = this.#code;
    let index = start;
    if (code.word(index) === 'with' && code.word(index + 1) === 'ordinality') {
      index += 2;
    }
    if (tableToken !== undefined && code.is(index, '*')) {
      index++;
    }
    const hasAs = code.word(index) === 'as';
    const at = hasAs ? index + 1 : index;
    const category = keywords.get(code.word(at));
    const isAlias =
      at <= last &&
      category !== 'reserved' &&
      category !== 'typeOrFunctionName' &&
      !(code.word(at) === 'tablesample');
    const alias = isAlias ? this.#definition('alias', at) : undefined;
    index = alias === undefined ? at : at + 1;
    const hasList = index <= last && code.is(index, '(') && (alias !== undefined || hasAs);
    const columnAliases = hasList ? this.#columnList(index, last) : [];
    index = hasList ? this.#skip(index, last) + 1 : index;
    if (code.word(index) === 'tablesample') {
      index = this.#skip(index + 2, last) + 1;
    }
    if (item !== undefined) {
      select.relations.push({
        ...item,
        columnAliases,
        ...(alias === undefined ? {} : { definition: alias }),
      });
      if (tableToken !== undefined && item.commonTable !== undefined) {
        const target = item.commonTable.definition;
        select.mentions.push({ tokens: [tableToken], hasStar: false, clause: 'expression', target });
      }
    } else if (alias !== undefined) {
      select.relations.push({ definition: alias, columnAliases });
    }
    return index;
  }
}

const isStart = (code: TokenList, index: number): boolean =>
  ['select', 'values', 'table', 'insert', 'update', 'delete', 'merge'].includes(code.word(index));

const isReserved = (code: TokenList, index: number): boolean => {
  const category = keywords.get(code.word(index));
  return category === 'reserved' && !code.is(index - 1, '.');
};

/** `IS DISTINCT FROM`, `WITHIN GROUP`. */
function isPartOfExpression(code: TokenList, index: number): boolean {
  const before = code.word(index - 1);
  const word = code.word(index);
  const isDistinct = before === 'distinct' && ['is', 'not'].includes(code.word(index - 2));
  return (word === 'from' && isDistinct) || (word === 'group' && before === 'within');
}
