/** Types operators: chains, rows, BETWEEN, IN, LIKE, ANY and other operators written as words. */
import { t } from '#base/texts.ts';
import { child, isNode, list, number, strings, text, type Node } from '#server/language/tree/parse-tree.ts';
import type { TypeName } from '../catalogue/catalogue.ts';
import { give, type Operand } from '../resolution/conversions.ts';
import { operationType } from '../resolution/operators.ts';
import { originsOf, typed, unknown, type Typed } from '../typing.ts';
import type { ExpressionContext } from './expression-context.ts';
import { rowAndQueryType } from './subqueries.ts';

/** Returns whether the node is a plain binary or prefix operator, which can be a link in a chain. */
export const isPlainOperation = (node: Node): boolean => node.kind === 'AEXPR_OP';

/** Types a chain such as `a || b || c ...`. Not recursive, since 100 KB of text can contain thousands of links. */
export function chainType(context: ExpressionContext, whole: Node): Typed {
  const session = context.session;
  const chain: Node[] = [];
  let at: unknown = whole;
  for (;;) {
    const body = child(at, 'A_Expr');
    if (body === undefined || !isPlainOperation(body)) break;
    chain.push(body);
    at = body.lexpr;
  }
  let left: Operand | undefined = at === undefined ? undefined : context.operand(at);
  for (const body of chain.toReversed()) {
    const node = body === chain[0] ? whole : { A_Expr: body };
    const result = plainType(context, body, left, node);
    if (node !== whole) session.note(node, result);
    left = { node, typed: result };
  }
  return left?.typed ?? unknown;
}

function plainType(context: ExpressionContext, node: Node, left: Operand | undefined, whole: Node): Typed {
  const session = context.session;
  const subquery = child(node.rexpr, 'SubLink');
  if (isRow(left?.node) && subquery?.subLinkType === 'EXPR_SUBLINK')
    return rowAndQueryType(context, node, left, subquery);
  if (isRow(left?.node) && isRow(node.rexpr)) return rowsType(context, node, left?.node, whole);
  const right = context.operand(node.rexpr);
  const [operator = '', ...others] = names(node).filter((name, index) => index > 0 || name !== 'pg_catalog');
  if (others.length > 0) return typed(undefined, ...(left === undefined ? [] : [left.typed]), right.typed);
  return operationType(session, {
    operator,
    left,
    right,
    node: whole,
    location: number(node.location),
  });
}

export function operatorType(context: ExpressionContext, node: Node, whole: Node): Typed {
  const session = context.session;
  const operator = names(node)[0] ?? '';
  const location = number(node.location);
  const compare = (left: Operand, right: Operand): Typed =>
    operationType(session, { operator, left, right, node: whole, location });
  switch (node.kind) {
    case 'AEXPR_OP_ANY':
    case 'AEXPR_OP_ALL':
      return withArrayType(context, node, whole);
    case 'AEXPR_DISTINCT':
    case 'AEXPR_NOT_DISTINCT':
      if (isRow(node.lexpr) && isRow(node.rexpr)) {
        return rowsType(context, node, node.lexpr, whole);
      } else {
        const [one, two] = [context.operand(node.lexpr), context.operand(node.rexpr)];
        const found = operationType(session, {
          operator: '=',
          left: one,
          right: two,
          node: whole,
          location,
        });
        return { type: 'bool', origins: found.origins, nullable: false };
      }
    case 'AEXPR_NULLIF': {
      const [one, two] = [context.operand(node.lexpr), context.operand(node.rexpr)];
      const found = operationType(session, { operator: '=', left: one, right: two, node: whole, location });
      const type =
        one.typed.type === 'unknown'
          ? two.typed.type === 'unknown'
            ? 'text'
            : two.typed.type
          : one.typed.type;
      return {
        type: found.type === undefined && type === 'unknown' ? undefined : type,
        origins: one.typed.origins,
      };
    }
    case 'AEXPR_IN':
      return inType(context, node, whole);
    case 'AEXPR_BETWEEN':
    case 'AEXPR_NOT_BETWEEN':
    case 'AEXPR_BETWEEN_SYM':
    case 'AEXPR_NOT_BETWEEN_SYM':
      return betweenType(context, node);
    case 'AEXPR_LIKE':
    case 'AEXPR_ILIKE':
    case 'AEXPR_SIMILAR':
      return compare(context.operand(node.lexpr), context.operand(node.rexpr));
    default:
      return context.unread();
  }
}

