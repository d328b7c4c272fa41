/** Types subqueries in expressions: EXISTS, IN, scalar, ARRAY, and row comparisons. */
import { child, list, number, strings, type Node } from '#server/language/tree/parse-tree.ts';
import type { Operand } from '../resolution/conversions.ts';
import { operationType } from '../resolution/operators.ts';
import { unknown, type Session, type Typed } from '../typing.ts';
import { hasColumnStar } from './arrays-and-rows.ts';
import type { ExpressionContext } from './expression-context.ts';

export function subqueryType(context: ExpressionContext, node: Node, whole: Node): Typed {
  const session = context.session;
  const columns = columnsOf(context, node);
  const [only] = columns ?? [];
  switch (node.subLinkType) {
    case 'EXISTS_SUBLINK':
      return { type: 'bool', origins: [], nullable: false };
    case 'EXPR_SUBLINK':
    case 'ARRAY_SUBLINK': {
      if (columns !== undefined && columns.length !== 1) {
        session.report({
          code: 'SUBQUERY_COLUMNS',
          message: `subquery must return only one column, and this one returns ${columns.length}.`,
          at: whole,
          location: number(node.location),
        });
        return unknown;
      }
      if (only === undefined) return unknown;
      const { type, origins, fields } = only;
      if (node.subLinkType === 'EXPR_SUBLINK')
        return { type, origins, ...(fields === undefined ? {} : { fields }) };
      const isArray = type !== undefined && session.coercion.element(type) !== undefined;
      return {
        type: type === undefined || isArray ? type : session.coercion.array(type),
        origins,
        nullable: false,
      };
    }
    case 'ANY_SUBLINK':
    case 'ALL_SUBLINK': {
      const row = child(node.testexpr, 'RowExpr');
      const tests = row === undefined ? [node.testexpr] : list(row.args);
      compareWithColumns(context, tests, columns, {
        node,
        subquery: node,
        operator: strings(node.operName)[0] ?? '=',
      });
      return { type: 'bool', origins: [] };
    }
    default:
      context.doubt();
      return unknown;
  }
}

export function rowAndQueryType(
  context: ExpressionContext,
  node: Node,
  left: Operand | undefined,
  subquery: Node,
): Typed {
  const columns = columnsOf(context, subquery);
  compareWithColumns(context, list(child(left?.node, 'RowExpr')?.args), columns, {
    node,
    subquery,
    operator: strings(node.name)[0] ?? '',
  });
  return { type: 'bool', origins: [] };
}

function compareWithColumns(
  context: ExpressionContext,
  tests: readonly unknown[],
  columns: ReturnType<Session['query']>,
  { node, subquery, operator }: { readonly node: Node; readonly subquery: Node; readonly operator: string },
): void {
  const session = context.session;
  const operands = tests.map((test) => context.operand(test));
  if (columns === undefined || tests.some(hasColumnStar)) return;
  if (columns.length !== operands.length) {
    const many = columns.length > operands.length ? 'many' : 'few';
    session.report({
      code: 'SUBQUERY_COLUMNS',
      message: `subquery has too ${many} columns: ${columns.length}, compared with ${operands.length}.`,
      at: { SubLink: subquery },
      location: number(subquery.location),
    });
    return;
  }
  for (const [index, left] of operands.entries()) {
    const right = { node: undefined, typed: columns[index] ?? unknown };
    operationType(session, {
      operator,
      left,
      right,
      node: { SubLink: node },
      location: number(node.location),
    });
  }
}

function columnsOf(context: ExpressionContext, subquery: Node) {
  const select = child(child(subquery, 'subselect'), 'SelectStmt');
  return select === undefined
    ? undefined
    : context.session.query(select, context.level, context.level.tables);
}
