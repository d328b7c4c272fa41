/** Types SQL's JSON functions, which have their own nodes in the grammar. */
import { t } from '#base/texts.ts';
import { child, isNode, list, number, text, type Node } from '#server/language/tree/parse-tree.ts';
import type { CallContext } from '../resolution/calls.ts';
import { wantBoolean, type Operand } from '../resolution/conversions.ts';
import { typed, type Session, type Typed } from '../typing.ts';
import { checkBehaviors, checkContext, checkPath } from './json-clauses.ts';
import { writtenType } from './written-types.ts';

const defaults: Readonly<Record<string, string>> = {
  JsonObjectConstructor: 'json',
  JsonArrayConstructor: 'json',
  JsonArrayQueryConstructor: 'json',
  JsonObjectAgg: 'json',
  JsonArrayAgg: 'json',
  JsonParseExpr: 'json',
  JsonScalarExpr: 'json',
  JsonSerializeExpr: 'text',
  JsonIsPredicate: 'bool',
  JsonFuncExpr: 'jsonb',
};

/** Returns undefined for any other expression. */
export function jsonType(context: CallContext, kind: string, node: Node): Typed | undefined {
  const { session, level } = context;
  const usual = defaults[kind];
  if (usual === undefined) return undefined;
  const isAggregate = kind === 'JsonObjectAgg' || kind === 'JsonArrayAgg';
  const own = child(node, 'constructor');
  if (own?.over !== undefined) {
    if ('agg_order' in own)
      session.report({
        code: 'AGGREGATE_MISUSE',
        message: `aggregate ORDER BY is not implemented for window functions. ${t('Compute it in a subquery.')}`,
        at: { [kind]: node },
        location: number(own.location),
      });
    const over = child(own, 'over');
    if (over !== undefined) context.window(over);
  }
  if (own?.agg_filter !== undefined) {
    const filter = context.inClause('FILTER', () => context.operand(own.agg_filter));
    wantBoolean(session, filter, 'FILTER');
  }
  if (isAggregate) {
    level.hasAggregates ||= own?.over === undefined;
    level.isUncertain = true;
    if (session.aggregate !== undefined) session.aggregate.isUncertain = true;
  }
  const operands = valuesIn(node).map((value) => context.operand(value));
  const parts = operands.map((operand) => operand.typed);
  const output = child(node, 'output') ?? child(child(node, 'constructor'), 'output');
  const returning = output === undefined ? undefined : child(output, 'typeName');
  if (kind === 'JsonFuncExpr') {
    checkContext(session, operands[0]);
    checkPath(session, context.operand(node.pathspec));
    checkBehaviors(context, node, returning);
  } else if (kind === 'JsonIsPredicate' || kind === 'JsonParseExpr') {
    checkText(session, kind, operands[0]);
  }
  if (returning !== undefined && strings(returning)) {
    const { type } = writtenType(session, returning);
    checkReturning(session, kind, type, returning);
    return typed(type, ...parts);
  }
  if (kind === 'JsonFuncExpr') {
    const byOperation: Readonly<Record<string, string>> = {
      JSON_EXISTS_OP: 'bool',
      JSON_VALUE_OP: 'text',
      JSON_QUERY_OP: 'jsonb',
    };
    return typed(byOperation[text(node.op)], ...parts);
  }
  const types = parts.map(({ type }) => type);
  const takesJsonb = usual === 'json' && /Object|ArrayC|ArrayA/.test(kind);
  return typed(
    takesJsonb && types.includes('jsonb')
      ? 'jsonb'
      : takesJsonb && types.includes(undefined)
        ? undefined
        : usual,
    ...parts,
  );
}

/** JSON that is constructed becomes text, or what PostgreSQL casts it to. */
function checkReturning(session: Session, kind: string, type: string | undefined, at: Node): void {
  const { coercion, catalogue } = session;
  if (type === undefined || catalogue.type(type)?.kind !== 'b' || type === 'bytea') return;
  const isText = coercion.category(type) === 'S';
  const shown = coercion.shown(type);
  const message =
    kind === 'JsonSerializeExpr'
      ? isText
        ? undefined
        : `cannot use type ${shown} in RETURNING clause of JSON_SERIALIZE(). ${t('Write {0}.', 'text')}`
      : /Constructor$|Agg$/.test(kind) && !isText && !coercion.can('json', type, 'explicit')
        ? `cannot cast type json to ${shown}. ${t('Write {0}.', 'text')}`
        : undefined;
  if (message !== undefined)
    session.report({ code: 'TYPE_MISMATCH', message, at: undefined, location: number(at.location) });
}

/** JSON is read from text. */
function checkText(session: Session, kind: string, operand: Operand | undefined): void {
  const { coercion } = session;
  const type = operand?.typed.type;
  if (type === undefined || type === 'unknown' || coercion.category(type) === 'S') return;
  if (/^(?:jsonb?|bytea|record)$/.test(type) || session.catalogue.type(type)?.kind !== 'b') return;
  const shown = coercion.shown(type);
  session.report({
    code: 'TYPE_MISMATCH',
    message:
      kind === 'JsonIsPredicate'
        ? `cannot use type ${shown} in IS JSON predicate.`
        : `cannot cast type ${shown} to json. ${t('Write {0}.', 'to_json(...)')}`,
    at: operand?.node,
  });
}

const strings = (type: Node): boolean => list(type.names).length > 0;

/** Extracts the expressions from JsonValueExpr and similar nodes. */
function valuesIn(node: unknown): readonly unknown[] {
  if (Array.isArray(node)) return node.flatMap(valuesIn);
  if (!isNode(node)) return [];
  return Object.entries(node).flatMap(([key, inner]) => {
    if (key === 'raw_expr' || key === 'expr' || key === 'key' || key === 'arg') {
      const isWrapped = isNode(inner) && !Object.keys(inner).some((name) => /^[A-Z]/.test(name));
      return isWrapped ? valuesIn(inner) : [inner];
    }
    return [
      'value',
      'exprs',
      'JsonKeyValue',
      'JsonValueExpr',
      'context_item',
      'constructor',
      'func',
    ].includes(key)
      ? valuesIn(inner)
      : [];
  });
}
