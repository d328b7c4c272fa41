/**
 * Finds ungrouped columns outside aggregates (parse_agg.c). If a table is grouped by a possible key, its other columns
 * are skipped, since PostgreSQL accepts them if that is the actual key, which is unknown here.
 */
import { t } from '#base/texts.ts';
import { keyName } from '#server/language/tree/key-names.ts';
import {
  child,
  constantOf,
  isNode,
  isNodeName,
  list,
  named,
  number,
  readColumn,
  strings,
  text,
  walk,
  type Node,
} from '#server/language/tree/parse-tree.ts';
import { hasNameless, positionOf } from '../../names/relations/columns-by-name.ts';
import { readTypeName } from '../catalogue/type-names.ts';
import { SimilarExpressions } from '../resolution/similar-expressions.ts';
import type { Column, Level, Meant, Relation, Session } from '../typing.ts';
import { GroupedColumns } from './grouped-columns.ts';

export function checkGrouping(
  session: Session,
  level: Level,
  select: Node,
  outputs: readonly Column[],
): void {
  const groups = list(select.groupClause);
  if (level.isUncertain || (groups.length === 0 && !level.hasAggregates && !('havingClause' in select)))
    return;
  const targets = list(select.targetList).map((entry) => child(entry, 'ResTarget') ?? {});
  // With a star, the positions of targets and outputs differ.
  const isPlain = targets.length === outputs.length;
  const valueOf = new Map(
    targets.map(({ name, val }, index) => [isPlain ? outputs[index]?.name : name, val] as const).toReversed(),
  );
  const grouped = groups.flatMap((entry) => groupedIn(entry));
  if (grouped.includes(undefined)) return;
  const check = new GroupingCheck(session, level, { grouped, always: groups.flatMap(alwaysIn) });
  check.look([
    ...targets.map(({ val }) => val),
    select.havingClause,
    list(select.sortClause).map((entry) => sorted(child(entry, 'SortBy')?.node)),
    list(select.distinctClause).map(sorted),
    list(select.windowClause),
  ]);

  function groupedIn(entry: unknown): readonly unknown[] {
    const set = child(entry, 'GroupingSet');
    const row = child(entry, 'RowExpr') ?? child(entry, 'List');
    if (set !== undefined || row !== undefined)
      return list(set === undefined ? (row?.args ?? row?.items) : set.content).flatMap(groupedIn);
    if (constantOf(entry)?.kind === 'number')
      return [isPlain ? computed(targets[Number(text(numberOf(entry))) - 1]?.val) : undefined];
    return [computed(outputNamed(entry, 'input')) ?? entry];
  }

  /** Returns the columns that an entry groups in all of its sets. ROLLUP and CUBE have an empty one. */
  function alwaysIn(entry: unknown): readonly Meant[] {
    const set = child(entry, 'GroupingSet');
    if (set === undefined) return groupedIn(entry).flatMap((each) => columnMeant(session, each) ?? []);
    const [first = [], ...others] = set.kind === 'GROUPING_SET_SETS' ? list(set.content).map(alwaysIn) : [];
    const sets = others.map((columns) => new GroupedColumns(columns));
    return first.filter((column) => sets.every((columns) => columns.has(column)));
  }

  /** Checks an output that GROUP BY refers to, and returns it. It must not contain aggregates. */
  function computed(output: unknown): unknown {
    if (level.relations.every(({ columns }) => columns !== undefined))
      wantNoAggregates(session, level, output);
    return output;
  }

  /**
   * Returns the expression of the output with the given name.
   * @param first whether columns or outputs take precedence
   */
  function outputNamed(entry: unknown, first: 'input' | 'output'): unknown {
    const column = child(entry, 'ColumnRef');
    const [name, ...rest] = column === undefined ? [] : readColumn(column).parts;
    if (name === undefined || rest.length > 0) return undefined;
    const isColumn =
      first === 'input' &&
      level.relations.some(({ columns }) => columns !== undefined && positionOf(columns, name) >= 0);
    return isColumn ? undefined : valueOf.get(name);
  }

  function sorted(node: unknown): unknown {
    return constantOf(node)?.kind === 'number' || outputNamed(node, 'output') !== undefined
      ? undefined
      : isOutput(node)
        ? undefined
        : node;
  }

  /** Returns whether the node is the bare name of an output. */
  function isOutput(node: unknown): boolean {
    const column = child(node, 'ColumnRef');
    const [name, ...rest] = column === undefined ? [] : readColumn(column).parts;
    return (
      name !== undefined && rest.length === 0 && (hasNameless(outputs) || positionOf(outputs, name) >= 0)
    );
  }
}

