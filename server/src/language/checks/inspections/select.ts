/** The SELECT that rules inspect, and the functions for reporting results. */
import {
  child,
  conjunctsOf,
  extentOf,
  list,
  number,
  text,
  type ColumnName,
  type Node,
} from '#server/language/tree/parse-tree.ts';
import type { ColumnFact, IdFact, Problem, TableName, TokenRun } from './model.ts';

export interface Select {
  readonly node: Node;
  /** Names of the CTEs visible in this query. */
  readonly commonTables: ReadonlySet<string>;
  readonly place: 'top' | 'common-table' | 'from' | 'expression';
  /** Whether a name may belong to an outer query, because this one or one around it is LATERAL or in an expression. */
  readonly seesOuter: boolean;
  /** The kind of expression that contains the query: PostgreSQL's SubLinkType. */
  readonly use?: string;
  /** `isSide`: a branch of UNION, INTERSECT or EXCEPT. `isDistinctSide`: the set operation also removes duplicates. */
  readonly isSide: boolean;
  readonly isDistinctSide: boolean;
}

export interface Report {
  problem(problem: Problem): void;
  fact(fact: ColumnFact): void;
  ids(fact: IdFact): void;
  /** Converts a byte location in the tree to a UTF-16 offset. */
  offsetOf(byte: number): number;
}

export type Rule = (select: Select, report: Report) => void;

/** Returns the range of a dotted name. */
export function nameRun(report: Report, location: number, parts: number): TokenRun {
  const first = report.offsetOf(location);
  return parts > 1 ? { first, last: first, shiftLast: 2 * (parts - 1) } : { first, last: first };
}

/** Returns the range from the first to the last word of an expression, without closing parentheses. */
export function expressionRun(report: Report, expression: unknown): TokenRun | undefined {
  const extent = extentOf(expression);
  return extent === undefined
    ? undefined
    : {
        first: report.offsetOf(extent.first),
        last: report.offsetOf(extent.last),
        shiftLast: 2 * (extent.lastParts - 1),
      };
}

export function commonTablesOf(node: Node): readonly Node[] {
  const tables = list(child(node, 'withClause')?.ctes).map((entry) => child(entry, 'CommonTableExpr'));
  return tables.filter((table) => table !== undefined);
}

/** A FROM item. */
export interface Relation {
  /** The name that qualifies its columns; empty if there is none. */
  readonly alias: string;
  /** Set only for a database table, not for a subquery, a CTE or a function. */
  readonly table?: TableName;
  readonly hasColumnAliases: boolean;
  readonly location: number;
  readonly isAfterComma: boolean;
  /** The innermost JOIN whose right side contains the item. */
  readonly join?: Node;
  /** Whether an outer join may set its columns to NULL. */
  readonly isNullExtended: boolean;
}

export function relationsOf({ node, commonTables }: Select): readonly Relation[] {
  const relations: Relation[] = [];
  const add = (item: unknown, context: Pick<Relation, 'isAfterComma' | 'join' | 'isNullExtended'>): void => {
    const join = child(item, 'JoinExpr');
    if (join !== undefined) {
      const type = text(join.jointype);
      const { isAfterComma, isNullExtended } = context;
      add(join.larg, {
        ...context,
        isNullExtended: isNullExtended || type === 'JOIN_RIGHT' || type === 'JOIN_FULL',
      });
      add(join.rarg, {
        join,
        isAfterComma: false,
        isNullExtended: isNullExtended || type === 'JOIN_LEFT' || type === 'JOIN_FULL',
      });
      if ('alias' in join || 'join_using_alias' in join)
        relations.push({ alias: '', hasColumnAliases: true, location: -1, isAfterComma, isNullExtended });
      return;
    }
    const sample = child(item, 'RangeTableSample');
    const table = child(sample === undefined ? item : sample.relation, 'RangeVar');
    const [body] = Object.values((item ?? {}) as Node); // an object with its type as the key
    const alias = child(table ?? body, 'alias');
    const schema = text(table?.schemaname);
    const name = text(table?.relname);
    const isTable = table !== undefined && (schema !== '' || !commonTables.has(name));
    relations.push({
      alias: alias === undefined ? name : text(alias.aliasname),
      hasColumnAliases: list(alias?.colnames).length > 0,
      location: table === undefined ? -1 : number(table.location),
      ...(isTable ? { table: { name, ...(schema === '' ? {} : { schema }) } } : {}),
      ...context,
    });
  };
  list(node.fromClause).forEach((item, index) => {
    add(item, { isAfterComma: index > 0, isNullExtended: false });
  });
  return relations;
}

/** Returns the conditions of WHERE and of every JOIN in FROM that AND combines. */
export function conditionsOf(node: Node): readonly unknown[] {
  const joined = list(node.fromClause).flatMap(joinConditions);
  return [node.whereClause, ...joined].flatMap(conjunctsOf);
}

export function joinConditions(item: unknown): readonly unknown[] {
  const join = child(item, 'JoinExpr');
  return join === undefined
    ? []
    : [...joinConditions(join.larg), ...joinConditions(join.rarg), ...('quals' in join ? [join.quals] : [])];
}

/** Returns the relation named by a column's qualifier; undefined if it belongs to another query or has no qualifier. */
export function ownerOf({ parts }: ColumnName, relations: readonly Relation[]): Relation | undefined {
  const qualifier = parts.at(-2);
  return qualifier === undefined ? undefined : relations.find(({ alias }) => alias === qualifier);
}

export interface OutputTarget {
  readonly value: unknown;
  readonly name?: string;
  readonly location: number;
}

export function targetsOf(node: Node): readonly OutputTarget[] {
  return list(node.targetList).map((entry) => {
    const target = child(entry, 'ResTarget');
    return {
      value: target?.val,
      location: number(target?.location),
      ...(typeof target?.name === 'string' ? { name: target.name } : {}),
    };
  });
}

/** Returns a query's column count, determined by its first branch; undefined if it contains `*`. */
export function columnCountOf(query: Node): number | undefined {
  const node = firstSideOf(query);
  const values = child(list(node.valuesLists)[0], 'List');
  if (values !== undefined) return list(values.items).length;
  const targets = targetsOf(node);
  return targets.some(({ value }) => hasStar(value)) || targets.length === 0 ? undefined : targets.length;
}

/** Cached, since every UNION in a long chain looks up the first branch. */
const firstSides = new WeakMap<Node, Node>();

export function firstSideOf(query: Node): Node {
  const passed: Node[] = [];
  let at = query;
  for (let left = child(at, 'larg'); left !== undefined; left = child(at, 'larg')) {
    const known = firstSides.get(at);
    if (known !== undefined) {
      at = known;
      break;
    }
    passed.push(at);
    at = left;
  }
  for (const node of passed) firstSides.set(node, at);
  return at;
}

/** Matches `*`, `t.*` and `(row).*`. */
export function hasStar(value: unknown): boolean {
  const fields = list(child(value, 'ColumnRef')?.fields);
  const indirection = list(child(value, 'A_Indirection')?.indirection);
  return [...fields, ...indirection].some((part) => child(part, 'A_Star') !== undefined);
}
