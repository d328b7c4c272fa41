/**
 * Finds what repeats rows as often as the writer of a query likes: rows that are generated or written out, recursion, and
 * tables that no equality of their columns joins; and what sorts the rows of joined tables as a whole. With a sensitive
 * value in them, rows would become as large as one likes, and the length of that value then decides how PostgreSQL sorts
 * and joins them: in which order equal rows come, how long it takes, and whether they fit at all.
 *
 * A join repeats rows as often as the data say. Those by a column that the model says to have few values count as none;
 * of others it is not known.
 */
import {
  child,
  hasPlaceholder,
  list,
  named,
  type Node,
  strings,
  text,
  walk,
} from '#server/language/tree/parse-tree.ts';
import { callName } from '../fixed-sizes.ts';
import type { TableSource } from '../relations.ts';
import { columnOf } from './column-sources.ts';
import { namesOfAll, namesOfOutputs, outputsOf, renamed } from './outputs.ts';
import {
  aTable,
  endless,
  type Holds,
  type Lookup,
  lookupIn,
  made,
  nothing,
  oneRow,
  type Part,
  remembered,
  type Scope,
  type Uses,
} from './parts.ts';
import { callsIn, functionColumns, isFiniteWalk, isOneRow, isRead, rowsOf, sortIn } from './row-counts.ts';
import { aMade, heldIn, holdsIn, mostOf, once, sumOf, usesOf, wideIn } from './row-width.ts';
import { noWays, outerOf, together, unjoinedIn, usingIn, type Way, type Ways, waysBy } from './ways.ts';

/** How often a query may write out the same row, by rows of constants and by UNION. */
const copiesMax = 20;

/** How many times rows may be split into the elements of a column; those of a text count twice. */
const splitsMax = 2;

/** What repeats or sorts rows with a sensitive value. */
export interface RepeatedRows {
  readonly what: string;
  /** Whether the values of parameters choose how often. */
  readonly isByValue: boolean;
}

/**
 * Returns what repeats or sorts rows with a sensitive value, in a query or an inner one: the first of the text, and the
 * first by values.
 * @param carries whether the rows of a query, by its node, have such a value
 */
export function repeatedRowsIn(
  query: Node,
  tables: TableSource,
  carries: (select: Node) => boolean,
): readonly RepeatedRows[] {
  const reader = new CopyReader(query, tables, carries);
  reader.select(query, undefined, undefined);
  return reader.found;
}

interface Tables {
  readonly name: string;
  /** Undefined for one that is not read yet: itself, or one that comes later. */
  readonly part: Part | undefined;
  readonly outer: Tables | undefined;
}

class CopyReader {
  readonly found: RepeatedRows[] = [];
  readonly #top: Node;
  readonly #source: TableSource;
  readonly #carries: (select: Node) => boolean;
  /** Those of inner queries that were read. */
  readonly #uses = new Map<Node, Uses>();

  constructor(top: Node, source: TableSource, carries: (select: Node) => boolean) {
    this.#top = top;
    this.#source = source;
    this.#carries = carries;
  }

  /** Reads a query, and returns what its rows are made from. */
  select(node: Node, outer: Tables | undefined, scope: Scope | undefined): Part {
    const tables = this.#commonTables(child(node, 'withClause'), outer, scope);
    const part = this.#rows(node, tables, scope);
    this.#uses.set(node, part.uses);
    if (this.#carries(node)) {
      const wide = wideIn(part.uses);
      if (wide !== undefined) this.#tell(wide, false);
      if (part.copies > copiesMax)
        this.#tell(part.why ?? `more than ${copiesMax} copies of a row`, part.isByValue);
      const sorted = part.tables > 1 ? sortIn(node, node === this.#top) : undefined;
      // Values of parameters choose no more rows than the tables have.
      if (sorted !== undefined) this.#tell(`${sorted} of joined tables`, false);
    }
    const { of, lookup, names, uses, holds } = part;
    return isOneRow(node) ? { ...oneRow, of, lookup, names, uses, holds } : part;
  }

  #tell(what: string, isByValue: boolean): void {
    if (!this.found.some((other) => other.isByValue === isByValue)) this.found.push({ what, isByValue });
  }

