/**
 * Finds what repeats rows as often as the writer of a query likes: rows that are generated or written out, recursion, and
 * tables that no equality of their columns joins; and what sorts the rows of joined tables as a whole. With a sensitive
 * value in them, rows would become as large as one likes, and the length of that value then decides how PostgreSQL sorts
 * and joins them: in which order equal rows come, how long it takes, and whether they fit at all.
 *
 * A join repeats rows as often as the data say. Those by a column that the model says to have few values count as none;
 * of others it is not known.
 */
import { outputName } from '#server/language/tree/output-names.ts';
import {
  child,
  conjunctsOf,
  constantOf,
  hasPlaceholder,
  list,
  named,
  strings,
  text,
  walk,
  type Node,
} from '#server/language/tree/parse-tree.ts';
import { callName, isOfFixedSize, pathOperators } from './fixed-sizes.ts';
import type { TableSource } from './relations.ts';
import { rowLimitOf } from './sized-outputs.ts';

/** How often a query may write out the same row, by rows of constants and by UNION. */
const copiesMax = 20;
/** How often a row may have the same column of a table, as in a chain of managers; and how many values a query may make. */
const usesMax = 5;
const madeMax = 20;
/** How many times rows may be split into the elements of a column; those of a text count twice. */
const splitsMax = 2;

