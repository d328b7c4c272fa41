/**
 * Traces each result column to its origin through FROM, CTEs, subqueries, `*` and set operations, and finds the places
 * where a sensitive value is tested. The parse tree is not trusted: unknown parts count as sensitive.
 */
import { outputName } from '#server/language/tree/output-names.ts';
import { child, isNode, list, strings, text, type Node } from '#server/language/tree/parse-tree.ts';
import {
  decide,
  expressionsIn,
  isStar,
  originOf,
  plainName,
  readWindow,
  type Decision,
  type ExpressionReader,
} from './expression-origins.ts';
import { mayHideColumn } from './grouped-outputs.ts';
import { isOpenFunction } from './open-functions.ts';
import { mixed, oneOf, unknownOrigin, type Origin } from './origin.ts';
import {
  allOrigins,
  columnsOfEither,
  joinedColumns,
  meaningsOf,
  nothingKnown,
  relationsNamed,
  renamedColumns,
  wholeRow,
  type OriginColumn,
  type OriginColumns,
  type OriginRelation,
  type OriginScope,
  type TableSource,
} from './relations.ts';
import { repeatedRowsIn } from './rows/repeated-rows.ts';
import { columnsMax, rowLimitOf, sizedOutputsIn } from './sized-outputs.ts';

/** A test of a sensitive value, or an origin that cannot be traced. */
export type OriginProblem =
  | { readonly kind: 'decides'; readonly decision: Decision; readonly origin: NonNullable<Origin> }
  | { readonly kind: 'unknown-table'; readonly table: string }
  | { readonly kind: 'repeated'; readonly column: string }
  | {
      readonly kind: 'sized' | 'copied';
      readonly what: string;
      /** Whether the values of parameters choose the size. */
      readonly isByValue: boolean;
    }
  | { readonly kind: 'too-complex' };

export interface QueryOrigins {
  readonly columns: OriginColumns;
  readonly problems: readonly OriginProblem[];
  /** The most rows of the result, by its LIMIT; undefined without one, Infinity if it is not known. */
  readonly rowLimit?: number | undefined;
}

/** @returns undefined if the tree is not a single query. */
export function readQueryOrigins(tree: unknown, tables: TableSource): QueryOrigins | undefined {
  const statements = list(child({ tree }, 'tree')?.stmts);
  const select = child(child(statements[0], 'stmt'), 'SelectStmt');
  if (select === undefined || statements.length !== 1) return undefined;
  const reader = new QueryOriginReader(tables);
  try {
    const columns = reader.select(select, undefined, undefined);
    if (reader.carriers.size > 0)
      for (const each of sizedOutputsIn(select)) reader.problems.push({ kind: 'sized', ...each });
    for (const each of repeatedRowsIn(select, tables, (node) => reader.carriers.has(node)))
      reader.problems.push({ kind: 'copied', ...each });
    return { columns, problems: reader.problems, rowLimit: rowLimitOf(select) };
  } catch (error) {
    if (!(error instanceof TooComplexError) && !(error instanceof RangeError)) throw error;
    return { columns: nothingKnown, problems: [{ kind: 'too-complex' }] };
  }
}

class TooComplexError extends Error {}

/**
 * How often a sensitive column may occur in a result, also of an inner query. Many copies would make the length of a value
 * decide whether the response is too large to be read, or an inner result too large to be kept.
 */
const copiesMax = 2;

function repeatedIn({ list: columns, others }: OriginColumns): readonly OriginProblem[] {
  const counts = new Map<string, number>();
  const count = (column: string, copies: number): void =>
    void counts.set(column, (counts.get(column) ?? 0) + copies);
  for (const { origin } of columns) if (origin?.column !== undefined) count(origin.column, 1);
  if (others?.origin !== undefined) count(others.origin.column ?? '*', others.copies ?? 1);
  return [...counts].flatMap(([column, count]) =>
    count > copiesMax ? [{ kind: 'repeated', column } as const] : [],
  );
}

/** Maximum numbers of nodes and nested queries. Agents' queries are far smaller. */
const stepsMax = 200_000;
const depthMax = 100;
/** Maximum number of columns of a result, of which PostgreSQL has at most 1,664, or of all tables of a FROM. */
const tracedColumnsMax = 20_000;
/** How many comparisons of names count as one node. */
const comparisonsOfStep = 100;
/** Maximum number of rounds until the column origins of a recursive CTE are stable. */
const roundsMax = 8;

/** A linked list of the CTEs in scope, innermost first. */
interface CommonTables {
  readonly name: string;
  readonly columns: OriginColumns;
  readonly outer: CommonTables | undefined;
}

