/** Reports constant conditions, aggregates in conditions, and missing join conditions. */
import { t } from '#base/texts.ts';
import { aggregatesIn, isAggregate, functionName } from '#server/language/tree/aggregates.ts';
import {
  child,
  columnOf,
  columnsIn,
  conjunctsOf,
  constantOf,
  list,
  operationOf,
  walk,
  type Node,
} from '#server/language/tree/parse-tree.ts';
import {
  conditionsOf,
  expressionRun,
  nameRun,
  ownerOf,
  relationsOf,
  type Relation,
  type Report,
  type Select,
} from '../select.ts';

export function constantConditions({ node }: Select, report: Report): void {
  for (const condition of [node.whereClause, node.havingClause]) {
    const parts = conjunctsOf(condition);
    for (const part of parts) {
      const isFirstOfMany = parts.length > 1 && part === parts[0];
      look(part, isFirstOfMany);
    }
  }

  function look(part: unknown, mayBeTrue: boolean): void {
    const boolean = child(part, 'BoolExpr');
    if (boolean !== undefined) {
      // Checks the operands of both AND and OR. NOT adds nothing: it only inverts its operand.
      list(boolean.args).forEach((arg) => {
        look(arg, false);
      });
      return;
    }
    const value = valueOf(part);
    const run = expressionRun(report, part);
    // Generated conditions may start with WHERE true AND ...
    if (value === undefined || run === undefined || (value.isTrue && mayBeTrue)) return;
    const message = value.ofColumn
      ? t('A column is compared with itself, which has no effect. Compare it with another column.')
      : t(
          'This condition is always {0}. Remove it, or compare with a column or parameter.',
          value.isTrue ? 'true' : 'false',
        );
    report.problem({ code: 'CONSTANT_CONDITION', message, run });
  }
}

function valueOf(part: unknown): { readonly isTrue: boolean; readonly ofColumn: boolean } | undefined {
  const constant = constantOf(part);
  if (constant?.kind === 'boolean') return { isTrue: constant.value, ofColumn: false };
  const expression = child(part, 'A_Expr');
  const operation = expression === undefined ? undefined : operationOf(expression);
  if (operation === undefined) return undefined;
  const { operator } = operation;
  const columns = [columnOf(operation.left), columnOf(operation.right)];
  if (columns[0] !== undefined && columns[1] !== undefined) {
    const isSame = columns[0].parts.join('\0') === columns[1].parts.join('\0');
    return isSame && ['=', '<>', '<', '>', '<=', '>='].includes(operator)
      ? { isTrue: operator.includes('='), ofColumn: true }
      : undefined;
  }
  const left = constantOf(operation.left);
  const right = constantOf(operation.right);
  if (left === undefined || right === undefined || !('value' in left) || !('value' in right))
    return undefined;
  const isSameKind = left.kind === right.kind;
  const a = left.kind === 'number' ? Number(left.value) : left.value;
  const b = right.kind === 'number' ? Number(right.value) : right.value;
  // The order of strings depends on the collation, which is unknown.
  const isOrdered = left.kind === 'number';
  switch (isSameKind ? operator : '') {
    case '=':
      return { isTrue: a === b, ofColumn: false };
    case '<>':
      return { isTrue: a !== b, ofColumn: false };
    case '<':
      return isOrdered ? { isTrue: a < b, ofColumn: false } : undefined;
    case '>':
      return isOrdered ? { isTrue: a > b, ofColumn: false } : undefined;
    default:
      return undefined;
  }
}

export function aggregateInWhere(select: Select, report: Report): void {
  const relations = relationsOf(select);
  for (const call of aggregatesIn([select.node.whereClause])) {
    // In a subquery, an aggregate over outer columns belongs to the outer query, where it may be allowed.
    const columns = columnsIn(call, true);
    const isOwn =
      !select.seesOuter ||
      call.agg_star === true ||
      (columns.length > 0 && columns.every((column) => ownerOf(column, relations) !== undefined));
    const name = functionName(call);
    if (isOwn && name !== '' && isAggregate(call)) {
      report.problem({
        code: 'AGGREGATE_IN_WHERE',
        message: t(
          '"{0}" cannot be in WHERE, which chooses rows before they are grouped. Put the condition in HAVING.',
          name,
        ),
        run: nameRun(report, Number(call.location ?? 0), list(call.funcname).length),
      });
    }
  }
}

/** Reports tables that no condition connects to the others, joined by a comma or by JOIN with a trivial condition. */
export function disconnectedTables(select: Select, report: Report): void {
  const { node } = select;
  const relations = relationsOf(select);
  const mentioned = columnsIn(conditionsOf(node), true);
  // An unqualified column could belong to any table.
  if (relations.length < 2 || mentioned.some(({ parts }) => parts.length < 2)) return;
  const isMentioned = ({ alias }: Relation): boolean => mentioned.some(({ parts }) => parts.at(-2) === alias);
  for (const relation of relations) {
    const { table, alias, join, isAfterComma, location } = relation;
    if (table === undefined || location < 0 || isMentioned(relation)) continue;
    const parts = table.schema === undefined ? 1 : 2;
    const run = nameRun(report, location, parts);
    if (isAfterComma && !hasLateral(node)) {
      report.problem({
        code: 'IMPLICIT_CROSS_JOIN',
        message: t(
          'No condition connects "{0}" to the tables before it: each of its rows is combined with each of theirs. Add a condition, or write CROSS JOIN.',
          alias,
        ),
        run,
      });
    } else if (join !== undefined && 'quals' in join && !isDeliberate(join)) {
      // ON true is probably intentional.
      const isWritten = valueOf(join.quals)?.isTrue === true;
      report.problem({
        code: 'JOIN_WITHOUT_CONDITION',
        ...(isWritten ? { severity: 'information' } : {}),
        message: t(
          'The condition does not mention "{0}": each of its rows is combined with each row before it. Compare its columns, or write CROSS JOIN.',
          alias,
        ),
        run,
      });
    }
  }
}

/** A full outer cross join can only be written with a constant condition. */
function isDeliberate(join: Node): boolean {
  return join.jointype !== 'JOIN_INNER' && valueOf(join.quals) !== undefined;
}

/** Returns whether any FROM item may use columns of an earlier one. */
function hasLateral(node: Node): boolean {
  let isFound = false;
  walk(node.fromClause, (name, inner) => {
    isFound ||=
      name === 'RangeFunction' || inner.lateral === true || name === 'RangeTableFunc' || name === 'JsonTable';
    return name !== 'SelectStmt';
  });
  return isFound;
}
