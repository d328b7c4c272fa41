/** Types UNION, INTERSECT and EXCEPT: each result column has the common type of its branches. */
import { t } from '#base/texts.ts';
import {
  child,
  constantOf,
  list,
  named,
  readColumn,
  text,
  type Node,
} from '#server/language/tree/parse-tree.ts';
import { unify } from '../resolution/conversions.ts';
import { orderable, wantSorting } from '../resolution/orderable.ts';
import type { Column, Columns, Level, Session } from '../typing.ts';
import { ambiguousOutput, limitsOfSides, wantPosition } from './sorting.ts';

/** Returns the columns of a branch; untyped literals stay untyped. */
type ColumnsOf = (select: Node) => Columns;

const ofWhole = ['withClause', 'sortClause', 'limitCount', 'limitOffset', 'lockingClause'];

/**
 * Lists the operations of `a UNION b UNION c`, last one first, and their first branch. Not recursive, since queries may
 * have thousands of branches.
 */
function operationsOf(select: Node): {
  readonly operations: readonly Node[];
  readonly first: Node | undefined;
} {
  const operations: Node[] = [select];
  let first = child(select, 'larg');
  while (first !== undefined && isPartOfList(first)) {
    operations.push(first);
    first = child(first, 'larg');
  }
  return { operations, first };
}

const isPartOfList = (select: Node): boolean =>
  child(select, 'larg') !== undefined && !ofWhole.some((key) => key in select);

/** Returns the branches that `setOperation` reads if the query is its left branch. */
export function sidesOf(select: Node): readonly Node[] {
  if (!isPartOfList(select)) return [select];
  const { operations, first } = operationsOf(select);
  const others = operations.map((operation) => child(operation, 'rarg'));
  return [first, ...others].filter((side) => side !== undefined);
}

export function setOperation(session: Session, select: Node, level: Level, columnsOf: ColumnsOf): Columns {
  const { operations, first } = operationsOf(select);
  let columns = first === undefined ? undefined : side(first, columnsOf);
  for (const entry of list(select.sortClause)) {
    wantSorting(session, child(entry, 'SortBy'));
    checkSort(session, child(entry, 'SortBy')?.node, columns?.length);
  }
  for (const operation of operations.toReversed()) {
    const right = child(operation, 'rarg');
    const others = right === undefined ? undefined : side(right, columnsOf);
    columns = combined(session, operation, [columns, others]);
  }
  const all = columns?.map(({ column }) => column);
  if (all !== undefined) {
    for (const entry of list(select.sortClause)) {
      const node = child(entry, 'SortBy')?.node;
      const [name] = readColumn(child(node, 'ColumnRef') ?? {}).parts;
      const named = all.filter((own) => own.name === name);
      const constant = constantOf(node);
      const column = constant?.kind === 'number' ? all[Number(constant.value) - 1] : named[0];
      if (name !== undefined && named.length > 1)
        ambiguousOutput(session, node, { clause: 'ORDER BY', name });
      else if (column !== undefined) orderable(session, node, column.type, 'ordering');
    }
  }
  limitsOfSides(session, level, select);
  return all;
}

/** ORDER BY after a set operation can only name a column of the result. */
function checkSort(session: Session, node: unknown, count: number | undefined): void {
  if (constantOf(node) !== undefined) {
    wantPosition(session, node, { clause: 'ORDER BY', count });
    return;
  }
  let inner = node;
  // A cast to the type of the column changes nothing.
  for (let cast = child(inner, 'TypeCast'); cast !== undefined; cast = child(inner, 'TypeCast'))
    inner = cast.arg;
  const column = child(inner, 'ColumnRef');
  if (named(inner) === undefined || (column !== undefined && list(column.fields).length === 1)) return;
  session.report({
    code: 'INVALID_CLAUSE',
    message: `invalid UNION/INTERSECT/EXCEPT ORDER BY clause. ${t('Only result column names can be used, not expressions. Sort in a query around it.')}`,
    at: node,
  });
}

/** A column of a branch, and its expression if there is one. */
interface SideColumn {
  readonly column: Column;
  readonly node: unknown;
}

function side(select: Node, columnsOf: ColumnsOf): readonly SideColumn[] | undefined {
  const columns = columnsOf(select);
  const targets = list(select.targetList).map((entry) => child(entry, 'ResTarget')?.val);
  const hasAll = columns !== undefined && targets.length === columns.length;
  return columns?.map((column, index) => ({ column, node: hasAll ? targets[index] : undefined }));
}

function combined(
  session: Session,
  operation: Node,
  [left, right]: readonly [readonly SideColumn[] | undefined, readonly SideColumn[] | undefined],
): readonly SideColumn[] | undefined {
  const word = text(operation.op).replace('SETOP_', '');
  if (left === undefined || right === undefined) return undefined;
  if (left.length !== right.length) {
    session.report({
      code: 'SET_OPERATION_COLUMNS',
      message: `each ${word} query must have the same number of columns: ${left.length} and ${right.length}.`,
      at: right[0]?.node ?? child(operation, 'rarg'),
    });
    return undefined;
  }
  return left.map((one, index) => {
    const other = right[index] ?? one;
    const operands = [one, other].map(({ column, node }) => ({ node, typed: column }));
    const result = unify(session, operands, word);
    if (operation.all !== true || word !== 'UNION')
      orderable(session, other.node ?? one.node, result.type, 'equality');
    const isNeverNull = one.column.nullable === false && other.column.nullable === false;
    return {
      column: {
        type: result.type,
        origins: result.origins,
        name: one.column.name,
        ...(isNeverNull ? { nullable: false } : {}),
      },
      node: undefined,
    };
  });
}
