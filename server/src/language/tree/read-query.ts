/** Builds the query model from PostgreSQL's parse tree (libpg-query's JSON). */
import { functionColumns } from './from-functions.ts';
import { outputName } from './output-names.ts';
import { list, number, strings, text } from './parse-tree.ts';
import { countPlace, placesOf, type ReadPlace } from './placeholder-places.ts';
import type {
  CommonTable,
  FromItem,
  Mentions,
  NameRef,
  Output,
  PlaceholderPlace,
  Query,
  RowField,
} from './query-model.ts';

type Node = Readonly<Record<string, unknown>>;
type Clause = NameRef['clause'];

/**
 * Returns undefined if the statement is not a query or is too deeply nested.
 * @param offsetOf maps the tree's byte locations to UTF-16 offsets
 */
export function readQuery(tree: unknown, offsetOf: (byte: number) => number): Query | undefined {
  const statement = child(list(child(tree, 'stmts'))[0], 'stmt');
  const select = child(statement, 'SelectStmt');
  const reader = new QueryReader(offsetOf);
  const query = select === undefined ? undefined : reader.select(select);
  return reader.isTooDeep ? undefined : query;
}

/**
 * Maximum nesting of queries. PostgreSQL fails at a few thousand levels, and so would functions that recurse over the
 * model.
 */
const depthMax = 200;

/** Mentions that are still being collected. */
interface Gathered extends Mentions {
  readonly refs: NameRef[];
  readonly rowFields: RowField[];
  readonly queries: Query[];
  readonly placeholders: PlaceholderPlace[];
}

const nothingGathered = (): Gathered => ({ refs: [], rowFields: [], queries: [], placeholders: [] });

const joinTypes: Readonly<Record<string, Extract<FromItem, { kind: 'join' }>['type']>> = {
  JOIN_LEFT: 'left',
  JOIN_RIGHT: 'right',
  JOIN_FULL: 'full',
};

const nothingRead: Query = {
  ...nothingGathered(),
  commonTables: [],
  isRecursive: false,
  from: [],
  outputs: [],
};

class QueryReader {
  isTooDeep = false;
  readonly #offsetOf: (byte: number) => number;
  #depth = 0;

  constructor(offsetOf: (byte: number) => number) {
    this.#offsetOf = offsetOf;
  }

  select(node: Node): Query {
    this.#depth++;
    this.isTooDeep ||= this.#depth > depthMax;
    const query = this.isTooDeep ? nothingRead : this.#read(node);
    this.#depth--;
    return query;
  }

  #read(node: Node): Query {
    const mentions = nothingGathered();
    const withClause = child(node, 'withClause');
    const left = child(node, 'larg');
    const right = child(node, 'rarg');
    const rows = list(node.valuesLists);
    const columns = list(child(child(rows[0], 'List'), 'items') ?? child(rows[0], 'List')?.items).map(
      (_, index) => `column${index + 1}`,
    );
    for (const part of [node.targetList, node.whereClause, node.havingClause])
      this.#walk(part, 'expression', mentions);
    this.#walk(node.groupClause, 'input-first', mentions);
    this.#walk(node.windowClause, 'expression', mentions);
    this.#walk(node.sortClause, 'output-first', mentions);
    this.#walk(node.distinctClause, 'output-first', mentions);
    this.#walk([node.limitOffset, node.limitCount], 'expression', mentions);
    this.#places([countPlace(node.limitOffset), countPlace(node.limitCount)], mentions);
    return {
      commonTables: list(withClause?.ctes).flatMap((cte) => this.#commonTable(child(cte, 'CommonTableExpr'))),
      isRecursive: withClause?.recursive === true,
      from:
        rows.length > 0
          ? [this.#rows(rows, columns)]
          : list(node.fromClause).map((item) => this.#fromItem(item)),
      outputs:
        rows.length > 0
          ? columns.map((name) => ({ name }))
          : list(node.targetList).map((target) => readOutput(child(target, 'ResTarget'))),
      ...mentions,
      ...(left === undefined || right === undefined ? {} : { sides: this.#sides(left, right) }),
    };
  }

  /** The rows of VALUES, which ORDER BY reads like a table. */
  #rows(rows: readonly unknown[], columns: readonly string[]): FromItem {
    const mentions = nothingGathered();
    this.#walk(rows, 'expression', mentions);
    return { kind: 'opaque', alias: '*VALUES*', columns, ...mentions };
  }

  #sides(left: Node, right: Node): readonly [Query, ...Query[]] {
    const others = [right];
    let first = left;
    for (;;) {
      const before = child(first, 'larg');
      const own = child(first, 'rarg');
      if (before === undefined || own === undefined || ofWhole.some((clause) => clause in first)) break;
      others.push(own);
      first = before;
    }
    return [this.select(first), ...others.toReversed().map((side) => this.select(side))];
  }

  #commonTable(cte: Node | undefined): readonly CommonTable[] {
    if (cte === undefined) return [];
    const select = child(child(cte, 'ctequery'), 'SelectStmt');
    return [
      {
        name: text(cte.ctename),
        columnAliases: strings(cte.aliascolnames),
        start: this.#offsetOf(number(cte.location)),
        ...(select === undefined ? {} : { query: this.select(select) }),
        ...('search_clause' in cte || 'cycle_clause' in cte ? { addedColumns: addedColumns(cte) } : {}),
      },
    ];
  }

  #fromItem(item: unknown): FromItem {
    const table = child(item, 'RangeVar');
    if (table !== undefined) {
      return {
        kind: 'table',
        name: text(table.relname),
        start: this.#offsetOf(number(table.location)),
        ...(typeof table.schemaname === 'string' ? { schema: table.schemaname } : {}),
        ...aliasOf(table),
      };
    }
    const sample = child(item, 'RangeTableSample');
    if (sample !== undefined) return this.#fromItem(sample.relation);
    const subselect = child(item, 'RangeSubselect');
    const select = child(child(subselect, 'subquery'), 'SelectStmt');
    if (subselect !== undefined && select !== undefined) {
      const isLateral = subselect.lateral === true;
      return { kind: 'query', query: this.select(select), isLateral, ...aliasOf(subselect) };
    }
    const join = child(item, 'JoinExpr');
    const mentions = nothingGathered();
    if (join !== undefined) {
      this.#walk(join.quals, 'expression', mentions);
      const usingAlias = child(join, 'join_using_alias')?.aliasname;
      return {
        kind: 'join',
        left: this.#fromItem(join.larg),
        right: this.#fromItem(join.rarg),
        using: strings(join.usingClause),
        isNatural: join.isNatural === true,
        type: joinTypes[String(join.jointype)] ?? 'inner',
        ...(typeof usingAlias === 'string' ? { usingAlias } : {}),
        ...mentions,
        ...aliasOf(join),
      };
    }
    this.#walk(item, 'expression', mentions);
    const [body] = isNode(item) ? Object.values(item) : [];
    const { name, columns } = functionColumns(item);
    const { alias = name } = aliasOf(isNode(body) ? body : {});
    return {
      kind: 'opaque',
      ...mentions,
      ...(alias === undefined ? {} : { alias }),
      ...(columns === undefined ? {} : { columns }),
    };
  }