  #rows(node: Node, tables: Tables | undefined, scope: Scope | undefined): Part {
    const [left, right] = [child(node, 'larg'), child(node, 'rarg')];
    const ending = [node.sortClause, node.limitCount, node.limitOffset];
    if (left !== undefined && right !== undefined) {
      this.#inner(ending, tables, scope);
      const sides = [this.select(left, tables, scope), this.select(right, tables, scope)] as const;
      return eitherOf(sides, [left, right]);
    }
    const rows = list(node.valuesLists).length;
    if (rows > 0) {
      this.#inner([node.valuesLists, ending], tables, scope);
      const [first] = list(node.valuesLists);
      const names = list(child(first, 'List')?.items).map((_, index) => `column${index + 1}`);
      const cells = list(node.valuesLists).map((row) =>
        list(child(row, 'List')?.items).map((cell) => heldIn(cell, { parts: [], outer: scope }, this.#uses)),
      );
      return {
        ...oneRow,
        copies: rows,
        lookup: made,
        names,
        uses: mostOf(cells.map(sumOf)),
        holds: (column) => {
          const place = names.indexOf(column);
          return place < 0 ? undefined : mostOf(cells.flatMap((row) => row[place] ?? []));
        },
      };
    }
    let parts: readonly Part[] = [];
    const ways: Ways[] = [];
    let isMerged = false;
    for (const item of list(node.fromClause)) {
      const read = this.#from(item, tables, { parts, outer: scope });
      parts = [...parts, ...read.parts];
      ways.push(read.ways);
      isMerged ||= read.isMerged === true;
    }
    const own = { parts, outer: scope };
    const { targetList, whereClause } = node;
    this.#inner([targetList, whereClause, node.havingClause, node.groupClause, ending], tables, own);
    const calls = callsIn(targetList).map((call): Part => ({ ...oneRow, ...rowsOf(call, own) }));
    const product = productOf(parts, together([...ways, waysBy(whereClause, own)]), calls);
    const targets = list(targetList);
    return {
      ...product,
      lookup: outputsOf(targets, own),
      names: namesOfOutputs(targets, parts, isMerged),
      ...usesOf(targets, own, this.#uses),
    };
  }

  #commonTables(
    clause: Node | undefined,
    outer: Tables | undefined,
    scope: Scope | undefined,
  ): Tables | undefined {
    const entries = list(clause?.ctes).map((entry) => child(entry, 'CommonTableExpr'));
    let own = outer;
    if (clause?.recursive === true)
      for (const entry of entries) own = { name: text(entry?.ctename), part: undefined, outer: own };
    for (const entry of entries) {
      const name = text(entry?.ctename);
      const select = child(child(entry, 'ctequery'), 'SelectStmt');
      if (select === undefined) continue;
      // A walk without repeated or computed rows ends by itself.
      const isWalk = clause?.recursive === true && isRead(name, select) && isFiniteWalk(select);
      const self: Part = { ...aTable, lookup: (column) => `.${name}.${column}`, holds: () => aMade };
      const part = this.select(select, isWalk ? { name, part: self, outer: own } : own, scope);
      own = { name, part: renamed(part, strings(entry?.aliascolnames)), outer: own };
    }
    return own;
  }

  /** Reads the queries within expressions. */
  #inner(expressions: unknown, tables: Tables | undefined, scope: Scope | undefined): void {
    walk([expressions], (kind, node) => {
      if (kind !== 'SelectStmt') return true;
      // The rows of `IN (VALUES ...)` are compared, and repeat nothing.
      if (list(node.valuesLists).length === 0) this.select(node, tables, scope);
      else this.#inner(node.valuesLists, tables, scope);
      return false;
    });
  }

