/** Types SQL's JSON functions, which have their own nodes in the grammar. */
import { t } from '#base/texts.ts';
import { child, isNode, list, text, type Node } from '#server/language/tree/parse-tree.ts';
import type { CallContext } from '../resolution/calls.ts';
import type { Operand } from '../resolution/conversions.ts';
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
  if (usual === undefined) {
    return undefined;
  }
  const isAggregate = kind === 'JsonObjectAgg' || kind === 'JsonArrayAgg';
  if (isAggregate) {
    level.hasAggregates = true;
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
    return typed(writtenType(session, returning).type, ...parts);
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
  if (Array.isArray(node)) {
    return node.flatMap(valuesIn);
  }
  if (!isNode(node)) {
    return [];
  }
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