  /**
   * A bare name may refer to an output only at the top level of GROUP BY or ORDER BY. Inside an expression, it is a
   * column.
   */
  #walk(value: unknown, clause: Clause, mentions: Gathered): void {
    if (Array.isArray(value)) {
      for (const entry of value) this.#walk(entry, clause, mentions);
      return;
    }
    if (!isNode(value)) return;
    // Avoids Object.entries for speed, since large statements spend most of their time here.
    for (const key in value) {
      const inner = value[key];
      if (typeof inner !== 'object' || inner === null) continue;
      if (key === 'A_Const') continue;
      if (key === 'ColumnRef' && isNode(inner)) {
        const parts = list(inner.fields).map((field) =>
          child(field, 'A_Star') === undefined ? text(child(field, 'String')?.sval) : '*',
        );
        const location = number(inner.location);
        // TABLE t has an implicit star.
        if (location >= 0) mentions.refs.push({ parts, start: this.#offsetOf(location), clause });
      } else if (key === 'SelectStmt' && isNode(inner)) {
        mentions.queries.push(this.select(inner));
      } else {
        const rowField = key === 'A_Indirection' && isNode(inner) ? rowFieldOf(inner) : undefined;
        if (rowField !== undefined) mentions.rowFields.push(rowField);
        if (isNode(inner)) this.#places(placesOf(key, inner), mentions);
        const isTransparent = transparentKeys.has(key);
        this.#walk(inner, isTransparent ? clause : 'expression', mentions);
      }
    }
  }

  #places(places: readonly (ReadPlace | undefined)[], mentions: Gathered): void {
    for (const place of places) {
      if (place !== undefined) {
        const { location, ...rest } = place;
        mentions.placeholders.push({ ...rest, start: this.#offsetOf(location) });
      }
    }
  }
}

/** Clauses that make a nested set operation a separate query instead of a branch of the outer one. */
const ofWhole = ['withClause', 'sortClause', 'limitCount', 'limitOffset'];

/** Keys that can enclose a top-level name in GROUP BY or ORDER BY. */
const transparentKeys = new Set([
  'SortBy',
  'node',
  'List',
  'items',
  'GroupingSet',
  'content',
  'RowExpr',
  'args',
]);

/** Reads an output. PostgreSQL names an output without an alias after its expression. */
function readOutput(target: Node | undefined): Output {
  const value = child(target, 'val');
  const column = child(value, 'ColumnRef');
  if (typeof target?.name === 'string') {
    const source = list(column?.fields).map((field) => text(child(field, 'String')?.sval));
    return { name: target.name, ...(column === undefined ? {} : { source }) };
  }
  if (column !== undefined) {
    const fields = list(column.fields);
    const names = fields.flatMap((field) => {
      const name = child(field, 'String')?.sval;
      return typeof name === 'string' ? [name] : [];
    });
    return names.length < fields.length
      ? { name: '*', qualifier: names }
      : { name: names.at(-1), source: names };
  }
  return { name: outputName(value) };
}

/** Returns the first field that an indirection takes from a bare name. */
export function rowFieldOf(indirection: Node): RowField | undefined {
  const [row = '', ...rest] = strings(child(indirection.arg, 'ColumnRef')?.fields);
  const [field = ''] = strings(indirection.indirection);
  return row === '' || field === '' || rest.length > 0 ? undefined : { row, field };
}

/** Returns the columns that SEARCH and CYCLE add to a common table. */
export function addedColumns(cte: Node): readonly string[] {
  const search = child(cte, 'search_clause');
  const cycle = child(cte, 'cycle_clause');
  return [search?.search_seq_column, cycle?.cycle_mark_column, cycle?.cycle_path_column].filter(
    (name) => typeof name === 'string',
  );
}

function aliasOf(node: Node): { readonly alias?: string; readonly columnAliases: readonly string[] } {
  const alias = child(node, 'alias');
  return {
    ...(alias === undefined ? {} : { alias: text(alias.aliasname) }),
    columnAliases: strings(alias?.colnames),
  };
}

const isNode = (value: unknown): value is Node =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

function child(value: unknown, key: string): Node | undefined {
  const inner = isNode(value) ? value[key] : undefined;
  return isNode(inner) || Array.isArray(inner) ? (inner as Node) : undefined; // Arrays are read only with list().
}