  #from(item: unknown, tables: Tables | undefined, scope: Scope): Joined {
    const { kind = '', body = {} } = named(item) ?? {};
    const alias = child(body, 'alias');
    const name = text(alias?.aliasname);
    switch (kind) {
      case 'RangeVar':
        return only(this.#table(body, alias, tables));
      case 'RangeSubselect': {
        const select = child(child(body, 'subquery'), 'SelectStmt');
        if (select === undefined) return only({ ...aTable, ...endless(kind), name });
        const isLateral = body.lateral === true;
        const part = this.select(select, tables, isLateral ? scope : scope.outer);
        return only({
          ...renamed(part, strings(alias?.colnames)),
          name,
          of: isLateral ? part.of : [],
        });
      }
      case 'JoinExpr':
        return this.#join(body, alias, tables, scope);
      case 'RangeTableSample':
        return this.#from(body.relation, tables, scope);
      case 'RangeFunction': {
        this.#inner([body.functions], tables, scope);
        const calls = list(body.functions).map((entry) => list(child(entry, 'List')?.items)[0]);
        const parts = calls.map((call): Part => ({ ...oneRow, ...rowsOf(call, scope) }));
        const own = name || callName(calls[0]);
        const names = strings(alias?.colnames);
        const columns = [own, ...names, ...functionColumns];
        const isOne = parts.length === 1 && (parts[0]?.splits.length ?? 0) > 0;
        const source = isOne
          ? columnOf(list(child(calls[0], 'FuncCall')?.args)[0], scope)?.source
          : undefined;
        // Others are numbers, or what further arguments give.
        const places = /_each/.test(callName(calls[0])) ? 2 : 1;
        const isMade = (column: string) => column === 'ordinality' || names.indexOf(column) >= places;
        const uses = sumOf(calls.map((call) => heldIn(call, scope, this.#uses)));
        return only({
          ...productOf([], noWays, parts),
          name: own,
          of: qualifiersIn(calls),
          lookup: (column) =>
            columns.includes(column) ? (isMade(column) || !source ? '' : `${source}[]`) : undefined,
          uses,
          holds: (column) => (columns.includes(column) ? uses : undefined),
        });
      }
      default:
        return only({ ...aTable, ...endless(kind), name });
    }
  }

  #join(node: Node, alias: Node | undefined, tables: Tables | undefined, scope: Scope): Joined {
    const left = this.#from(node.larg, tables, scope);
    const beside = { parts: [...scope.parts, ...left.parts], outer: scope.outer };
    const right = this.#from(node.rarg, tables, beside);
    const parts = [...left.parts, ...right.parts];
    const own = { parts, outer: scope.outer };
    this.#inner([node.quals], tables, own);
    const by = waysBy(node.quals, own);
    const pairs = [...by.own, ...usingIn(node, left.parts, right.parts)];
    const lefts = new Set(left.parts.map((part) => part.name));
    // An outer join keeps the rows of a side, or of both, for which its condition finds none of the other.
    const isInner = node.jointype === 'JOIN_INNER';
    const isFull = node.jointype === 'JOIN_FULL';
    const [keepsLeft, keepsRight] = [
      isFull || node.jointype === 'JOIN_LEFT',
      isFull || node.jointype === 'JOIN_RIGHT',
    ];
    const isAcross = ([from, to]: Way) => lefts.has(from) !== lefts.has(to);
    const found = pairs.filter(
      (way) => isInner || (isAcross(way) && (isFull || lefts.has(way[0]) === keepsLeft)),
    );
    const isOne =
      !isFull || [left, right].every((side) => unjoinedIn(side.parts, side.ways.own).length === 0);
    const ways = {
      own: [...left.ways.own, ...right.ways.own, ...(isOne ? found : [])],
      outside: [
        ...(keepsRight ? [] : left.ways.outside),
        ...(keepsLeft ? [] : right.ways.outside),
        ...(isInner ? by.outside : []),
      ],
    };
    const isMerged =
      node.isNatural === true ||
      list(node.usingClause).length > 0 ||
      left.isMerged === true ||
      right.isMerged === true;
    if (alias === undefined) return { parts, ways, isMerged };
    // Its alias stands for all of its tables, so they must be joined among themselves.
    const part = {
      ...productOf(parts, ways, []),
      name: text(alias.aliasname),
      lookup: lookupIn(parts),
      names: isMerged ? undefined : namesOfAll(parts),
      holds: holdsIn(parts),
    };
    return only(renamed(part, strings(alias.colnames)));
  }

  #table(node: Node, alias: Node | undefined, tables: Tables | undefined): Part {
    const table = text(node.relname);
    const name = text(alias?.aliasname) || table;
    const schema = node.schemaname === undefined ? undefined : text(node.schemaname);
    const given = strings(alias?.colnames);
    for (let at = schema === undefined ? tables : undefined; at !== undefined; at = at.outer)
      if (at.name === table) {
        // Its rows are those of a table, if it is one of its own that is not read yet.
        const part = at.part ?? { ...oneRow, isCounted: false, ...endless('WITH RECURSIVE') };
        return renamed({ ...part, name, of: [] }, given);
      }
    const known = this.#source.columnsOf(schema, table);
    const columns = known?.list ?? [];
    const path = `${schema ?? this.#source.schema}.${table}`;
    const lookup: Lookup = (column) => {
      const own = columns.find((each) => each.name === column);
      return own && (own.hasFewValues === true ? '' : `${path}.${column}`);
    };
    const isKnown = known !== undefined && known.others === undefined;
    const names = isKnown ? columns.map((column) => column.name) : undefined;
    const uses = once([`${path}.*`]);
    const holds: Holds = (column) => {
      const own = columns.find((each) => each.name === column);
      return own && once(own.isOfFixedSize === true ? [] : [`${path}.${column}`]);
    };
    return renamed({ ...aTable, name, lookup, names, uses, holds }, given);
  }
}

/** The relations of an item of FROM. */
interface Joined {
  readonly parts: readonly Part[];
  readonly ways: Ways;
  /** Whether `*` has columns of two relations as one, by USING or NATURAL. */
  readonly isMerged?: boolean;
}

const only = (part: Part): Joined => ({ parts: [part], ways: noWays });

/** The rows of joined relations, and of calls beside them. */
function productOf(parts: readonly Part[], ways: Ways, calls: readonly Part[]): Part {
  const all = [...parts, ...calls];
  const unjoined = unjoinedIn(parts, ways.own);
  const splits = all.flatMap((part) => part.splits).slice(0, splitsMax + 1);
  const split =
    new Set(splits).size < splits.length
      ? 'elements of a column, more than once'
      : splits.length > splitsMax
        ? `elements of more than ${splitsMax} columns, where those of a text count twice`
        : undefined;
  return {
    name: '',
    copies:
      unjoined.length > 0 || split !== undefined
        ? Infinity
        : all.reduce((product, { copies }) => product * copies, 1),
    why:
      all.find(({ copies, why }) => copies === Infinity && why !== undefined)?.why ??
      (unjoined.length > 0
        ? `${unjoined.join(', ')} (no equality of columns of tables joins it to the tables before)`
        : (split ?? all.find(({ why }) => why !== undefined)?.why)),
    isByValue: all.some((part) => part.isByValue),
    tables: all.reduce((sum, part) => sum + part.tables, 0),
    isCounted: parts.every(({ isCounted }) => isCounted),
    of: outerOf(parts, ways),
    lookup: nothing,
    splits,
    uses: sumOf(parts.map((part) => part.uses)),
    holds: () => undefined,
  };
}

/** The rows of two queries together. */
function eitherOf([left, right]: readonly [Part, Part], nodes: readonly [Node, Node]): Part {
  const { names } = left;
  const isGenerated = [left, right].some(
    ({ copies, tables }, index) => copies === Infinity && tables === 0 && hasPlaceholder(nodes[index]),
  );
  const uses = mostOf([left.uses, right.uses]);
  return {
    name: '',
    copies: left.copies + right.copies,
    why: left.why ?? right.why,
    isByValue: isGenerated || left.isByValue || right.isByValue,
    tables: Math.max(left.tables, right.tables),
    isCounted: left.isCounted && right.isCounted,
    of: left.of.filter((name) => right.of.includes(name)),
    names,
    lookup: remembered((column) => {
      if (names === undefined || right.names === undefined) return '';
      const place = names.indexOf(column);
      if (place < 0) return undefined;
      const sources = [left.lookup(column) ?? '', right.lookup(right.names[place] ?? '') ?? ''];
      // Rows that are written out are few.
      if (left.isCounted || right.isCounted) return sources[left.isCounted ? 1 : 0];
      return sources.includes('') ? '' : sources[0];
    }),
    splits: [...left.splits, ...right.splits].slice(0, splitsMax + 1),
    uses,
    holds: (column) => {
      if (names === undefined || right.names === undefined) return uses;
      const place = names.indexOf(column);
      if (place < 0) return undefined;
      return mostOf([left.holds(column) ?? left.uses, right.holds(right.names[place] ?? '') ?? right.uses]);
    },
  };
}

function qualifiersIn(expressions: unknown): readonly string[] {
  const found = new Set<string>();
  walk([expressions], (kind, node) => {
    const name = kind === 'ColumnRef' ? strings(node.fields).at(-2) : undefined;
    if (name !== undefined) found.add(name);
    return true;
  });
  return [...found];
}
