/**
 * Columns outside of aggregates that are not grouped (parse_agg.c). A table that is grouped by what may be its key is
 * left out: PostgreSQL takes its other columns then, and which column is a key is not known here.
 */
import { child, constantOf, isNode, list, readColumn, strings, text, type Node } from '../tree/parse-tree.ts';
import { keyName } from '../tree/key-names.ts';
import type { Column, Level, Meant, Relation, Session } from './typing.ts';

export function checkGrouping(
  session: Session,
  level: Level,
  select: Node,
  outputs: readonly Column[],
): void {
  const groups = list(select.groupClause);
  if (level.isUncertain || (groups.length === 0 && !level.hasAggregates && !('havingClause' in select))) {
    return;
  }
  const targets = list(select.targetList).map((entry) => child(entry, 'ResTarget') ?? {});
  // Outputs are expressions by position only where no star stands among them.
  const isPlain = targets.length === outputs.length;
  const grouped = groups.flatMap((entry) => groupedIn(entry));
  if (grouped.includes(undefined)) {
    return;
  }
  new GroupingCheck(session, level, grouped).look([
    ...targets.map(({ val }) => val),
    select.havingClause,
    list(select.sortClause).map((entry) => sorted(child(entry, 'SortBy')?.node)),
  ]);

  function groupedIn(entry: unknown): readonly unknown[] {
    const set = child(entry, 'GroupingSet');
    const row = child(entry, 'RowExpr') ?? child(entry, 'List');
    if (set !== undefined || row !== undefined) {
      return list(set === undefined ? (row?.args ?? row?.items) : set.content).flatMap(groupedIn);
    }
    if (constantOf(entry)?.kind === 'number') {
      return [isPlain ? targets[Number(text(numberOf(entry))) - 1]?.val : undefined];
    }
    return [named(entry, 'input') ?? entry];
  }

  /** What the name of an output stands for. */
  function named(entry: unknown, first: 'input' | 'output'): unknown {
    const column = child(entry, 'ColumnRef');
    const parts = column === undefined ? [] : readColumn(column).parts;
    if (parts.length !== 1) return undefined;
    const isColumn = level.relations.some(
      (own) => own.columns?.some(({ name }) => name === parts[0]) === true,
    );
    return first === 'input' && isColumn ? undefined : targets.find(({ name }) => name === parts[0])?.val;
  }

  function sorted(node: unknown): unknown {
    return constantOf(node)?.kind === 'number' || named(node, 'output') !== undefined
      ? undefined
      : isOutput(node)
        ? undefined
        : node;
  }

  /** A bare name is an output's first, whatever it is called after. */
  function isOutput(node: unknown): boolean {
    const column = child(node, 'ColumnRef');
    const parts = column === undefined ? [] : readColumn(column).parts;
    return parts.length === 1 && outputs.some(({ name }) => name === parts[0] || name === undefined);
  }
}

function numberOf(node: unknown): string {
  const constant = constantOf(node);
  return constant?.kind === 'number' ? constant.value : '';
}

class GroupingCheck {
  readonly #session: Session;
  readonly #level: Level;
  readonly #keys: ReadonlySet<string>;
  /** Columns that are grouped as they are. */
  readonly #columns: readonly Meant[];
  /** What grouped expressions begin with: another of the kind may be the same, written otherwise. */
  readonly #roots: ReadonlySet<string>;
  readonly #ids = new Map<Relation, number>();
  readonly #reported = new Set<string>();

