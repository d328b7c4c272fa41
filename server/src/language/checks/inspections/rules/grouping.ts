/** Reports columns that are neither grouped nor aggregated. */
import { t } from '#base/texts.ts';
import {
  aggregatesIn,
  functionName,
  isAggregate,
  isJsonAggregate,
} from '#server/language/tree/aggregates.ts';
import { ExpressionKeys } from '#server/language/tree/expression-keys.ts';
import { keyName } from '#server/language/tree/key-names.ts';
import {
  child,
  columnOf,
  constantOf,
  list,
  readColumn,
  isNode,
  type ColumnName,
} from '#server/language/tree/parse-tree.ts';
import type { PossibleKey, ProblemFix } from '../model.ts';
import {
  nameRun,
  ownerOf,
  relationsOf,
  targetsOf,
  type Relation,
  type Report,
  type Select,
} from '../select.ts';

/** Common functions that cannot be user-defined aggregates. */
const plainFunctions = new Set(
  (
    'abs age btrim ceil ceiling char_length character_length concat concat_ws date_part date_trunc extract floor ' +
    'format greatest initcap left length lower lpad ltrim md5 mod position power repeat replace reverse right ' +
    'round rpad rtrim sign split_part sqrt strpos substr substring to_char to_date to_number to_timestamp ' +
    'translate trim trunc upper timezone'
  ).split(' '),
);

export function ungroupedColumns(select: Select, report: Report): void {
  const { node } = select;
  const targets = targetsOf(node);
  const values = targets.map(({ value }) => value);
  const isGrouped = 'groupClause' in node;
  if (!isGrouped && aggregatesIn([values, node.havingClause]).length === 0) return;
  const groups = list(node.groupClause).flatMap((entry) => groupedIn(entry, values));
  // PostgreSQL reports an invalid output number first.
  if (groups.includes(undefined)) return;
  const grouping = new Grouping(select, targets, groups);
  const inOutputs = grouping.missingIn(values);
  const missing = [...inOutputs, ...grouping.missingIn(node.havingClause)];
  const aliases = new Set(targets.flatMap(({ name }) => name ?? []));
  /** HAVING cannot refer to outputs, but a bare name there is often intended as one. */
  const isMeantAsOutput = ({ parts }: ColumnName, index: number): boolean =>
    index >= inOutputs.length && parts.length === 1 && aliases.has(parts[0] ?? '');
  const names = [...new Set(missing.map(({ parts }) => parts.map(quote).join('.')))];
  const fix: ProblemFix = {
    kind: 'group-by',
    title:
      names.length === 1
        ? t('Add "{0}" to GROUP BY', missing[0]?.parts.join('.') ?? '')
        : t('Add the missing columns to GROUP BY'),
    at: report.offsetOf(targets[0]?.location ?? 0),
    names,
  };
  for (const [index, column] of missing.entries()) {
    const name = column.parts.join('.');
    const run = nameRun(report, column.location, column.parts.length);
    const unlessKeyOf = grouping.possibleKeysFor(column);
    if (isMeantAsOutput(column, index)) {
      const message = t('HAVING cannot use the output "{0}", only columns. Repeat its expression.', name);
      report.problem({ code: 'UNGROUPED_COLUMN', message, run, unlessKeyOf });
      continue;
    }
    const message = t(
      '"{0}" is neither in GROUP BY nor in an aggregate function, so a group has no single value for it.',
      name,
    );
    report.problem({ code: 'UNGROUPED_COLUMN', message, run, unlessKeyOf, fix });
  }
}

/** Determines the columns of a grouped SELECT that have a single value per group. */
class Grouping {
  readonly #select: Select;
  readonly #relations: readonly Relation[];
  readonly #keys = new ExpressionKeys();
  readonly #grouped: ReadonlySet<number>;
  readonly #keyColumns: readonly ColumnName[];
  /** Relations whose whole row is grouped, which is the only column of a function that returns scalars. */
  readonly #rows: ReadonlySet<string>;

