/** Checks the clauses of JSON_VALUE, JSON_QUERY, JSON_EXISTS and JSON_TABLE (parse_expr.c, parse_jsontable.c). */
import { t } from '#base/texts.ts';
import { child, constantOf, list, text, walk, type Node } from '#server/language/tree/parse-tree.ts';
import { readTypeName } from '../catalogue/type-names.ts';
import type { CallContext } from '../resolution/calls.ts';
import { give, type Operand } from '../resolution/conversions.ts';
import type { Session } from '../typing.ts';

export function checkContext(session: Session, operand: Operand | undefined): void {
  const { coercion, catalogue } = session;
  const type = operand?.typed.type;
  if (operand === undefined || type === undefined) return;
  give(session, operand, 'jsonb');
  if (type === 'unknown' || type === 'bytea' || catalogue.type(type)?.kind !== 'b') return;
  if (coercion.category(type) === 'S' || coercion.can(type, 'jsonb', 'explicit')) return;
  session.report({
    code: 'TYPE_MISMATCH',
    message: `cannot cast type ${coercion.shown(type)} to jsonb. ${t('Write {0}.', 'to_jsonb(...)')}`,
    at: operand.node,
  });
}

export function checkPath(session: Session, operand: Operand): void {
  const { coercion } = session;
  const { type } = operand.typed;
  give(session, operand, 'jsonpath');
  if (type === undefined || type === 'unknown' || coercion.can(type, 'jsonpath', 'explicit')) return;
  session.report({
    code: 'TYPE_MISMATCH',
    message: `JSON path expression must be of type jsonpath, not of type ${coercion.shown(type)}.`,
    at: operand.node,
  });
}

const inEvery = ['ERROR', 'NULL', 'DEFAULT'];
const behaviors: Readonly<Record<string, readonly string[]>> = {
  JSON_VALUE_OP: inEvery,
  JSON_QUERY_OP: [...inEvery, 'EMPTY', 'EMPTY_ARRAY', 'EMPTY_OBJECT'],
  JSON_EXISTS_OP: ['ERROR', 'TRUE', 'FALSE', 'UNKNOWN'],
};

/** Checks ON EMPTY, ON ERROR, WRAPPER and QUOTES. */
export function checkBehaviors(context: CallContext, node: Node, returning: Node | undefined): void {
  const { session } = context;
  const say = (message: string, at: unknown): void =>
    session.report({ code: 'INVALID_CLAUSE', message: `${message}.`, at });
  for (const [key, words] of [
    ['on_empty', 'ON EMPTY'],
    ['on_error', 'ON ERROR'],
  ] as const) {
    const behavior = child(node, key);
    if (behavior === undefined) continue;
    const kind = text(behavior.btype).replace('JSON_BEHAVIOR_', '');
    const allowed = behaviors[text(node.op)];
    if (allowed?.includes(kind) === false)
      session.report({
        code: 'INVALID_CLAUSE',
        message: `invalid ${words} behavior. ${t('Write {0}.', allowed.map((word) => word.replace('_', ' ')).join(', '))}`,
        at: { JsonFuncExpr: node },
      });
    if (kind !== 'DEFAULT') continue;
    if (isVariable(behavior.expr))
      say(
        'can only specify a constant, non-aggregate function, or operator expression for DEFAULT',
        behavior.expr,
      );
    const type = returning === undefined ? undefined : readTypeName(session.catalogue, returning).type;
    give(session, context.operand(behavior.expr), type);
  }
  const isWrapped = /^JSW_(?:UN)?CONDITIONAL$/.test(text(node.wrapper));
  if (isWrapped && /^JS_QUOTES_(?:KEEP|OMIT)$/.test(text(node.quotes)))
    say('SQL/JSON QUOTES behavior must not be specified when WITH WRAPPER is used', { JsonFuncExpr: node });
}

/** Returns whether an expression has columns or subqueries, so that it has no value before the query runs. */
function isVariable(expression: unknown): boolean {
  let isFound = false;
  walk(expression, (name) => {
    isFound ||= name === 'ColumnRef' || name === 'SubLink';
    return !isFound;
  });
  return isFound;
}

/** Checks the paths and the names of JSON_TABLE. */
export function checkJsonTable(session: Session, node: Node): void {
  const names = new Set<string>();
  const add = (name: unknown, at: unknown): void => {
    if (typeof name !== 'string') return;
    if (names.has(name))
      session.report({
        code: 'INVALID_CLAUSE',
        message: `duplicate JSON_TABLE column or path name: ${name}.`,
        at,
      });
    names.add(name);
  };
  const path = (own: Node): void => {
    const spec = child(own, 'pathspec');
    const value = constantOf(spec?.string);
    if (value?.kind === 'string')
      give(
        session,
        { node: spec?.string, typed: { type: 'unknown', text: value.value, origins: [] } },
        'jsonpath',
      );
    add(spec?.name, { JsonTable: own });
  };
  const read = (own: Node): void => {
    path(own);
    for (const entry of list(own.columns)) {
      const column = child(entry, 'JsonTableColumn') ?? {};
      if (column.coltype === 'JTC_NESTED') read(column);
      else {
        path(column);
        add(column.name, { JsonTableColumn: column });
      }
    }
  };
  read(node);
}
