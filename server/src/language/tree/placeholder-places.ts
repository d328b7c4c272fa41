/**
 * Infers a placeholder's type from its context: a cast, a compared column, or a clause that takes a count. Reads single
 * nodes of PostgreSQL's parse tree, in which placeholders are constants.
 */
import { functionName } from './aggregates.ts';
import { child, columnOf, constantOf, list, strings, type Node } from './parse-tree.ts';
import type { PlaceholderPlace } from './query-model.ts';

/** A PlaceholderPlace with the tree's byte location instead of an offset. */
export interface ReadPlace extends Omit<PlaceholderPlace, 'start'> {
  readonly location: number;
}

const comparisons = new Set(['=', '<>', '<', '>', '<=', '>=', '@>', '<@', '&&']);
const patterns = new Set(['AEXPR_LIKE', 'AEXPR_ILIKE', 'AEXPR_SIMILAR']);
const plainKinds = new Set(['AEXPR_OP', 'AEXPR_DISTINCT', 'AEXPR_NOT_DISTINCT', 'AEXPR_NULLIF']);
const between = new Set(['AEXPR_BETWEEN', 'AEXPR_NOT_BETWEEN', 'AEXPR_BETWEEN_SYM', 'AEXPR_NOT_BETWEEN_SYM']);

/** Returns the placeholders whose types the node determines, excluding those in nested nodes. */
export function placesOf(name: string, node: Node): readonly (ReadPlace | undefined)[] {
  switch (name) {
    case 'A_Expr':
      return ofOperation(node);
    case 'TypeCast':
      return [castPlace(node)];
    case 'BoolExpr':
      return list(node.args).map((each) => place(each, { type: 'boolean' }));
    case 'FuncCall':
      return ofCall(node);
    default:
      return [];
  }
}

/** Returns a placeholder in LIMIT or OFFSET. */
export const countPlace = (expression: unknown): ReadPlace | undefined => place(expression, { type: 'int8' });

function place(
  expression: unknown,
  hint: Pick<PlaceholderPlace, 'type' | 'column' | 'isElement' | 'isArray'>,
  isList = false,
): ReadPlace | undefined {
  const constant = constantOf(expression);
  return constant?.kind === 'placeholder' ? { location: constant.location, isList, ...hint } : undefined;
}

function castPlace(cast: Node): ReadPlace | undefined {
  const type = child(cast, 'typeName');
  const isArray = type !== undefined && 'arrayBounds' in type;
  return place(cast.arg, { type: strings(type?.names).at(-1) ?? '' }, isArray);
}

function ofOperation(node: Node): readonly (ReadPlace | undefined)[] {
  const kind = node.kind;
  const operator = strings(node.name).at(-1) ?? '';
  if (typeof kind !== 'string') return [];
  if (plainKinds.has(kind) && (comparisons.has(operator) || kind !== 'AEXPR_OP'))
    return ofPair(node.lexpr, node.rexpr);
  if (patterns.has(kind)) return [place(node.rexpr, { type: 'text' })];
  if (between.has(kind)) {
    const bounds = list(child(node.rexpr, 'List')?.items ?? node.rexpr);
    return bounds.flatMap((bound) => ofPair(node.lexpr, bound));
  }
  if (kind === 'AEXPR_IN') {
    const items = list(child(node.rexpr, 'List')?.items ?? node.rexpr);
    return items.length === 1
      ? [place(bare(items[0]), hintOf(node.lexpr), true)]
      : items.flatMap((item) => (isPlainConstant(item) ? [] : ofPair(node.lexpr, item)));
  }
  if (kind === 'AEXPR_OP_ANY' || kind === 'AEXPR_OP_ALL') {
    const { column } = hintOf(node.rexpr);
    return [
      place(bare(node.rexpr), { ...hintOf(node.lexpr), isArray: true }, true),
      ...(column === undefined ? [] : [place(bare(node.lexpr), { column, isElement: true })]),
    ];
  }
  if (operator === '*' && (isInterval(node.lexpr) || isInterval(node.rexpr)))
    return [place(node.lexpr, { type: 'float8' }), place(node.rexpr, { type: 'float8' })];
  return [];
}

/** Plain constants are skipped for speed: lists with thousands of constants are common. */
function isPlainConstant(expression: unknown): boolean {
  const constant = child(expression, 'A_Const');
  return constant !== undefined && !('fval' in constant);
}

/** Handles two operands that determine each other's types; rows are compared field by field. */
function ofPair(left: unknown, right: unknown): readonly (ReadPlace | undefined)[] {
  const rows = [left, right].map((each) => list(child(each, 'RowExpr')?.args));
  const [leftFields = [], rightFields = []] = rows;
  if (leftFields.length > 0 && leftFields.length === rightFields.length)
    return leftFields.flatMap((field, index) => ofPair(field, rightFields[index]));
  return [place(bare(left), hintOf(right)), place(bare(right), hintOf(left))];
}

/** Removes an outer cast, which has already determined a type. */
function bare(expression: unknown): unknown {
  return child(expression, 'TypeCast')?.arg ?? expression;
}

const textFunctions = new Set(
  'lower upper btrim ltrim rtrim substring substr concat concat_ws initcap replace md5 to_char left right'.split(
    ' ',
  ),
);
const functionTypes: ReadonlyMap<string, string> = new Map([
  ['count', 'int8'],
  ['length', 'int4'],
  ['char_length', 'int4'],
  ['cardinality', 'int4'],
  ['now', 'timestamptz'],
]);

/** Returns the type information that an expression provides about the operand it is compared with. */
function hintOf(expression: unknown): Pick<PlaceholderPlace, 'type' | 'column'> {
  const column = columnOf(expression);
  if (column !== undefined) return column.parts.includes('*') ? {} : { column: column.parts };
  const cast = child(expression, 'TypeCast');
  const type = child(cast, 'typeName');
  if (type !== undefined) return 'arrayBounds' in type ? {} : { type: strings(type.names).at(-1) ?? '' };
  const call = child(expression, 'FuncCall');
  if (call !== undefined) {
    const name = functionName(call);
    const known = textFunctions.has(name) ? 'text' : functionTypes.get(name);
    // min and max return the type of their argument.
    const inner = name === 'min' || name === 'max' ? hintOf(list(call.args)[0]) : {};
    return known === undefined ? inner : { type: known };
  }
  const coalesce = child(expression, 'CoalesceExpr');
  if (coalesce !== undefined) {
    return (
      list(coalesce.args)
        .map(hintOf)
        .find((hint) => hint.column !== undefined) ?? {}
    );
  }
  const operation = child(expression, 'A_Expr');
  const operator = strings(operation?.name).at(-1) ?? '';
  if (operator === '->>' || operator === '#>>') return { type: 'text' };
  return child(expression, 'SQLValueFunction')?.op === 'SVFOP_CURRENT_DATE' ? { type: 'date' } : {};
}

function isInterval(expression: unknown): boolean {
  return strings(child(child(expression, 'TypeCast'), 'typeName')?.names).at(-1) === 'interval';
}

/** Functions whose arguments are always integers, except for seconds. */
const countFunctions = new Set(['make_interval', 'make_date']);

function ofCall(call: Node): readonly (ReadPlace | undefined)[] {
  if (!countFunctions.has(functionName(call))) return [];
  return list(call.args).map((argument) => {
    const named = child(argument, 'NamedArgExpr');
    return place(named?.arg ?? argument, { type: named?.name === 'secs' ? 'float8' : 'int4' });
  });
}