  /** @param groups the grouped expressions */
  constructor(select: Select, targets: ReturnType<typeof targetsOf>, groups: readonly unknown[]) {
    this.#select = select;
    this.#relations = relationsOf(select);
    const values = targets.map(({ value }) => value);
    this.#keyColumns = list(select.node.groupClause).flatMap((entry) => groupedAlways(entry, values));
    // Types, which are unknown here, tell whether a cast in GROUP BY changes the column.
    const uncast = groups.flatMap((group) => child(group, 'TypeCast')?.arg ?? []);
    const groupedColumns = groups.flatMap((group) => columnOf(group) ?? []);
    // A bare name in GROUP BY may refer to an output column.
    const bareNames = new Set(groupedColumns.flatMap(({ parts }) => (parts.length === 1 ? parts : [])));
    this.#rows = new Set(
      this.#relations.flatMap(({ alias, table }) =>
        table === undefined && bareNames.has(alias) ? alias : [],
      ),
    );
    const named = targets.flatMap(({ name, value }) =>
      name !== undefined && bareNames.has(name) ? [value] : [],
    );
    this.#grouped = new Set([...groups, ...uncast, ...named].map((value) => this.#keys.of(value)));
  }

  /** Returns the columns of an expression that are certainly neither grouped nor aggregated. */
  missingIn(value: unknown): readonly ColumnName[] {
    if (Array.isArray(value)) return value.flatMap((one) => this.missingIn(one));
    if (!isNode(value) || this.#grouped.has(this.#keys.of(value))) return [];
    return Object.entries(value).flatMap(([name, inner]) => {
      if (name === 'ColumnRef' && isNode(inner)) {
        const column = readColumn(inner);
        return this.#isCertain(column) ? [column] : [];
      }
      if (name === 'FuncCall' && isNode(inner)) {
        const isPlain = !isAggregate(inner) && plainFunctions.has(functionName(inner));
        return isPlain ? this.missingIn(inner.args) : [];
      }
      const isJson = isNode(inner) && isJsonAggregate(name, inner);
      return name === 'SelectStmt' || isJson ? [] : this.missingIn(inner);
    });
  }

  possibleKeysFor(column: ColumnName): readonly PossibleKey[] {
    const owner = ownerOf(column, this.#relations);
    return (owner === undefined ? this.#relations : [owner]).flatMap((relation) => {
      const columns = this.#keyedBy(relation);
      return relation.table === undefined || columns.length === 0 ? [] : { table: relation.table, columns };
    });
  }

  #isCertain(column: ColumnName): boolean {
    if (column.parts.includes('*')) return false;
    if (column.parts.length > 1) {
      const owner = ownerOf(column, this.#relations);
      return owner !== undefined && !this.#rows.has(owner.alias) && !this.#mayBeKeyed(owner);
    }
    // An unqualified name may belong to an outer query, or refer to a relation's row.
    return (
      !this.#select.seesOuter &&
      this.#rows.size === 0 &&
      this.#relations.length > 0 &&
      !this.#relations.some(({ alias }) => alias === column.parts[0]) &&
      !this.#relations.some((relation) => this.#mayBeKeyed(relation))
    );
  }

  /** Returns whether a grouped column looks like the relation's primary key, which determines its other columns. */
  #mayBeKeyed(relation: Relation): boolean {
    return this.#keyedBy(relation).some((name) => keyName.test(name));
  }

  /**
   * Returns the grouped columns that may belong to the relation; empty unless it is a database table, since only those
   * have keys.
   */
  #keyedBy({ alias, table }: Relation): readonly string[] {
    return table === undefined
      ? []
      : this.#keyColumns.flatMap(({ parts }) =>
          parts.length === 1 || parts.at(-2) === alias ? (parts.at(-1) ?? []) : [],
        );
  }
}

/**
 * Returns the columns that a GROUP BY entry groups in all of its grouping sets; PostgreSQL looks for a primary key
 * among them. ROLLUP and CUBE have none, since they include an empty grouping set.
 */
function groupedAlways(entry: unknown, outputs: readonly unknown[]): readonly ColumnName[] {
  const set = child(entry, 'GroupingSet');
  if (set === undefined)
    return groupedIn(entry, outputs).flatMap(
      // PostgreSQL drops a cast to the column's own type, which only the types know.
      (expression) => columnOf(expression) ?? columnOf(child(expression, 'TypeCast')?.arg) ?? [],
    );
  const [first = [], ...others] =
    set.kind === 'GROUPING_SET_SETS' ? list(set.content).map((inner) => groupedAlways(inner, outputs)) : [];
  const nameOf = ({ parts }: ColumnName): string => parts.at(-1) ?? '';
  return first.filter((column) =>
    others.every((columns) => columns.some((other) => nameOf(other) === nameOf(column))),
  );
}

/** Returns the expressions of a GROUP BY entry, resolving grouping sets and output numbers. */
function groupedIn(entry: unknown, outputs: readonly unknown[]): readonly unknown[] {
  const set = child(entry, 'GroupingSet');
  const row = child(entry, 'RowExpr') ?? child(entry, 'List');
  if (set !== undefined) return list(set.content).flatMap((inner) => groupedIn(inner, outputs));
  if (row !== undefined) return list(row.args ?? row.items).flatMap((inner) => groupedIn(inner, outputs));
  const constant = constantOf(entry);
  return constant?.kind === 'number' ? [outputs[Number(constant.value) - 1]] : [entry];
}

const quote = (name: string): string =>
  /^[a-z_][a-z0-9_$]*$/.test(name) ? name : `"${name.replaceAll('"', '""')}"`;