/** What repeats or sorts rows with a sensitive value. */
export interface RepeatedRows {
  readonly what: string;
  /** Whether whoever gives the values of parameters chooses how often. */
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

/**
 * Returns the column of a table that a column of a relation has its values from, as `schema.table.column`; '' if the query
 * makes them, and undefined if the relation has no such column.
 */
type Lookup = (column: string) => string | undefined;

/** What a relation adds to the rows of a FROM. */
interface Part {
  /** Its name in conditions. */
  readonly name: string;
  /** The copies of each row that it makes. */
  readonly copies: number;
  /** What makes them, if it is not their number. */
  readonly why?: string | undefined;
  /** Whether values of parameters may choose any number of them. */
  readonly isByValue: boolean;
  /** How many tables it is joined from. */
  readonly tables: number;
  /** Whether it need not be joined: it has one row, or only rows that are written out. */
  readonly isCounted: boolean;
  /** Relations beside it that its rows are looked up by, by their names. */
  readonly of: readonly string[];
  readonly lookup: Lookup;
  /** The names of its columns, in order, as far as the models tell. */
  readonly names?: readonly string[] | undefined;
  /** The columns whose elements its rows are. */
  readonly splits: readonly string[];
  /** How often its rows have what a column of a table has; '' stands for all that the query makes. */
  readonly uses: Uses;
  /** The same of one of its columns. */
  readonly holds: Holds;
}

/** Values of a fixed size are in none. */
type Uses = ReadonlyMap<string, number>;
type Holds = (column: string) => Uses | undefined;

/** The relations that an expression may name. */
interface Scope {
  readonly parts: readonly Part[];
  readonly outer: Scope | undefined;
}

interface Tables {
  readonly name: string;
  /** Undefined for one that is not read yet: itself, or one that comes later. */
  readonly part: Part | undefined;
  readonly outer: Tables | undefined;
}

/** From the row of one relation, that of another is found: in both directions, unless a join keeps rows without one. */
type Way = readonly [from: string, to: string];

/** What joins the relations of a FROM. */
interface Ways {
  readonly own: readonly Way[];
  /** From relations around, to its own. */
  readonly outside: readonly Way[];
}

const nothing: Lookup = () => undefined;
const made: Lookup = () => '';
const oneRow: Part = {
  name: '',
  copies: 1,
  isByValue: false,
  tables: 0,
  isCounted: true,
  of: [],
  lookup: nothing,
  splits: [],
  uses: new Map(),
  holds: () => undefined,
};
const aTable: Part = { ...oneRow, tables: 1, isCounted: false };
const endless = (why: string): Pick<Part, 'copies' | 'why'> => ({ copies: Infinity, why });

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

const noWays: Ways = { own: [], outside: [] };
const only = (part: Part): Joined => ({ parts: [part], ways: noWays });

const together = (all: readonly Ways[]): Ways => ({
  own: all.flatMap(({ own }) => own),
  outside: all.flatMap(({ outside }) => outside),
});

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

const once = (columns: readonly string[]): Uses => new Map(columns.map((column) => [column, 1]));
const aMade = once(['']);

const sumOf = (all: readonly Uses[]): Uses => merged(all, (one, other) => one + other);
const mostOf = (all: readonly Uses[]): Uses => merged(all, Math.max);

function merged(all: readonly Uses[], of: (one: number, other: number) => number): Uses {
  const found = new Map<string, number>();
  for (const uses of all)
    for (const [column, count] of uses) found.set(column, of(found.get(column) ?? 0, count));
  return found;
}

/** Returns what makes rows as wide as the writer likes, so that few of them fill the memory. */
function wideIn(uses: Uses): string | undefined {
  if ((uses.get('') ?? 0) > madeMax) return `more than ${madeMax} columns that the query makes`;
  for (const [column, count] of uses)
    if (column !== '' && count > usesMax)
      return `${column.replace(/^\./, '')}, more than ${usesMax} times in a row`;
  return undefined;
}

/** How often a query's rows have columns of tables, whole or in what is made from them. */
function usesOf(
  targets: readonly unknown[],
  scope: Scope,
  inner: ReadonlyMap<Node, Uses>,
): Pick<Part, 'uses' | 'holds'> {
  const outputs = targets.map((target) => {
    const fields = starOf(target);
    if (fields !== undefined) {
      const parts = partsOf(strings(fields).at(-2), scope);
      return { uses: sumOf(parts.map(({ uses }) => uses)), holds: holdsIn(parts) };
    }
    const name = nameOf(target);
    const uses = heldIn(child(target, 'ResTarget')?.val, scope, inner);
    return { uses, holds: (column: string) => (column === name ? uses : undefined) };
  });
  return { uses: sumOf(outputs.map(({ uses }) => uses)), holds: remembered(holdsIn(outputs)) };
}

/** Looks in several relations. */
const holdsIn =
  (parts: readonly Pick<Part, 'holds'>[]): Holds =>
  (column) => {
    const found = parts.flatMap((part) => part.holds(column) ?? []);
    return found.length === 0 ? undefined : mostOf(found);
  };

/** The relations of a name, in the query or around it; all of the query without one. */
function partsOf(relation: string | undefined, scope: Scope): readonly Part[] {
  if (relation === undefined) return scope.parts;
  for (let at: Scope | undefined = scope; at !== undefined; at = at.outer) {
    const parts = at.parts.filter(({ name }) => name === relation);
    if (parts.length > 0) return parts;
  }
  return [];
}

/** What a name stands for: a column, also one that no model has, or the whole row of a relation. */
function heldBy(fields: readonly string[], scope: Scope): Uses {
  const name = fields.at(-1) ?? '';
  const relation = fields.at(-2);
  for (let at: Scope | undefined = scope; at !== undefined; at = at.outer) {
    const found = holdsIn(relation === undefined ? at.parts : partsOf(relation, at))(name);
    if (found !== undefined) return found;
    const row = relation === undefined ? at.parts.find((part) => part.name === name) : undefined;
    if (row !== undefined) return row.uses;
  }
  return once([`.${name}`]);
}

/** What an expression is made from, except what has a fixed size. */
function heldIn(expression: unknown, scope: Scope, inner: ReadonlyMap<Node, Uses>): Uses {
  const found: Uses[] = [];
  const written: Uses[] = [];
  const visit = (kind: string, node: Node): boolean => {
    const member = memberOf({ [kind]: node });
    const read = kind === 'SelectStmt' ? inner.get(node) : undefined;
    if (member !== undefined) {
      const columns = heldBy(member.fields, scope);
      found.push(new Map([...columns].map(([column, count]) => [column && column + member.path, count])));
    } else if (read !== undefined) found.push(read);
    else if (kind === 'A_Const' || kind === 'ParamRef') written.push(aMade);
    else if (kind === 'CaseExpr')
      walk([list(node.args).map((each) => child(each, 'CaseWhen')?.result), node.defresult], visit);
    else return !isOfFixedSize(kind, node);
    return false;
  };
  walk([expression], visit);
  const uses = mostOf(found);
  return uses.size === 0 ? mostOf(written) : uses;
}

/** A column, or a part of one: parts by different paths that are written out have nothing in common, unless one leads on. */
function memberOf(expression: unknown): { fields: readonly string[]; path: string } | undefined {
  const { kind, body = {} } = named(expression) ?? {};
  if (kind === 'ColumnRef') return { fields: strings(body.fields), path: '' };
  if (kind === 'TypeCast')
    return /^jsonb?$/.test(strings(child(body, 'typeName')?.names).at(-1) ?? '')
      ? memberOf(body.arg)
      : undefined;
  const operator = strings(body.name).at(-1) ?? '';
  if (kind !== 'A_Expr' || !pathOperators.test(operator)) return undefined;
  const of = memberOf(body.lexpr);
  const key = keyOf(operator, body.rexpr);
  return of && key !== undefined ? { ...of, path: `${of.path}.${key}` } : undefined;
}

/** Returns undefined if the same part has other keys, too, such as `-1` or `{ 0}`. */
function keyOf(operator: string, expression: unknown): string | undefined {
  const constant = constantOf(expression);
  if (constant?.kind === 'number') return /^\d+$/.test(constant.value) ? `[${constant.value}]` : undefined;
  if (constant?.kind !== 'string') return undefined;
  if (!operator.startsWith('#')) return constant.value;
  const path = /^\{([a-z_]\w*(?:,[a-z_]\w*)*)\}$/i.exec(constant.value)?.[1];
  return path?.replaceAll(',', '.');
}

type Graph = ReadonlyMap<string, readonly string[]>;

function graphOf(parts: readonly Part[], ways: readonly Way[]): Graph {
  const graph = new Map<string, string[]>();
  for (const [from, to] of [
    ...ways,
    ...parts.flatMap(({ name, of }) => of.map((from): Way => [from, name])),
  ]) {
    const known = graph.get(from);
    if (known === undefined) graph.set(from, [to]);
    else known.push(to);
  }
  return graph;
}

function reach(graph: Graph, starts: readonly string[], reached = new Set<string>()): ReadonlySet<string> {
  const open = [...starts];
  for (let at = open.pop(); at !== undefined; at = open.pop()) {
    if (reached.has(at)) continue;
    reached.add(at);
    for (const next of graph.get(at) ?? []) open.push(next);
  }
  return reached;
}

const namesOf = (parts: readonly Part[]): readonly string[] => parts.map(({ name }) => name);
const neededOf = (parts: readonly Part[]): readonly string[] =>
  namesOf(parts.filter(({ isCounted }) => !isCounted));

/** The relations of a FROM that no way leads to, by their names. */
function unjoinedIn(parts: readonly Part[], ways: readonly Way[]): readonly string[] {
  const names = namesOf(parts);
  // Tables of two schemas may have one name, which then says nothing.
  if (new Set(names).size < names.length) return names.filter((name, index) => names.indexOf(name) !== index);
  const graph = graphOf(parts, ways);
  const needed = neededOf(parts);
  // If one leads to all, then the last that none before it leads to.
  const seen = new Set<string>();
  let [root = ''] = needed;
  for (const name of needed) {
    if (!seen.has(name)) root = name;
    reach(graph, [name], seen);
  }
  const isReached = (start: string) => {
    const reached = reach(graph, [start]);
    return (name: string) => reached.has(name);
  };
  return needed.every(isReached(root)) ? [] : needed.filter((name) => !isReached(needed[0] ?? '')(name));
}

/** The relations around a FROM by which all of its rows are looked up. */
function outerOf(parts: readonly Part[], { own, outside }: Ways): readonly string[] {
  const names = new Set(namesOf(parts));
  const from = [...outside, ...parts.flatMap(({ name, of }) => of.map((outer): Way => [outer, name]))].filter(
    ([outer]) => !names.has(outer),
  );
  const reached = reach(
    graphOf(parts, own),
    from.map(([, to]) => to),
  );
  return neededOf(parts).every((name) => reached.has(name)) ? [...new Set(from.map(([outer]) => outer))] : [];
}

/** Returns what sorts all rows of a query, so that more of them than fit into memory are sorted otherwise. */
function sortIn(node: Node, isTop: boolean): string | undefined {
  const { sortClause, distinctClause, limitOffset, targetList, windowClause } = node;
  let isOverWindow = list(windowClause).length > 0;
  walk([targetList, sortClause], (kind, inner) => {
    isOverWindow ||= kind === 'FuncCall' && inner.over !== undefined;
    return kind !== 'SelectStmt';
  });
  if (isOverWindow) return 'a window';
  if (list(distinctClause).length > 0) return 'DISTINCT';
  if (list(sortClause).length === 0) return undefined;
  if (!isTop) return 'an inner ORDER BY';
  // Of the first rows, no more than these are kept.
  const offset = limitOffset === undefined ? undefined : constantOf(limitOffset);
  const isNear = offset?.kind === 'number' && Number(offset.value) <= offsetMax;
  return limitOffset === undefined || isNear ? undefined : 'a large OFFSET';
}

const offsetMax = 1_000;

function callsIn(expressions: unknown): readonly Node[] {
  const calls: Node[] = [];
  walk([expressions], (kind, node) => {
    if (kind === 'FuncCall') calls.push({ FuncCall: node });
    return kind !== 'SelectStmt';
  });
  return calls;
}

/** Returns how many rows a function returns, as far as its constants say. */
function rowsOf(
  call: unknown,
  scope: Scope,
): Pick<Part, 'copies' | 'why' | 'isByValue'> & { readonly splits?: readonly string[] } {
  const name = callName(call);
  if (!returnsRows.test(name)) return { copies: 1, isByValue: false };
  const given = list(child(call, 'FuncCall')?.args);
  // A list of values, or a text of them, has few.
  const isByValue = name.startsWith('generate_') && hasPlaceholder(given);
  if (name === 'generate_series') return { copies: stepsOf(given), why: `${name}()`, isByValue };
  // It has as many rows as the longest of its arrays.
  const all = given.slice(0, name === 'unnest' ? given.length : 1).map((each) => {
    const elements = name === 'unnest' ? list(child(each, 'A_ArrayExpr')?.elements) : [];
    if (elements.length > 0) return writtenOut(elements, scope);
    const column = elementsOf.test(name) ? columnOf(each, scope)?.source : undefined;
    const known = column?.includes(anyPart) === true ? undefined : column;
    return { copies: known === undefined ? Infinity : 1, columns: known === undefined ? [] : [known] };
  });
  const copies = all.reduce((most, each) => Math.max(most, each.copies), 0);
  if (all.length === 0 || !Number.isFinite(copies) || splitsEveryLetter(name, given))
    return { ...endless(`${name}()`), isByValue };
  const columns = [...new Set(all.flatMap((each) => each.columns))];
  // A text has as many parts as its pattern says.
  return {
    copies,
    isByValue,
    splits: textParts.test(name) ? columns.flatMap((column) => [column, `${column}[]`]) : columns,
  };
}

/** The rows of an array that is written out. Its elements may be arrays, whose elements are rows. */
function writtenOut(
  elements: readonly unknown[],
  scope: Scope,
): { copies: number; columns: readonly string[] } {
  let column = '';
  let copies = elements.length;
  walk(elements, (kind, node) => {
    if (kind === 'ColumnRef') column ||= sourceOf(strings(node.fields), scope);
    if (list(child(node, 'typeName')?.arrayBounds).length > 0) copies = Infinity;
    return true;
  });
  return { copies, columns: column === '' ? [] : [column] };
}

/** The rows of generate_series; Infinity unless all that it is given are numbers that are written out. */
function stepsOf(given: readonly unknown[]): number {
  const numbers = given.map((each) => {
    const constant = constantOf(each);
    return constant?.kind === 'number' ? Number(constant.value) : NaN;
  });
  const [from = NaN, to = NaN, step = 1] = numbers;
  const rows = Math.floor((to - from) / step) + 1;
  return Number.isFinite(rows) ? Math.max(1, rows) : Infinity;
}

/** Those that return the elements of a value, which is not of the writer's choice. */
const elementsOf =
  /^(?:unnest|regexp_matches|(?:regexp_split|string)_to_table|jsonb?_(?:each|each_text|array_elements|array_elements_text|object_keys))$/;
const textParts = /^(?:regexp_matches|(?:regexp_split|string)_to_table)$/;

/** PostgreSQL's functions that return a set of rows, and may be called by an agent. */
const returnsRows =
  /^(?:generate_.+|unnest|regexp_matches|(?:regexp_split|string)_to_table|jsonb?_(?:each|each_text|array_elements|array_elements_text|object_keys|path_query|path_query_tz|to_recordset|populate_recordset))$/;

/** The names of the columns of functions, besides their own. */
const functionColumns = ['key', 'value', 'ordinality'];

/** Whether a text is not split at a text that is written out. */
function splitsEveryLetter(name: string, [, separator]: readonly unknown[]): boolean {
  const constant = constantOf(separator);
  return textParts.test(name) && !(constant?.kind === 'string' && constant.value !== '');
}

/** Whether a query has one row: an aggregate of all rows, or a limit. */
function isOneRow(node: Node): boolean {
  if (rowLimitOf(node) === 1) return true;
  const calls = callsIn(node.targetList);
  // A function beside an aggregate, or of one, may return any number of rows.
  if (calls.some((call) => returnsRows.test(callName(call)))) return false;
  const isAggregate = calls.some(
    (call) => child(call, 'FuncCall')?.over === undefined && aggregates.test(callName(call)),
  );
  return isAggregate && list(node.groupClause).length === 0;
}

const aggregates = /^(?:count|sum|avg|min|max|bool_and|bool_or|every|(?:string|array|jsonb?)_agg)$/;

function isRead(name: string, select: Node): boolean {
  let isFound = false;
  walk([select], (kind, node) => {
    isFound ||= kind === 'RangeVar' && node.relname === name;
    return true;
  });
  return isFound;
}

/** Whether a recursive query goes on only to rows of columns, none twice: there are no more than the tables hold. */
function isFiniteWalk({ op, all, rarg }: Node): boolean {
  return op === 'SETOP_UNION' && all !== true && isOfColumns(child({ rarg }, 'rarg') ?? {});
}

function isOfColumns(select: Node): boolean {
  const sides = [child(select, 'larg'), child(select, 'rarg')].filter((side) => side !== undefined);
  if (sides.length > 0) return sides.every(isOfColumns);
  return (
    list(select.valuesLists).length === 0 &&
    list(select.targetList).every(
      (target) => child(child(child(target, 'ResTarget'), 'val'), 'ColumnRef') !== undefined,
    ) &&
    list(select.fromClause).every(isOfTables) &&
    list(child(select, 'withClause')?.ctes).every((entry) =>
      isOfColumns(child(child(child(entry, 'CommonTableExpr'), 'ctequery'), 'SelectStmt') ?? {}),
    )
  );
}

function isOfTables(item: unknown): boolean {
  const { kind, body = {} } = named(item) ?? {};
  if (kind === 'JoinExpr') return isOfTables(body.larg) && isOfTables(body.rarg);
  if (kind === 'RangeSubselect') return isOfColumns(child(child(body, 'subquery'), 'SelectStmt') ?? {});
  return kind === 'RangeVar';
}

/** The relations whose columns a condition finds equal, in every row. */
function waysBy(condition: unknown, scope: Scope): Ways {
  const own = new Set(namesOf(scope.parts));
  const ways = conjunctsOf(condition)
    .flatMap(sidesOf)
    .flatMap(([left, right]): readonly Way[] => {
      const [from, to] = [left, right].map((side) => columnOf(side, scope)?.relation);
      return from === undefined || to === undefined || from === to
        ? []
        : [
            [from, to],
            [to, from],
          ];
    })
    .filter(([, to]) => own.has(to));
  return {
    own: ways.filter(([from]) => own.has(from)),
    outside: ways.filter(([from]) => !own.has(from)),
  };
}

/** The sides of a condition that compares by equality. */
function sidesOf(condition: unknown): readonly (readonly [unknown, unknown])[] {
  const node = child(condition, 'A_Expr');
  if (node === undefined || strings(node.name).join('.') !== '=') return [];
  const { kind, lexpr, rexpr } = node;
  if (kind !== 'AEXPR_OP' && kind !== 'AEXPR_OP_ANY') return [];
  const [left, right] = [lexpr, rexpr].map((side) => list(child(side, 'RowExpr')?.args));
  if (left === undefined || right === undefined || left.length === 0) return [[lexpr, rexpr]];
  return left.map((each, index) => [each, right[index]] as const);
}

/** The relations that USING joins. NATURAL may find no column that both have. */
function usingIn(node: Node, left: readonly Part[], right: readonly Part[]): readonly Way[] {
  return strings(node.usingClause).flatMap((column): readonly Way[] => {
    const [from, to] = [left, right].map((side) =>
      lookupIn(side)(column) ? side.find((part) => part.lookup(column) !== undefined)?.name : undefined,
    );
    return from === undefined || to === undefined
      ? []
      : [
          [from, to],
          [to, from],
        ];
  });
}

/** A column of a table. */
interface Column {
  /** As `schema.table.column`, with what leads to a part of it. */
  readonly source: string;
  /** The relation that the expression names. */
  readonly relation: string | undefined;
}

/** Returns the column of a table that has the values of an expression; undefined if the query makes them. */
function columnOf(expression: unknown, scope: Scope): Column | undefined {
  const { kind, body = {} } = named(expression) ?? {};
  switch (kind) {
    case 'ColumnRef': {
      const fields = strings(body.fields);
      const source = sourceOf(fields, scope);
      return source === '' ? undefined : { source, relation: fields.at(-2) ?? functionOf(fields, scope) };
    }
    case 'CollateClause':
      return columnOf(body.arg, scope);
    case 'TypeCast':
      return isCutBy(child(body, 'typeName')) ? undefined : columnOf(body.arg, scope);
    case 'A_Indirection':
      return elementOf(columnOf(body.arg, scope), list(body.indirection));
    case 'A_Expr': {
      const path = pathOperators.test(strings(body.name).at(-1) ?? '') ? stepOf(body.rexpr) : undefined;
      return path === undefined ? undefined : partOf(columnOf(body.lexpr, scope), path);
    }
    case 'CoalesceExpr': {
      const columns = list(body.args).map((each) => columnOf(each, scope));
      const [first] = columns;
      const isOne = columns.every((each) => each !== undefined && each.relation === first?.relation);
      return isOne ? partOf(first, anyPart) : undefined;
    }
    case 'FuncCall': {
      const given = list(body.args);
      const keeps = /^(?:min|max|lower|upper|btrim)$/.test(callName(expression));
      return keeps && given.length === 1 ? columnOf(given[0], scope) : undefined;
    }
    default:
      return undefined;
  }
}

const partOf = (column: Column | undefined, path: string): Column | undefined =>
  column && { ...column, source: path === '' ? column.source : `${column.source}.${path}` };

/** Stands for what the values of a query choose, so that two of them may be the same. */
const anyPart = '?';

/** A part of an array or of JSON. A slice has elements of the whole array. */
function elementOf(column: Column | undefined, subscripts: readonly unknown[]): Column | undefined {
  if (subscripts.some((each) => child(each, 'A_Indices')?.is_slice === true)) return column;
  return subscripts.reduce<Column | undefined>((found, each) => {
    const indices = child(each, 'A_Indices');
    const [field = ''] = strings([each]);
    return partOf(found, indices === undefined ? field : (stepOf(indices.uidx) ?? anyPart));
  }, column);
}

/** Returns what leads to a part, however it is written; undefined unless it is a constant or a parameter. */
function stepOf(expression: unknown): string | undefined {
  const constant = constantOf(child(expression, 'TypeCast')?.arg ?? expression);
  if (constant?.kind === 'placeholder') return anyPart;
  if (constant === undefined || !('value' in constant)) return undefined;
  // As in `{a,"b",0}`. Elements are counted from either end.
  const steps = String(constant.value)
    .replaceAll(/[{}"\\\s]/g, '')
    .split(',');
  return steps
    .filter((step) => step !== '')
    .map((step) => (/^[+-]?\d+$/.test(step) ? '#' : step))
    .join('.');
}

/** The function of a FROM that a name stands for. A column of that name beside it would be ambiguous. */
const functionOf = ([name, ...others]: readonly string[], { parts }: Scope): string | undefined =>
  others.length > 0
    ? undefined
    : parts.find((part) => part.name === name && part.lookup(part.name) !== undefined)?.name;

/** Whether a cast leaves few values: `::varchar(1)`, `::boolean`. */
function isCutBy(type: Node | undefined): boolean {
  const name = strings(type?.names).at(-1) ?? '';
  const lengths = list(type?.typmods);
  const [length] = lengths.map(constantOf);
  const isLong = length?.kind === 'number' && Number(length.value) >= idLength;
  if (isLong && /^(?:varchar|bpchar)$/.test(name)) return false;
  return lengths.length > 0 || /^(?:bool|char|bpchar|bit)$/.test(name);
}

/** The length of a UUID. */
const idLength = 36;

/** Returns '' if the query makes its values. */
function sourceOf(fields: readonly string[], scope: Scope): string {
  const name = fields.at(-1) ?? '';
  const relation = fields.at(-2);
  for (let at: Scope | undefined = scope; at !== undefined; at = at.outer) {
    const parts = relation === undefined ? at.parts : at.parts.filter((part) => part.name === relation);
    const found = lookupIn(parts)(name);
    if (found !== undefined || (relation !== undefined && parts.length > 0)) return found ?? '';
  }
  return '';
}

/** Looks in several relations. What one of them makes counts as made. */
const lookupIn =
  (parts: readonly Part[]): Lookup =>
  (column) => {
    const found = parts.map((part) => part.lookup(column)).filter((source) => source !== undefined);
    return found.includes('') ? '' : found[0];
  };

/** Each name is looked up once, since a relation that is read often asks others in turn. */
function remembered<T>(lookup: (column: string) => T): (column: string) => T {
  const known = new Map<string, T>();
  return (column) => {
    const before = known.get(column);
    if (before !== undefined || known.has(column)) return before as T;
    const found = lookup(column);
    known.set(column, found);
    return found;
  };
}

const starOf = (target: unknown): readonly unknown[] | undefined => {
  const fields = list(child(child(child(target, 'ResTarget'), 'val'), 'ColumnRef')?.fields);
  return child(fields.at(-1), 'A_Star') === undefined ? undefined : fields;
};

const nameOf = (target: unknown): string => {
  const { name, val } = child(target, 'ResTarget') ?? {};
  return text(name) || (outputName(val) ?? '');
};

/** The columns of a query's rows. */
function outputsOf(targets: readonly unknown[], scope: Scope): Lookup {
  return remembered((column) => {
    const own = targets.filter((target) => starOf(target) === undefined && nameOf(target) === column);
    if (own.length > 0)
      return own.length > 1 ? '' : (columnOf(child(own[0], 'ResTarget')?.val, scope)?.source ?? '');
    const found = targets.flatMap((target) => {
      const fields = starOf(target);
      const relation = strings(fields).at(-2);
      const parts = scope.parts.filter(({ name }) => relation === undefined || name === relation);
      return fields === undefined ? [] : (lookupIn(parts)(column) ?? []);
    });
    return found.includes('') ? '' : found[0];
  });
}

/** The names of a query's columns, in order; undefined if they are unknown. */
function namesOfOutputs(
  targets: readonly unknown[],
  parts: readonly Part[],
  isMerged: boolean,
): readonly string[] | undefined {
  const names: string[] = [];
  for (const target of targets) {
    const fields = starOf(target);
    const relation = strings(fields).at(-2);
    const indirection = list(child(child(child(target, 'ResTarget'), 'val'), 'A_Indirection')?.indirection);
    const own =
      fields === undefined
        ? child(indirection.at(-1), 'A_Star') === undefined
          ? [nameOf(target)]
          : undefined
        : relation !== undefined
          ? namesOfAll(parts.filter(({ name }) => name === relation))
          : isMerged
            ? undefined
            : namesOfAll(parts);
    if (own === undefined || names.length + own.length > outputsMax) return undefined;
    for (const name of own) names.push(name);
  }
  return names;
}

/** PostgreSQL's limit. */
const outputsMax = 1_664;

function namesOfAll(parts: readonly Part[]): readonly string[] | undefined {
  const all = parts.flatMap(({ names }) => (names === undefined ? [] : [names]));
  const isKnown = parts.length > 0 && all.length === parts.length;
  return isKnown ? all.flat() : undefined;
}

/** New names apply by place. */
function renamed(part: Part, given: readonly string[]): Part {
  if (given.length === 0) return part;
  const { names: before } = part;
  const names = before?.map((name, place) => given[place] ?? name);
  const lookup: Lookup = (column) => {
    if (before === undefined || names === undefined) return '';
    const place = names.indexOf(column);
    return place < 0 ? undefined : (part.lookup(before[place] ?? '') ?? '');
  };
  const holds: Holds = (column) => {
    if (before === undefined || names === undefined) return part.uses;
    const place = names.indexOf(column);
    return place < 0 ? undefined : (part.holds(before[place] ?? '') ?? part.uses);
  };
  return { ...part, names, lookup, holds };
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