/** Reports window functions, and the query's own aggregates, in a grouped expression. */
function wantNoAggregates(session: Session, level: Level, value: unknown): void {
  if (Array.isArray(value)) {
    for (const entry of value) wantNoAggregates(session, level, entry);
    return;
  }
  if (!isNode(value) || child(value, 'SubLink') !== undefined) return;
  const call = child(value, 'FuncCall');
  const name = strings(call?.funcname).at(-1) ?? '';
  const facts = strings(call?.funcname).length === 1 ? session.catalogue.functions(name) : [];
  const isWindow = call !== undefined && 'over' in call;
  const isAggregate = facts.length > 0 && facts.every(({ kind }) => kind === 'aggregate');
  if (call !== undefined && (isWindow || (isAggregate && isOfLevel(session, level, call)))) {
    const what = isWindow ? 'window' : 'aggregate';
    session.report({
      code: 'AGGREGATE_MISUSE',
      message: `${what} functions are not allowed in GROUP BY. ${t('Compute it in a subquery.')}`,
      at: { FuncCall: call },
      location: number(call.location),
    });
    return;
  }
  for (const key in value) wantNoAggregates(session, level, value[key]);
}

/** Returns whether all columns in the call belong to this query. If so, an aggregate over them does too. */
function isOfLevel(session: Session, level: Level, call: Node): boolean {
  let isOwn = true;
  walk(call, (name, node) => {
    if (name === 'ColumnRef') isOwn &&= session.meanings.get(node)?.level === level;
    return true;
  });
  return isOwn;
}

function numberOf(node: unknown): string {
  const constant = constantOf(node);
  return constant?.kind === 'number' ? constant.value : '';
}

/** Returns the column, ignoring a cast to its own type, as PostgreSQL does. */
function columnMeant(session: Session, entry: unknown): Meant | undefined {
  const column = child(entry, 'ColumnRef');
  if (column !== undefined) return session.meanings.get(column);
  const cast = child(entry, 'TypeCast');
  const meant = cast === undefined ? undefined : columnMeant(session, cast.arg);
  if (cast === undefined || meant === undefined) return undefined;
  const own = meant.relation.columns?.[meant.index]?.type;
  const { type } = readTypeName(session.catalogue, child(cast, 'typeName'));
  return type === undefined || own === undefined || type === own ? meant : undefined;
}

class GroupingCheck {
  readonly #session: Session;
  readonly #level: Level;
  readonly #grouped: SimilarExpressions;
  readonly #hasGroups: boolean;
  readonly #columns: GroupedColumns;
  /** Those among which PostgreSQL looks for a primary key. */
  readonly #always: GroupedColumns;
  readonly #keyed = new Map<Relation, Keyed>();
  readonly #reported = new Set<string>();

