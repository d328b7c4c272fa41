/** Checks a query's outputs: names, column counts, order and duplicates. */
import { t } from '#base/texts.ts';
import { aggregatesIn, functionName } from '#server/language/tree/aggregates.ts';
import { ExpressionKeys } from '#server/language/tree/expression-keys.ts';
import {
  child,
  columnOf,
  constantOf,
  isNode,
  list,
  number,
  text,
  walk,
  type Node,
} from '#server/language/tree/parse-tree.ts';
import type { TokenRun } from '../model.ts';
import {
  columnCountOf,
  expressionRun,
  firstSideOf,
  hasStar,
  joinConditions,
  nameRun,
  ownerOf,
  relationsOf,
  targetsOf,
  type OutputTarget,
  type Report,
  type Select,
} from '../select.ts';

export function duplicateNames({ node, place }: Select, report: Report): void {
  if (place !== 'top') return;
  const seen = new Set<string>();
  for (const target of targetsOf(node)) {
    const column = columnOf(target.value);
    const name = target.name ?? column?.parts.at(-1) ?? '*';
    if (name !== '*' && seen.has(name)) {
      const message = t(
        'The result has more than one column named "{0}". Give this one a different name: AS {0}_2',
        name,
      );
      report.problem({ code: 'DUPLICATE_OUTPUT_NAME', message, run: targetRun(target, report) });
    }
    seen.add(name);
  }
}

function targetRun({ value, location }: OutputTarget, report: Report): TokenRun {
  const column = columnOf(value);
  return nameRun(report, location, column?.parts.length ?? 1);
}

export function setOperation({ node }: Select, report: Report): void {
  const left = child(node, 'larg');
  const right = child(node, 'rarg');
  const counts = [left, right].map((side) => (side === undefined ? undefined : columnCountOf(side)));
  const start = right === undefined ? undefined : firstTarget(right);
  if (counts[0] !== undefined && counts[1] !== undefined && counts[0] !== counts[1] && start !== undefined) {
    const word = text(node.op).replace('SETOP_', '');
    report.problem({
      code: 'SET_OPERATION_COLUMNS',
      message: t(
        'Both sides of {0} must return the same number of columns: the left one returns {1}, this one {2}.',
        word,
        counts[0],
        counts[1],
      ),
      run: { first: report.offsetOf(start), last: report.offsetOf(start), shiftFirst: -1, shiftLast: -1 },
    });
  }
}

/** Returns the location of the first item in the SELECT list. */
function firstTarget(query: Node): number | undefined {
  const node = firstSideOf(query);
  const values = child(list(node.valuesLists)[0], 'List');
  return values === undefined ? targetsOf(node)[0]?.location : undefined;
}

/** Reports a star only if it expands a table: a subquery lists its own columns. */
export function selectStar(select: Select, report: Report): void {
  if (select.place !== 'top') return;
  const relations = relationsOf(select);
  for (const { value, location } of targetsOf(select.node)) {
    const column = columnOf(value);
    if (column?.parts.at(-1) !== '*') continue;
    const owner = ownerOf(column, relations);
    const covered = column.parts.length === 1 ? relations : owner === undefined ? [] : [owner];
    // TABLE t has an implicit star.
    if (covered.some(({ table }) => table !== undefined) && location >= 0 && column.location >= 0) {
      report.problem({
        code: 'SELECT_STAR',
        message: t('The columns of a saved query with * change whenever the table does. Name the columns.'),
        run: nameRun(report, column.location, column.parts.length),
      });
    }
  }
}

