/** Checks the types of expressions in ORDER BY, GROUP BY, DISTINCT and LIMIT (parse_clause.c). */
import { t } from '#base/texts.ts';
import { child, constantOf, isNode, list, readColumn, type Node } from '#server/language/tree/parse-tree.ts';
import { positionOf } from '../../names/relations/columns-by-name.ts';
import { operandOf } from '../expressions/expressions.ts';
import { give, wantNoColumns, wantType, type Operand } from '../resolution/conversions.ts';
import type { Clause, Column, Level, Session } from '../typing.ts';

export interface Outputs {
  readonly columns: readonly Column[];
  /** Whether all columns are known. */
  readonly isWhole: boolean;
  readonly targets: readonly Node[];
}

export function sorting(session: Session, level: Level, select: Node, outputs: Outputs): void {
  const sorts = list(select.sortClause).map((entry) => child(entry, 'SortBy') ?? {});
  for (const sort of sorts) {
    if (isNode(sort.node)) {
      const typed = sortType(session, level, { node: sort.node, outputs, clause: 'ORDER BY' });
      orderable(session, sort.node, typed, 'ordering');
    }
  }
  for (const entry of list(select.groupClause)) {
    groupEntry(session, level, entry, outputs);
  }
  const distinct = list(select.distinctClause);
  if (distinct.some(isNode)) {
    for (const entry of distinct) {
      if (isNode(entry) && Object.keys(entry).length > 0) {
        const typed = sortType(session, level, { node: entry, outputs, clause: 'DISTINCT ON' });
        orderable(session, entry, typed, 'equality');
      } else if (outputs.isWhole) {
        outputs.columns.forEach((column, index) => {
          orderable(session, outputs.targets[index]?.val, column.type, 'equality');
        });
      }
    }
  }
}

function groupEntry(session: Session, level: Level, entry: unknown, outputs: Outputs): void {
  const set = child(entry, 'GroupingSet');
  const row = child(entry, 'RowExpr');
  if (set !== undefined || row !== undefined) {
    for (const inner of list(set === undefined ? row?.args : set.content)) {
      groupEntry(session, level, inner, outputs);
    }
    return;
  }
  if (isNode(entry)) {
    const typed = sortType(session, level, { node: entry, outputs, clause: 'GROUP BY' });
    orderable(session, entry, typed, 'equality');
  }
}

/**
 * Returns the type of an ORDER BY, GROUP BY or DISTINCT ON item, which is an output's name or number, or an expression.
 */
function sortType(
  session: Session,
  level: Level,
  {
    node,
    outputs,
    clause: place,
  }: { readonly node: Node; readonly outputs: Outputs; readonly clause: PlaceOfOutput },
): string | undefined {
  const clause = place === 'GROUP BY' ? place : 'ORDER BY';
  const constant = constantOf(node);
  if (constant !== undefined) {
    const count = outputs.isWhole ? outputs.columns.length : undefined;
    wantPosition(session, node, { clause: place, count });
    return constant.kind === 'number' && outputs.isWhole
      ? outputs.columns[Number(constant.value) - 1]?.type
      : undefined;
  }
  const column = child(node, 'ColumnRef');
  const [name, ...rest] = column === undefined ? [] : readColumn(column).parts;
  if (name !== undefined && rest.length === 0 && name !== '*') {
    const isColumn =
      clause === 'GROUP BY' &&
      level.relations.some(({ columns }) => columns === undefined || positionOf(columns, name) >= 0);
    const output = positionOf(outputs.columns, name);
    if ((clause === 'ORDER BY' || !isColumn) && output >= 0) {
      return outputs.columns[output]?.type;
    }
    if (clause === 'ORDER BY' && !outputs.isWhole) return undefined;
  }
  const operand = inClause(session, level, clause, node);
  if (operand.typed.type === 'unknown') give(session, operand, 'text');
  return operand.typed.type;
}

type PlaceOfOutput = 'ORDER BY' | 'GROUP BY' | 'DISTINCT ON';

/**
 * A constant in these clauses must be the number of an output.
 * @param count the number of outputs, if it is known
 */
export function wantPosition(
  session: Session,
  node: unknown,
  { clause, count }: { readonly clause: PlaceOfOutput; readonly count: number | undefined },
): void {
  const constant = constantOf(node);
  if (constant === undefined || constant.kind === 'placeholder') return;
  const position =
    constant.kind === 'number' && /^-?\d+$/.test(constant.value) ? Number(constant.value) : undefined;
  if (position === undefined) {
    session.report({
      code: 'INVALID_CLAUSE',
      message: `non-integer constant in ${clause}. ${t('Write the number or the name of a column.')}`,
      at: node,
    });
  } else if (count !== undefined && (position < 1 || position > count)) {
    session.report({
      code: 'ORDINAL_OUT_OF_RANGE',
      message: t(
        '{0} {1} names no column: the query returns {2}. Write a number from 1 to {2}, or a name.',
        clause,
        position,
        count,
      ),
      at: node,
    });
  }
}

/** Types that cannot be ordered, alone or as array elements. */
const unordered = new Set(
  `json jsonpath xml point lseg line box path polygon circle cid xid aclitem pg_snapshot txid_snapshot refcursor
   gtsvector unknown_order`.split(/\s+/),
);
/** Types in the list above that can nevertheless be compared for equality. */
const equal = new Set(['cid', 'xid', 'aclitem']);

export function orderable(
  session: Session,
  node: unknown,
  type: string | undefined,
  kind: 'ordering' | 'equality',
): void {
  const element = type === undefined ? undefined : (session.coercion.element(type) ?? type);
  if (type === undefined || element === undefined || !unordered.has(element)) return;
  if (kind === 'equality' && equal.has(element)) return;
  const remedy = t('Cast it to {0}.', element === 'json' ? 'jsonb' : 'text');
  session.report({
    code: 'TYPE_MISMATCH',
    message: `could not identify an ${kind} operator for type ${session.coercion.shown(type)}. ${remedy}`,
    at: node,
  });
}

export function limits(session: Session, level: Level, select: Node): void {
  for (const [key, what] of [
    ['limitCount', 'LIMIT'],
    ['limitOffset', 'OFFSET'],
  ] as const) {
    if (key in select) {
      const operand = inClause(session, level, what, select[key]);
      wantType(session, operand, { type: 'int8', what });
      wantNoColumns(session, level, operand, what);
      const constant = constantOf(select[key]);
      if (constant?.kind === 'number' && Number(constant.value) <= -0.5) {
        session.report({ code: 'INVALID_CLAUSE', message: `${what} must not be negative.`, at: select[key] });
      }
    }
  }
}

export function inClause(session: Session, level: Level, clause: Clause, node: unknown): Operand {
  level.clause = clause;
  return operandOf(session, level, node);
}
