/** Types SQL's JSON functions, which have their own nodes in the grammar. */
import { child, isNode, list, text, type Node } from '#server/language/tree/parse-tree.ts';
import { readTypeName } from '../catalogue/type-names.ts';
import type { CallContext } from '../resolution/calls.ts';
import { typed, type Typed } from '../typing.ts';

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
  const parts = valuesIn(node).map((value) => context.operand(value).typed);
  const output = child(node, 'output') ?? child(child(node, 'constructor'), 'output');
  const returning = output === undefined ? undefined : child(output, 'typeName');
  if (returning !== undefined && strings(returning)) {
    return typed(readTypeName(session.catalogue, returning).type, ...parts);
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