  constructor(session: Session, level: Level, grouped: readonly unknown[]) {
    this.#session = session;
    this.#level = level;
    this.#keys = new Set(grouped.map((entry) => this.#keyOf(entry)));
    this.#columns = grouped.flatMap((entry) => {
      const column = child(entry, 'ColumnRef');
      const meant = column === undefined ? undefined : session.meanings.get(column);
      return meant === undefined ? [] : [meant];
    });
    this.#roots = new Set(
      grouped.flatMap((entry) => (child(entry, 'ColumnRef') === undefined ? [rootOf(entry)] : [])),
    );
  }

  look(value: unknown): void {
    if (Array.isArray(value)) {
      for (const entry of value) this.look(entry);
      return;
    }
    if (!isNode(value)) {
      return;
    }
    const [kind = '', body] = Object.entries(value)[0] ?? [];
    if (/^[A-Z]/.test(kind) && isNode(body)) {
      this.#node(kind, body, value);
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
    if (this.#keys.size > 0 && this.#roots.has(rootOf(whole))) {
      return;
    }
    if (kind === 'GroupingFunc' || kind === 'JsonObjectAgg' || kind === 'JsonArrayAgg') {
      return;
    }
    if (kind === 'SelectStmt') {
      // Names of outer queries in it are looked at too, by where they were found.
      for (const key in node) this.look(node[key]);
      return;
    }
    if (kind === 'FuncCall' && !this.#isPlainCall(node)) {
      return;
    }
    for (const key in node) {
      this.look(node[key]);
    }
  }

  /** Neither an aggregate, which may be of this query or another, nor somebody's own, which may be one. */
  #isPlainCall(node: Node): boolean {
    const names = strings(node.funcname);
    const facts =
      names.length === 1 || names[0] === 'pg_catalog'
        ? this.#session.catalogue.functions(names.at(-1) ?? '')
        : [];
    return facts.length > 0 && ('over' in node || facts.every(({ kind }) => kind !== 'aggregate'));
  }

  #column(node: Node): void {
    const meant = this.#session.meanings.get(node);
    if (meant === undefined || meant.level !== this.#level) {
      return;
    }
    const { relation, index } = meant;
    const column = relation.columns?.[index];
    const isGrouped = this.#columns.some((own) => isSame(own, meant));
    if (
      isGrouped ||
      column?.name === undefined ||
      relation.isNameless ||
      relation.isScalar === true ||
      this.#mayBeKeyed(relation)
    ) {
      return;
    }
    const name = relation.name === undefined ? column.name : `${relation.name}.${column.name}`;
    if (this.#reported.has(name)) return;
    this.#reported.add(name);
    this.#session.report({
      code: 'UNGROUPED_COLUMN',
      message: `column "${name}" must appear in the GROUP BY clause or be used in an aggregate function.`,
      at: { ColumnRef: node },
    });
  }

  /**
   * Whether the relation's grouped columns may be its table's key: not where all of them can be NULL, nor where another
   * column that cannot is called as keys are.
   */
  #mayBeKeyed(relation: Relation): boolean {
    const grouped = relation.isTable
      ? this.#columns.flatMap(({ relation: own, index }) =>
          own.name === relation.name ? (own.columns?.[index]?.origins[0] ?? []) : [],
        )
      : [];
    const [first] = grouped;
    if (first === undefined) return false;
    const all = this.#session.columnsOf(first.model, first.table) ?? [];
    const names = new Set<string | undefined>(grouped.map(({ column }) => column));
    const isNull = all.every(({ name, nullable }) => !names.has(name) || nullable === true);
    const hasOther = all.some(
      ({ name = '', nullable }) => nullable === false && keyName.test(name) && !names.has(name),
    );
    return !isNull && (!hasOther || [...names].some((name = '') => keyName.test(name)));
  }

  /** The same for two expressions that PostgreSQL takes for one: names by what they mean. */
  #keyOf(expression: unknown): string {
    return JSON.stringify(expression, (key, value: unknown) => {
      if (positions.has(key)) return undefined;
      if (isNode(value) && 'ColumnRef' in value && isNode(value.ColumnRef)) {
        const meant = this.#session.meanings.get(value.ColumnRef);
        return meant === undefined ? value : `${this.#idOf(meant.relation)}.${meant.index}`;
      }
      return value;
    });
  }

  #idOf(relation: Relation): number {
    const id = this.#ids.get(relation) ?? this.#ids.size;
    this.#ids.set(relation, id);
    return id;
  }
}

const positions = new Set(['location', 'list_start', 'list_end', 'rexpr_list_start', 'rexpr_list_end']);

/** A merged column is that of either side. */
const isSame = (one: Meant, other: Meant): boolean =>
  (one.relation === other.relation ||
    (one.relation.name === other.relation.name && one.relation.name !== undefined)) &&
  one.index === other.index;

/** What an expression begins with, casts left out: `FuncCall lower`. */
function rootOf(expression: unknown): string {
  const [kind = '', body] = isNode(expression) ? (Object.entries(expression)[0] ?? []) : [];
  if (kind === 'TypeCast') return rootOf(child(expression, 'TypeCast')?.arg);
  if (!isNode(body)) return kind;
  return `${kind} ${strings(body.funcname).at(-1) ?? strings(body.name).join('')}`;
}