interface Surroundings {
  readonly scope: OriginScope | undefined;
  readonly tables: CommonTables | undefined;
}

/** The result of FROM: the relations that names can refer to, and the columns of `*`. */
interface Source {
  readonly relations: readonly OriginRelation[];
  readonly star: OriginColumns;
}

class QueryOriginReader {
  readonly problems: OriginProblem[] = [];
  /** The queries, also inner ones, with a sensitive value in the rows of their results. */
  readonly carriers = new Set<Node>();
  readonly #source: TableSource;
  readonly #told = new Set<string>();
  #steps = 0;
  #depth = 0;

  constructor(source: TableSource) {
    this.#source = source;
  }

  /** @param isRead whether its rows are more than counted. */
  select(
    node: Node,
    scope: OriginScope | undefined,
    tables: CommonTables | undefined,
    isRead = true,
  ): OriginColumns {
    this.#step();
    this.#depth++;
    if (this.#depth > depthMax) throw new TooComplexError();
    const own = this.#commonTables(child(node, 'withClause'), { scope, tables });
    const columns =
      child(node, 'larg') === undefined ? this.#plain(node, scope, own) : this.#either(node, scope, own);
    this.#counted(columns);
    repeatedIn(columns).forEach((problem) => this.#tell(problem));
    if (isRead && allOrigins(columns).some((origin) => origin !== undefined)) this.carriers.add(node);
    if (columns.list.length > columnsMax && wholeRow({ ...columns, modelled: undefined }) !== undefined)
      this.#tell({ kind: 'sized', what: `more than ${columnsMax} columns`, isByValue: false });
    this.#depth--;
    return columns;
  }

  #step(count = 1): void {
    this.#steps += count;
    if (this.#steps > stepsMax) throw new TooComplexError();
  }

  /** Each `*` and each join repeats the columns before it, so that a short text may have any number of them. */
  #counted(columns: OriginColumns): OriginColumns {
    const { length } = columns.list;
    if (length > tracedColumnsMax) throw new TooComplexError();
    this.#step(length);
    return columns;
  }

  #expressions(tables: CommonTables | undefined): ExpressionReader {
    return {
      step: () => this.#step(),
      decides: (origin, decision) => this.#decides(origin, decision),
      subquery: (select, scope, isRead) => {
        const columns = this.select(select, scope, tables, isRead);
        return [...allOrigins(columns), ...(columns.others === undefined ? [] : [unknownOrigin])];
      },
    };
  }

