/** Checks the types of expressions in ORDER BY, GROUP BY, DISTINCT and LIMIT (parse_clause.c). */
import { t } from '#base/texts.ts';
import {
  child,
  constantOf,
  isNode,
  list,
  readColumn,
  strings,
  type Node,
} from '#server/language/tree/parse-tree.ts';
import { onlyPositionOf, positionOf } from '../../names/relations/columns-by-name.ts';
import { hasColumnStar } from '../expressions/arrays-and-rows.ts';
import { operandOf } from '../expressions/expressions.ts';
import { give, wantNoColumns, wantType, type Operand } from '../resolution/conversions.ts';
import { orderable, wantSorting } from '../resolution/orderable.ts';
import { SimilarExpressions } from '../resolution/similar-expressions.ts';
import { unknown, type Clause, type Column, type Level, type Session } from '../typing.ts';

export interface Outputs {
  readonly columns: readonly Column[];
  /** Whether all columns are known. */
  readonly isWhole: boolean;
  readonly targets: readonly Node[];
  /** What each column comes from: its expression, or the star that lists it. */
  readonly sources: readonly unknown[];
}

export function sorting(session: Session, level: Level, select: Node, outputs: Outputs): void {
  const sorts = list(select.sortClause).map((entry) => child(entry, 'SortBy') ?? {});
  for (const sort of sorts) {
    wantSorting(session, sort);
    if (isNode(sort.node)) {
      const typed = sortType(session, level, { node: sort.node, outputs, clause: 'ORDER BY' });
      orderable(session, sort.node, typed, 'ordering');
    }
  }
  for (const entry of list(select.groupClause)) groupEntry(session, level, entry, outputs);
  const distinct = list(select.distinctClause);
  if (distinct.some(isNode)) {
    for (const entry of distinct) {
      if (isNode(entry) && Object.keys(entry).length > 0) {
        const typed = sortType(session, level, { node: entry, outputs, clause: 'DISTINCT ON' });
        orderable(session, entry, typed, 'equality');
      } else if (outputs.isWhole) {
        outputs.columns.forEach((column, index) => {
          orderable(session, outputs.sources[index], column.type, 'equality');
        });
      }
    }
  }
}

function groupEntry(session: Session, level: Level, entry: unknown, outputs: Outputs): void {
  const set = child(entry, 'GroupingSet');
  // ROW(a, b) is a value, and (a, b) a list.
  const value = child(entry, 'RowExpr');
  const row = value?.row_format === 'COERCE_IMPLICIT_CAST' ? value : undefined;
  if (set !== undefined || row !== undefined) {
    for (const inner of list(set === undefined ? row?.args : set.content))
      groupEntry(session, level, inner, outputs);
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
    const output = clause === 'ORDER BY' || !isColumn ? onlyPositionOf(outputs.columns, name) : -1;
    if (output === 'several' && areDifferent(session, level, outputs, name)) {
      ambiguousOutput(session, node, { clause: place, name });
      return undefined;
    }
    if (output !== -1) return outputs.columns[positionOf(outputs.columns, name)]?.type;
    if (clause === 'ORDER BY' && !outputs.isWhole) return undefined;
  }
  const operand = inClause(session, level, clause, node);
  if (operand.typed.type === 'unknown') give(session, operand, 'text');
  return operand.typed.type;
}

export function ambiguousOutput(
  session: Session,
  node: unknown,
  { clause, name }: { readonly clause: PlaceOfOutput; readonly name: string },
): void {
  session.report({
    code: 'INVALID_CLAUSE',
    message: `${clause} "${name}" is ambiguous. ${t('Several columns of the result have this name: write the number of one.')}`,
    at: node,
  });
}

/** Returns whether the outputs of a name are certainly not all the same expression. */
function areDifferent(session: Session, level: Level, outputs: Outputs, name: string): boolean {
  const [first, ...others] = outputs.columns.flatMap((column, index) =>
    column.name === name ? [outputs.sources[index]] : [],
  );
  const isFirst = new SimilarExpressions(session, [first]);
  return others.some((other) => {
    // A star lists each column once.
    if (other === first) return isStar(first);
    if (isStar(first) || isStar(other)) return readDifferently(session, level, [first, other]);
    return isNode(other) && !isFirst.mayHave(other);
  });
}

const isStar = (node: unknown): boolean => hasColumnStar(node);

/** Returns whether two outputs, one of which a star lists, come from two tables, or one of them is computed. */
function readDifferently(session: Session, level: Level, pair: readonly unknown[]): boolean {
  const tables = pair.map((node): string | undefined => {
    const column = child(node, 'ColumnRef');
    const { parts } = readColumn(column ?? {});
    if (column === undefined || isStar(node)) {
      const qualifier = parts.length === 2 ? parts[0] : undefined;
      return level.relations.some((own) => own.name === qualifier) ? qualifier : undefined;
    }
    const meant = session.meanings.get(column);
    return meant?.level === level ? meant.relation.name : undefined;
  });
  const [one, other] = tables;
  return (
    (one !== undefined && other !== undefined && one !== other) ||
    pair.some((node) => !isStar(node) && isComputed(session, node))
  );
}

/** Returns whether an expression is certainly more than a column, which a cast may leave unchanged. */
function isComputed({ catalogue }: Session, node: unknown): boolean {
  const call = child(node, 'FuncCall');
  const isCast = catalogue.type(strings(call?.funcname).at(-1) ?? '') !== undefined;
  return call !== undefined
    ? !isCast
    : ['A_Expr', 'A_Const', 'CaseExpr', 'SubLink', 'BoolExpr', 'NullTest'].some(
        (kind) => child(node, kind) !== undefined,
      );
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

export function limits(session: Session, level: Level, select: Node): void {
  for (const [key, what] of [
    ['limitCount', 'LIMIT'],
    ['limitOffset', 'OFFSET'],
  ] as const) {
    if (key in select) {
      const operand = inClause(session, level, what, select[key]);
      wantType(session, operand, { type: 'int8', what });
      wantNoColumns(session, level, operand, what);
      if (select.limitOption === 'LIMIT_OPTION_WITH_TIES' && constantOf(select[key])?.kind === 'null') {
        const message = 'row count cannot be null in FETCH FIRST ... WITH TIES clause.';
        session.report({ code: 'INVALID_CLAUSE', message, at: select[key] });
      }
      const constant = constantOf(select[key]);
      if (constant?.kind === 'number' && Number(constant.value) <= -0.5)
        session.report({ code: 'INVALID_CLAUSE', message: `${what} must not be negative.`, at: select[key] });
    }
  }
}

/** After a set operation, a name in LIMIT means no column of its branches. */
export function limitsOfSides(session: Session, level: Level, select: Node): void {
  limits(session, level, select);
  for (const [key, what] of [
    ['limitCount', 'LIMIT'],
    ['limitOffset', 'OFFSET'],
  ] as const) {
    // A query around it may have the column.
    if (level.parent === undefined) {
      const operand = { node: select[key], typed: unknown };
      wantNoColumns(session, undefined, operand, what);
    }
  }
}

export function inClause(session: Session, level: Level, clause: Clause, node: unknown): Operand {
  level.clause = clause;
  return operandOf(session, level, node);
}