export function limitWithoutOrder(select: Select, report: Report): void {
  const { node, place, isSide } = select;
  const amount = 'limitCount' in node ? node.limitCount : node.limitOffset;
  const constant = constantOf(amount);
  const isIdle = constant?.kind === 'null' || (constant?.kind === 'number' && Number(constant.value) === 0);
  const relations = relationsOf(select);
  const isOneRow =
    !('groupClause' in node) && aggregatesIn(targetsOf(node).map(({ value }) => value)).length > 0;
  const reads =
    'larg' in node || relations.some(({ table, location }) => table !== undefined || location >= 0);
  if (
    amount === undefined ||
    isIdle ||
    isOneRow ||
    !reads ||
    isSide ||
    place === 'expression' ||
    place === 'common-table'
  ) {
    return;
  }
  // A cross join of CTEs that have one row each.
  const isRowOfRows =
    relations.length > 1 &&
    !('whereClause' in node) &&
    relations.every(({ table }) => table === undefined) &&
    list(node.fromClause).flatMap(joinConditions).length === 0;
  const run = expressionRun(report, amount);
  if (!isRowOfRows && !('sortClause' in node) && !isOrderedInside(node) && run !== undefined) {
    const word = 'limitCount' in node ? 'LIMIT' : 'OFFSET';
    const message = t('Without ORDER BY, {0} returns arbitrary rows. Add ORDER BY.', word);
    report.problem({ code: 'LIMIT_WITHOUT_ORDER', message, run });
  }
}

/** Returns whether FROM contains an ordered subquery, whose order is kept in practice. */
function isOrderedInside(node: Node): boolean {
  let isFound = false;
  walk(node.fromClause, (name, inner) => {
    isFound ||= name === 'SelectStmt' && 'sortClause' in inner;
    return true;
  });
  return isFound;
}

export function redundantDistinct(select: Select, report: Report): void {
  const { node, use, isDistinctSide } = select;
  const reason = isPlainDistinct(node) ? reasonOf(select, use, isDistinctSide) : undefined;
  const first = targetsOf(node)[0]?.location;
  if (reason !== undefined && first !== undefined) {
    const at = report.offsetOf(first);
    report.problem({
      code: 'REDUNDANT_DISTINCT',
      message: t('DISTINCT has no effect: {0}. Remove it.', reason),
      run: { first: at, last: at, shiftFirst: -1, shiftLast: -1 },
      fix: {
        kind: 'replace',
        title: t('Remove DISTINCT'),
        run: { first: at, last: at, shiftFirst: -1, shiftLast: -1 },
        newText: '',
      },
    });
  }
  for (const call of aggregatesIn([targetsOf(node).map(({ value }) => value), node.havingClause])) {
    const name = functionName(call);
    if (
      call.agg_distinct === true &&
      (name === 'min' || name === 'max') &&
      list(call.funcname).length === 1
    ) {
      const at = report.offsetOf(number(call.location));
      const run = { first: at, last: at, shiftFirst: 2, shiftLast: 2 };
      report.problem({
        code: 'REDUNDANT_DISTINCT',
        message: t('DISTINCT has no effect: "{0}" of equal values is that value. Remove it.', name),
        run,
        fix: { kind: 'replace', title: t('Remove DISTINCT'), run, newText: '' },
      });
    }
  }
}

/** Returns whether the query has DISTINCT without ON. */
function isPlainDistinct(node: Node): boolean {
  const [first, ...rest] = list(node.distinctClause);
  return isNode(first) && rest.length === 0 && Object.keys(first).length === 0;
}

function reasonOf({ node }: Select, use: string | undefined, isDistinctSide: boolean): string | undefined {
  const values = targetsOf(node).map(({ value }) => value);
  const isLimited = 'limitCount' in node || 'limitOffset' in node;
  if (isLimited || values.some(hasStar)) return undefined;
  if (isDistinctSide) return t('the set operation drops duplicates anyway');
  if (use === 'EXISTS_SUBLINK') return t('EXISTS only checks whether there is a row');
  if (use === 'ANY_SUBLINK') return t('IN only checks whether the value is there');
  const keys = new ExpressionKeys();
  const outputs = new Set(values.map((value) => keys.of(value)));
  const groups = list(node.groupClause);
  const isGroupedByOutputs =
    groups.length > 0 &&
    groups.every((group) => columnOf(group) !== undefined && outputs.has(keys.of(group)));
  return isGroupedByOutputs && !hasSetFunction(values)
    ? t('GROUP BY returns each of these groups once')
    : undefined;
}

/** Treats any call other than an aggregate as a possible set-returning function. */
function hasSetFunction(values: readonly unknown[]): boolean {
  let isFound = false;
  walk(values, (name, node) => {
    const isOneValue = name !== 'FuncCall' || aggregatesIn([{ FuncCall: node }]).length > 0;
    isFound ||= !isOneValue;
    return isOneValue && name !== 'SelectStmt';
  });
  return isFound;
}