  #decides(origin: Origin, decision: Decision): void {
    if (origin !== undefined) this.#tell({ kind: 'decides', decision, origin });
  }

  #tell(problem: OriginProblem): void {
    const key = JSON.stringify(problem);
    if (this.#told.has(key)) return;
    this.#told.add(key);
    this.problems.push(problem);
  }

  #commonTables(withClause: Node | undefined, { scope, tables }: Surroundings): CommonTables | undefined {
    let own = tables;
    const entries = list(withClause?.ctes);
    // Each query of WITH RECURSIVE may read those that come after it, which hide tables of the same name.
    if (withClause?.recursive === true)
      for (const entry of entries)
        own = { name: text(child(entry, 'CommonTableExpr')?.ctename), columns: nothingKnown, outer: own };
    for (const entry of entries) {
      const table = child(entry, 'CommonTableExpr');
      const select = child(child(table, 'ctequery'), 'SelectStmt');
      const name = text(table?.ctename);
      const names = strings(table?.aliascolnames);
      const read = (self: CommonTables | undefined): OriginColumns =>
        select === undefined ? nothingKnown : renamedColumns(this.select(select, scope, self), names);
      const columns = withClause?.recursive === true ? this.#recursive(name, own, read) : read(own);
      const isExtended = table !== undefined && ('search_clause' in table || 'cycle_clause' in table);
      this.#walked(table, columns);
      own = {
        name,
        columns: isExtended ? { ...columns, others: { origin: unknownOrigin } } : columns,
        outer: own,
      };
    }
    return own;
  }

  /** SEARCH makes an order of its columns, and CYCLE ends a walk where theirs are the same as before. */
  #walked(table: Node | undefined, { list: columns, others }: OriginColumns): void {
    for (const [clause, names, decision] of [
      ['search_clause', 'search_col_list', 'derived'],
      ['cycle_clause', 'cycle_col_list', 'comparison'],
    ] as const)
      for (const name of strings(child(table, clause)?.[names])) {
        const found = columns.filter((column) => column.name === name).map(({ origin }) => origin);
        this.#decides(found.length > 0 ? oneOf(found) : others?.origin, decision);
      }
  }

  /** Reads a CTE that may be recursive: starts without rows and repeats until no origin changes. */
  #recursive(
    name: string,
    outer: CommonTables | undefined,
    read: (self: CommonTables | undefined) => OriginColumns,
  ): OriginColumns {
    const before = this.problems.length;
    const nothing: OriginColumns = { list: [], others: { origin: undefined, isEveryName: true } };
    const first = read({ name, columns: nothing, outer });
    // The first round reported tests with incomplete origins; later rounds report them again.
    this.#forgetFrom(before);
    let columns = first;
    for (let round = 0; round < roundsMax; round++) {
      const next = read({ name, columns, outer });
      if (JSON.stringify(next) === JSON.stringify(columns)) return columns;
      columns = next;
    }
    read({ name, columns: nothingKnown, outer });
    return nothingKnown;
  }

  #forgetFrom(length: number): void {
    for (const problem of this.problems.splice(length)) this.#told.delete(JSON.stringify(problem));
  }

  #either(node: Node, scope: OriginScope | undefined, tables: CommonTables | undefined): OriginColumns {
    const sides = [child(node, 'larg'), child(node, 'rarg')].map((side) =>
      side === undefined ? nothingKnown : this.select(side, scope, tables),
    );
    const [left = nothingKnown, right = nothingKnown] = sides;
    const columns = columnsOfEither(left, right);
    if (!(node.op === 'SETOP_UNION' && node.all === true)) {
      for (const origin of [...allOrigins(left), ...allOrigins(right)]) this.#decides(origin, 'set');
    }
    const own: OriginScope = { relations: [{ name: '', ...columns }], parent: scope };
    this.#ending(node, { columns, scope: own, tables });
    return columns;
  }

  #plain(node: Node, scope: OriginScope | undefined, tables: CommonTables | undefined): OriginColumns {
    const values = list(node.valuesLists);
    if (values.length > 0) return this.#values(node, values, { scope, tables });
    const source = this.#from(list(node.fromClause), { scope, tables });
    const own: OriginScope = { relations: source.relations, parent: scope };
    const reader = this.#expressions(tables);
    const columns = joinedColumns(
      list(node.targetList).map((target) => this.#output(child(target, 'ResTarget'), source, own, reader)),
    );
    decide(node.whereClause, 'condition', own, reader);
    decide(node.havingClause, 'condition', own, reader);
    list(node.groupClause).forEach((item) =>
      this.#grouped(item, { columns, scope: own, tables, select: node }),
    );
    list(node.windowClause).forEach((window) => readWindow(child(window, 'WindowDef'), own, reader));
    this.#distinct(list(node.distinctClause), { columns, scope: own, tables });
    this.#ending(node, { columns, scope: own, tables });
    return columns;
  }

  #values(node: Node, rows: readonly unknown[], { scope, tables }: Surroundings): OriginColumns {
    const own: OriginScope = { relations: [], parent: scope };
    const reader = this.#expressions(tables);
    const cells = rows.map((row) =>
      list(child(row, 'List')?.items).map((cell) => originOf(cell, own, reader)),
    );
    const columns = {
      list: (cells[0] ?? []).map((_, index) => ({
        name: `column${index + 1}`,
        origin: oneOf(cells.map((row) => row[index])),
      })),
    };
    const outputs: OriginScope = { relations: [{ name: '', ...columns }], parent: scope };
    this.#ending(node, { columns, scope: outputs, tables });
    return columns;
  }

  #output(
    target: Node | undefined,
    source: Source,
    scope: OriginScope,
    reader: ExpressionReader,
  ): OriginColumns {
    const column = child(target?.val, 'ColumnRef');
    if (column !== undefined && isStar(column)) {
      const qualifier = strings(column.fields).slice(0, -1);
      if (qualifier.length === 0) return this.#counted(source.star);
      const relations = relationsNamed(qualifier, scope);
      return this.#counted(relations.length === 1 ? (relations[0] ?? nothingKnown) : nothingKnown);
    }
    const origin = originOf(target?.val, scope, reader);
    const indirection = list(child(target?.val, 'A_Indirection')?.indirection);
    // A row's fields, whose number is unknown.
    if (child(indirection.at(-1), 'A_Star') !== undefined)
      return { list: [], others: { origin: mixed([origin, unknownOrigin]) } };
    const name = text(target?.name) || (outputName(target?.val) ?? '');
    return { list: [{ name, origin }] };
  }

  /** ORDER BY and GROUP BY may refer to an output column by name or by position. */
  #named(expression: unknown, decision: Decision, { columns, scope, tables, select }: Grouped): void {
    const name = plainName(expression);
    const place = child(child(expression, 'A_Const'), 'ival')?.ival;
    // A placeholder, which is read as a fraction: a service that writes values into the text takes it for a place.
    const isAnyPlace = child(child(expression, 'A_Const'), 'fval') !== undefined;
    const isUnsurePlace = place !== undefined && columns.modelled !== undefined;
    const isUnsure = columns.others !== undefined && (name !== undefined || place !== undefined);
    const meant =
      isAnyPlace || isUnsurePlace || isUnsure
        ? [wholeRow(columns)]
        : columns.list
            .filter((column, index) => (name === undefined ? place === index + 1 : column.name === name))
            .map(({ origin }) => origin);
    this.#step(columns.list.length);
    meant.forEach((origin) => this.#decides(origin, decision));
    // GROUP BY prefers an input column; ORDER BY and DISTINCT ON prefer an output column.
    const isOutput =
      meant.length > 0 &&
      (decision !== 'group' || name === undefined || meaningsOf(name, scope).length === 0);
    if (!isOutput) decide(expression, decision, scope, this.#expressions(tables));
    else if (select !== undefined && name !== undefined && mayHideColumn(name, select, scope))
      this.#decides({ ...unknownOrigin, column: hiddenBy(name) }, decision);
  }

  #grouped(item: unknown, grouped: Grouped): void {
    const sets = child(item, 'GroupingSet');
    if (sets === undefined) this.#named(item, 'group', grouped);
    else list(sets.content).forEach((inner) => this.#grouped(inner, grouped));
    const row = child(item, 'RowExpr') ?? child(item, 'List');
    list(row?.args ?? row?.items).forEach((inner) => this.#grouped(inner, grouped));
  }

  #distinct(clause: readonly unknown[], grouped: Grouped): void {
    const { columns } = grouped;
    if (clause.length === 0) return;
    const expressions = clause.filter((entry) => isNode(entry) && Object.keys(entry).length > 0);
    expressions.forEach((expression) => this.#named(expression, 'distinct', grouped));
    if (expressions.length > 0) return;
    allOrigins(columns).forEach((origin) => this.#decides(origin, 'distinct'));
  }

  #ending(node: Node, grouped: Grouped): void {
    list(node.sortClause).forEach((sort) => this.#named(child(sort, 'SortBy')?.node, 'order', grouped));
    for (const limit of [node.limitCount, node.limitOffset])
      decide(limit, 'condition', grouped.scope, this.#expressions(grouped.tables));
  }

  #from(items: readonly unknown[], around: Surroundings): Source {
    const sources: Source[] = [];
    for (const item of items) {
      const before = sources.flatMap(({ relations }) => relations);
      sources.push(this.#fromItem(item, before, around));
    }
    return {
      relations: sources.flatMap(({ relations }) => relations),
      star: this.#counted(joinedColumns(sources.map(({ star }) => star))),
    };
  }

  #fromItem(item: unknown, before: readonly OriginRelation[], around: Surroundings): Source {
    this.#step();
    const [kind = '', node] = isNode(item) ? (Object.entries(item)[0] ?? []) : [];
    if (!isNode(node)) return asSource('', nothingKnown);
    const lateral: OriginScope = { relations: before, parent: around.scope };
    const reader = this.#expressions(around.tables);
    switch (kind) {
      case 'RangeVar':
        return this.#table(node, around.tables);
      case 'RangeSubselect': {
        const select = child(child(node, 'subquery'), 'SelectStmt');
        const columns =
          select === undefined
            ? nothingKnown
            : this.select(select, node.lateral === true ? lateral : around.scope, around.tables);
        return aliased(node, '', columns);
      }
      case 'JoinExpr':
        return this.#join(node, before, around);
      case 'RangeTableSample':
        for (const scope of [lateral, { relations: [], parent: around.scope }])
          for (const inner of [...list(node.args), node.repeatable])
            decide(inner, 'condition', scope, reader);
        return this.#sampled(this.#fromItem(node.relation, before, around));
      case 'RangeFunction':
        return this.#function(node, lateral, reader);
      default:
        // XMLTABLE, JSON_TABLE and unknown nodes.
        for (const inner of expressionsIn(node)) decide(inner, 'function', lateral, reader);
        return aliased(node, '', nothingKnown);
    }
  }

  /** A sample chooses rows by their places on the disk, which depend on the lengths of all values. */
  #sampled(source: Source): Source {
    this.#decides(wholeRow(source.star), 'sample');
    return source;
  }

  #table(node: Node, tables: CommonTables | undefined): Source {
    const name = text(node.relname);
    const schema = typeof node.schemaname === 'string' ? node.schemaname : undefined;
    for (let at = schema === undefined ? tables : undefined; at !== undefined; at = at.outer)
      if (at.name === name) return aliased(node, name, at.columns);
    const known = node.catalogname === undefined ? this.#source.columnsOf(schema, name) : undefined;
    if (known === undefined)
      this.#tell({ kind: 'unknown-table', table: schema === undefined ? name : `${schema}.${name}` });
    return aliased(node, name, known ?? nothingKnown);
  }

  #function(node: Node, scope: OriginScope, reader: ExpressionReader): Source {
    const origins: Origin[] = [];
    let name = '';
    for (const entry of list(node.functions)) {
      const call = list(child(entry, 'List')?.items)[0];
      const names = strings(child(call, 'FuncCall')?.funcname);
      name ||= names.at(-1) ?? '';
      origins.push(decide(call, 'function', scope, reader));
      if (!isOpenFunction(names.at(-1) ?? '', names.at(-2))) origins.push(unknownOrigin);
    }
    const others = { origin: mixed(origins) };
    const definitions = list(node.coldeflist).map((entry) => text(child(entry, 'ColumnDef')?.colname));
    const columns = definitions.map((column) => ({ name: column, origin: others.origin }));
    return aliased(node, name, { list: columns, others });
  }

  #join(node: Node, before: readonly OriginRelation[], around: Surroundings): Source {
    const left = this.#fromItem(node.larg, before, around);
    const right = this.#fromItem(node.rarg, [...before, ...left.relations], around);
    const shared = this.#shared(node, left, right);
    const relations = [...left.relations, ...right.relations];
    const scope: OriginScope = { relations, parent: around.scope };
    decide(node.quals, 'join', scope, this.#expressions(around.tables));
    const isMerged = ({ name }: OriginColumn): boolean => shared.some((column) => column.name === name);
    const rest = [left.star, right.star].map((star) => ({
      ...star,
      list: star.list.filter((column) => !isMerged(column)),
    }));
    const star = this.#counted(joinedColumns([{ list: shared }, ...rest]));
    if (child(node, 'alias') !== undefined) return aliased(node, '', star);
    const usingAlias = child(node, 'join_using_alias');
    return usingAlias === undefined
      ? { relations, star }
      : { relations: [...relations, { name: text(usingAlias.aliasname), list: shared }], star };
  }

  /** Returns the columns that both sides share, which the join compares. */
  #shared(node: Node, left: Source, right: Source): readonly OriginColumn[] {
    const isNatural = node.isNatural === true;
    const [many, more] = [left.star.list.length, right.star.list.length];
    const pairs = isNatural ? many * more : list(node.usingClause).length * (many + more);
    this.#step(Math.ceil(pairs / comparisonsOfStep));
    const names = isNatural
      ? left.star.list.flatMap(({ name }) => (right.star.list.some((own) => own.name === name) ? [name] : []))
      : strings(node.usingClause);
    if (isNatural)
      // If a side has unlisted columns, the shared columns are not fully known.
      for (const { star } of [left, right])
        if (star.others !== undefined || star.modelled !== undefined)
          this.#decides(mixed([unknownOrigin, star.others?.origin]), 'join');
    return [...new Set(names)].map((name) => {
      const both = [left, right].map(({ star }) => {
        const found = star.list.filter((column) => column.name === name).map(({ origin }) => origin);
        return found.length > 0
          ? oneOf(found)
          : star.others === undefined
            ? unknownOrigin
            : star.others.origin;
      });
      const origin = oneOf(both);
      both.forEach((each) => this.#decides(each, 'join'));
      return { name, origin };
    });
  }
}

interface Grouped {
  readonly columns: OriginColumns;
  readonly scope: OriginScope;
  readonly tables: CommonTables | undefined;
  /** The query whose GROUP BY this is. */
  readonly select?: Node;
}

const hiddenBy = (name: string): string =>
  `${name}, which may be a column of FROM that no model names (group by its expression or place instead),`;

function asSource(name: string, columns: OriginColumns): Source {
  return { relations: [{ name, ...columns }], star: columns };
}

/** Names a source by the alias of its FROM item if it has one, otherwise by its own name. */
function aliased(node: Node, name: string, columns: OriginColumns): Source {
  const alias = child(node, 'alias');
  const own = renamedColumns(columns, strings(alias?.colnames));
  return asSource(text(alias?.aliasname) || name, own);
}
