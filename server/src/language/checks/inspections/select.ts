/** A SELECT for the rules, and their results. */
import type { ColumnFact, IdFact, Problem, TableName, TokenRun } from './model.ts';
import { child, extentOf, list, number, text, type ColumnName, type Node } from '../../tree/parse-tree.ts';

export interface Select {
  readonly node: Node;
  /** WITH names that refer to a query here. */
  readonly commonTables: ReadonlySet<string>;
  readonly place: 'top' | 'common-table' | 'from' | 'expression';
  /** Whether a name may belong to an outer query: it, or an enclosing query, is in an expression or LATERAL. */
  readonly seesOuter: boolean;
  /** How an expression uses it: PostgreSQL's SubLinkType. */
  readonly use?: string;
  /** Whether it is a branch of UNION, INTERSECT or EXCEPT, and whether that removes duplicates. */
  readonly isSide: boolean;
  readonly isDistinctSide: boolean;
}

export interface Report {
  problem(problem: Problem): void;
  fact(fact: ColumnFact): void;
  ids(fact: IdFact): void;
  /** From the tree's bytes to UTF-16. */
  offsetOf(byte: number): number;
}

export type Rule = (select: Select, report: Report) => void;

/** The range of a dotted name. */
export function nameRun(report: Report, location: number, parts: number): TokenRun {
  const first = report.offsetOf(location);
  return parts > 1 ? { first, last: first, shiftLast: 2 * (parts - 1) } : { first, last: first };
}

/** The range from the first to the last word of an expression, without closing parentheses. */
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

/** The queries of WITH. */
export function commonTablesOf(node: Node): readonly Node[] {
  const tables = list(child(node, 'withClause')?.ctes).map((entry) => child(entry, 'CommonTableExpr'));
  return tables.filter((table) => table !== undefined);
}

/** An entry of FROM. */
export interface Relation {
  /** Qualifier of its columns; empty if it has none. */
  readonly alias: string;
  /** Set for a database table, not for a query, a CTE or a function. */
  readonly table?: TableName;
  readonly hasColumnAliases: boolean;
  readonly location: number;
  /** Whether it follows a comma. */
  readonly isAfterComma: boolean;
  /** The innermost JOIN with it on the right side. */
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
      if ('alias' in join || 'join_using_alias' in join) {
        relations.push({ alias: '', hasColumnAliases: true, location: -1, isAfterComma, isNullExtended });
      }
      return;
    }
    const sample = child(item, 'RangeTableSample');
    const table = child(sample === undefined ? item : sample.relation, 'RangeVar');
    const [body] = Object.values((item ?? {}) as Node); // A FROM item is a node: an object with one name and one body.
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

/** The conditions of every JOIN in FROM. */
export function joinConditions(item: unknown): readonly unknown[] {
  const join = child(item, 'JoinExpr');
  return join === undefined
    ? []
    : [...joinConditions(join.larg), ...joinConditions(join.rarg), ...('quals' in join ? [join.quals] : [])];
}

/** The relation of a column's qualifier; undefined for another query's, or without a qualifier. */
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

/** A query's column count, from its first branch; undefined with `*`. */
export function columnCountOf(query: Node): number | undefined {
  const node = firstSideOf(query);
  const values = child(list(node.valuesLists)[0], 'List');
  if (values !== undefined) {
    return list(values.items).length;
  }
  const targets = targetsOf(node);
  return targets.some(({ value }) => hasStar(value)) || targets.length === 0 ? undefined : targets.length;
}

/** Cached, since every UNION of a long chain asks for the first branch. */
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
  for (const node of passed) {
    firstSides.set(node, at);
  }
  return at;
}

/** `*`, `t.*` and `(row).*`. */
export function hasStar(value: unknown): boolean {
  const fields = list(child(value, 'ColumnRef')?.fields);
  const indirection = list(child(value, 'A_Indirection')?.indirection);
  return [...fields, ...indirection].some((part) => child(part, 'A_Star') !== undefined);
}