/** Handles `(a, b) = (c, d)`. */
function rowsType(context: ExpressionContext, node: Node, left: unknown, whole: Node): Typed {
  const [ones, others] = [list(child(left, 'RowExpr')?.args), list(child(node.rexpr, 'RowExpr')?.args)];
  if (ones.length !== others.length) {
    context.type(node.rexpr);
    context.session.report({
      code: 'TYPE_MISMATCH',
      message: `unequal number of entries in row expressions: ${ones.length} and ${others.length}.`,
      at: whole,
      location: number(node.location),
    });
    return typed('bool');
  }
  if (ones.length === 0 && !text(node.kind).endsWith('DISTINCT')) {
    context.session.report({
      code: 'TYPE_MISMATCH',
      message: 'cannot compare rows of zero length.',
      at: whole,
      location: number(node.location),
    });
  }
  const parts = ones.map((one, index) =>
    operationType(context.session, {
      operator: names(node)[0] ?? '',
      left: context.operand(one),
      right: context.operand(others[index]),
      node: whole,
      location: number(node.location),
    }),
  );
  return { type: 'bool', origins: originsOf(parts) };
}

function betweenType(context: ExpressionContext, node: Node): Typed {
  const value = context.operand(node.lexpr);
  const bounds = context.operands(child(node.rexpr, 'List')?.items);
  const isNot = text(node.kind).includes('NOT');
  const parts = bounds.map((bound, index) =>
    operationType(context.session, {
      operator: (index === 0) === isNot ? (isNot ? '<' : '<=') : isNot ? '>' : '>=',
      left: value,
      right: bound,
      node: { A_Expr: { lexpr: node.lexpr, rexpr: bound.node, location: node.location } },
      location: number(node.location),
    }),
  );
  return { type: 'bool', origins: originsOf(parts) };
}

function inType(context: ExpressionContext, node: Node, whole: Node): Typed {
  const session = context.session;
  const items = list(child(node.rexpr, 'List')?.items ?? node.rexpr);
  if (isRow(node.lexpr)) {
    for (const item of items) {
      if (isRow(item)) rowsType(context, { ...node, rexpr: item }, node.lexpr, whole);
      else context.type(item);
    }
    return { type: 'bool', origins: [] };
  }
  const value = context.operand(node.lexpr);
  const operands = items.map((item) => context.operand(item));
  const result: Typed = {
    type: 'bool',
    origins: originsOf([value, ...operands].map((operand) => operand.typed)),
  };
  const { columns = [], constants = [] } = Object.groupBy(operands, ({ node: item }) =>
    hasColumn(item) ? 'columns' : 'constants',
  );
  const types = [value, ...constants].map(({ typed: { type } }) => type);
  const common = types.includes(undefined) ? undefined : session.coercion.common(types as TypeName[]);
  const isArray = constants.length > 1 && typeof common === 'string' && common !== 'record';
  const compare = (right: Operand): void => {
    operationType(session, {
      operator: names(node)[0] ?? '=',
      left: value,
      right,
      node: { A_Expr: { lexpr: node.lexpr, rexpr: right.node, location: node.location } },
      location: number(node.location),
    });
  };
  if (isArray) {
    constants.forEach((operand) => give(session, operand, common));
    compare({ node: constants[0]?.node, typed: { type: common, origins: [] } });
  }
  for (const operand of isArray ? columns : operands) compare(operand);
  return result;
}

/** Handles `x = ANY (array)`. */
function withArrayType(context: ExpressionContext, node: Node, whole: Node): Typed {
  const session = context.session;
  const { coercion } = session;
  const value = context.operand(node.lexpr);
  const array = context.operand(node.rexpr);
  const type = array.typed.type;
  const origins = originsOf([value.typed, array.typed]);
  const result: Typed = { type: 'bool', origins };
  if (type === undefined) {
    const [given, place] = [value.typed.type, array.typed.placeholder];
    const wanted = given === undefined || given === 'unknown' ? undefined : coercion.array(given);
    if (place !== undefined && wanted !== undefined) session.used(place, wanted);
    return result;
  }
  const isLiteral = type === 'unknown';
  const element = isLiteral ? 'unknown' : coercion.element(type);
  if (element === undefined) {
    session.report({
      code: 'TYPE_MISMATCH',
      message: `op ANY/ALL (array) requires array on right side. ${t('For values in a list write IN (...).')}`,
      at: whole,
      location: number(node.location),
    });
    return result;
  }
  const given = value.typed.type;
  operationType(session, {
    operator: names(node)[0] ?? '',
    left: value,
    right: { node: undefined, typed: { type: element, origins: [] } },
    node: whole,
    location: number(node.location),
  });
  if (isLiteral && given !== undefined && given !== 'unknown') give(session, array, coercion.array(given));
  return result;
}

const isRow = (node: unknown): boolean => child(node, 'RowExpr') !== undefined;

const names = (node: Node): readonly string[] => strings(node.name);

function hasColumn(value: unknown): boolean {
  if (Array.isArray(value)) return value.some(hasColumn);
  if (!isNode(value)) return false;
  for (const key in value) {
    if (key === 'ColumnRef') return true;
    if (hasColumn(value[key])) return true;
  }
  return false;
}