  constructor(
    session: Session,
    level: Level,
    { grouped, always }: { readonly grouped: readonly unknown[]; readonly always: readonly Meant[] },
  ) {
    this.#session = session;
    this.#level = level;
    this.#grouped = new SimilarExpressions(
      session,
      grouped.filter((entry) => child(entry, 'ColumnRef') === undefined),
    );
    this.#hasGroups = grouped.length > 0;
    this.#columns = new GroupedColumns(grouped.flatMap((entry) => columnMeant(session, entry) ?? []));
    this.#always = new GroupedColumns(always);
  }

  look(value: unknown): void {
    if (Array.isArray(value)) {
      for (const entry of value) this.look(entry);
      return;
    }
    if (!isNode(value)) return;
    const own = named(value);
    if (own !== undefined && isNodeName(own.kind)) {
      this.#node(own.kind, own.body, value);
      return;
    }
    for (const key in value) {
      this.look(value[key]);
    }
  }

  #node(kind: string, node: Node, whole: Node): void {
    if (kind === 'ColumnRef') {
      this.#column(node);
      return;
    }
    if (this.#grouped.mayHave(whole)) return;
    if (kind === 'GroupingFunc') {
      this.#grouping(node);
      return;
    }
    if (kind === 'JsonObjectAgg' || kind === 'JsonArrayAgg') return;
    if (kind === 'SelectStmt') {
      // Subqueries may also use columns of this query, and each name is checked in its own scope.
      for (const key in node) this.look(node[key]);
      return;
    }
    if (kind === 'FuncCall' && !this.#isPlainCall(node)) {
      // Arguments before WITHIN GROUP are evaluated once per group.
      if (node.agg_within_group === true && this.#sortsOwnColumns(node)) this.look(node.args);
      return;
    }
    if (kind === 'A_Expr') {
      this.#chain(node);
      return;
    }
    for (const key in node) {
      this.look(node[key]);
    }
  }

  /** Walks a chain such as `a || b || c ...`. Not recursive, since it may contain thousands of links. */
  #chain(node: Node): void {
    const rights = [node.rexpr];
    let left = node.lexpr;
    for (;;) {
      const link = child(left, 'A_Expr');
      if (link === undefined || !isNode(left) || this.#grouped.mayHave(left)) break;
      rights.push(link.rexpr);
      left = link.lexpr;
    }
    if (child(left, 'A_Expr') === undefined) this.look(left);
    for (const right of rights.toReversed()) this.look(right);
  }

  /** Returns whether the call is certainly a plain function or a window function rather than an aggregate. */
  #isPlainCall(node: Node): boolean {
    const names = strings(node.funcname);
    const facts =
      names.length === 1 || names[0] === 'pg_catalog'
        ? this.#session.catalogue.functions(names.at(-1) ?? '')
        : [];
    return facts.length > 0 && ('over' in node || facts.every(({ kind }) => kind !== 'aggregate'));
  }

  /** Returns whether the ordered-set aggregate sorts columns of this query, and thus belongs to it. */
  #sortsOwnColumns(node: Node): boolean {
    return list(node.agg_order).some((entry) => {
      const column = child(child(entry, 'SortBy')?.node, 'ColumnRef');
      return column !== undefined && this.#session.meanings.get(column)?.level === this.#level;
    });
  }

  /** Reports arguments of GROUPING that are not grouped. */
  #grouping(node: Node): void {
    const isOff = list(node.args).some((arg) => {
      const meant = columnMeant(this.#session, arg);
      return meant?.level === this.#level && !this.#columns.has(meant) && meant.relation.name !== undefined;
    });
    if (isOff) {
      this.#session.report({
        code: 'UNGROUPED_COLUMN',
        message: 'arguments to GROUPING must be grouping expressions of the associated query level.',
        at: { GroupingFunc: node },
        location: number(node.location),
      });
    }
  }

  #column(node: Node): void {
    if (readColumn(node).parts.at(-1) === '*') {
      this.#star(node);
      return;
    }
    const meant = this.#session.meanings.get(node);
    if (meant !== undefined && meant.level === this.#level) this.#wantGrouped(meant, node);
  }

  /** Checks `*` or `t.*`. Like PostgreSQL, reports only the first ungrouped column. */
  #star(node: Node): void {
    const { parts } = readColumn(node);
    const wanted = parts.at(-2);
    const [schema] = parts.length > 2 ? parts : [];
    const level = this.#level;
    const relations = level.relations.filter(
      (own) =>
        !own.isOnlyQualified &&
        (wanted === undefined || (own.name === wanted && (schema === undefined || own.schema === schema))),
    );
    for (const relation of relations) {
      for (const [index, { name }] of (relation.columns ?? []).entries()) {
        const isMerged = wanted === undefined && relation.merged.has(name ?? '');
        if (!isMerged && this.#wantGrouped({ level, relation, index }, node)) return;
      }
    }
  }

  /** Returns whether the column is ungrouped. Reports each such column once. */
  #wantGrouped(meant: Meant, node: Node): boolean {
    const { relation, index } = meant;
    const own = index < 0 ? rowName(relation) : relation.columns?.[index]?.name;
    const keyed = this.#keyedOf(relation);
    if (
      own === undefined ||
      (this.#hasGroups && relation.name === undefined) ||
      this.#columns.has(meant) ||
      keyed === 'maybe'
    ) {
      return false;
    }
    const name = relation.name === undefined ? own : `${relation.name}.${own}`;
    if (!this.#reported.has(name)) {
      this.#reported.add(name);
      this.#session.report({
        code: 'UNGROUPED_COLUMN',
        message: `column "${name}" must appear in the GROUP BY clause or be used in an aggregate function.`,
        at: { ColumnRef: node },
        ...(keyed === 'hardly' ? { isLikely: true } : {}),
      });
    }
    return true;
  }

  #keyedOf(relation: Relation): Keyed {
    let keyed = this.#keyed.get(relation);
    if (keyed === undefined) {
      keyed = this.#findKeyed(relation);
      this.#keyed.set(relation, keyed);
    }
    return keyed;
  }

  #findKeyed(relation: Relation): Keyed {
    const grouped = relation.isTable ? this.#always.originsIn(relation) : [];
    const [first] = grouped;
    if (first === undefined) return 'no';
    const all = this.#session.columnsOf(first.model, first.table) ?? [];
    const names = new Set<string | undefined>(grouped.map(({ column }) => column));
    if (all.every(({ name, nullable }) => !names.has(name) || nullable === true)) return 'no';
    const hasOther = all.some(
      ({ name = '', nullable }) => nullable === false && keyName.test(name) && !names.has(name),
    );
    return hasOther && ![...names].some((name = '') => keyName.test(name)) ? 'hardly' : 'maybe';
  }
}

/** Returns undefined for the row of a join, which stands for its columns. */
const rowName = ({ columns, item }: Relation): string | undefined =>
  columns === undefined || item === undefined || child(item, 'JoinExpr') !== undefined ? undefined : '*';

/**
 * Whether a relation's grouped columns may include its primary key: `no` if they are all nullable, `hardly` if only
 * another non-nullable column has a key-like name.
 */
type Keyed = 'no' | 'hardly' | 'maybe';
