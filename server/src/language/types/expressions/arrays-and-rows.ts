/** Types array and row constructors, and access to their elements. */
import { t } from '#base/texts.ts';
import { systemColumns } from '#server/language/text/identifiers.ts';
import { child, list, number, text, type Node } from '#server/language/tree/parse-tree.ts';
import type { TypeName } from '../catalogue/catalogue.ts';
import { give, unify, type Operand } from '../resolution/conversions.ts';
import { originsOf, typed, unknown, type Typed } from '../typing.ts';
import type { ExpressionContext } from './expression-context.ts';

/** @param wanted the element type, if a cast determines it */
export function arrayType(context: ExpressionContext, node: Node, wanted: TypeName | undefined): Typed {
  const session = context.session;
  const operands = list(node.elements).map((element): Operand => {
    const inner = child(element, 'A_ArrayExpr');
    return inner === undefined
      ? context.operand(element)
      : { node: element, typed: arrayType(context, inner, wanted) };
  });
  const parts = operands.map((operand) => operand.typed);
  checkLengths(context, node);
  if (wanted !== undefined) {
    for (const operand of operands) {
      if (child(operand.node, 'A_ArrayExpr') === undefined) give(session, operand, wanted);
    }
    return { ...typed(session.coercion.array(wanted), ...parts), nullable: false };
  }
  if (operands.length === 0) {
    session.report({
      code: 'TYPE_MISMATCH',
      message: `cannot determine type of empty array. ${t('Cast it: {0}.', 'ARRAY[]::integer[]')}`,
      at: { A_ArrayExpr: node },
      location: number(node.location),
    });
    return unknown;
  }
  const common = unify(session, operands, 'ARRAY');
  const isNested = common.type !== undefined && session.coercion.element(common.type) !== undefined;
  const type = common.type === undefined || isNested ? common.type : session.coercion.array(common.type);
  return { type, origins: common.origins, nullable: false };
}

/** The arrays in an array have equal lengths. */
function checkLengths({ session }: ExpressionContext, node: Node): void {
  const inner = list(node.elements).map((element) => child(element, 'A_ArrayExpr'));
  const lengths = inner.flatMap((own) => (own === undefined ? [] : [list(own.elements).length]));
  if (lengths.length < inner.length || new Set(lengths).size < 2) return;
  session.report({
    code: 'TYPE_MISMATCH',
    message: 'multidimensional arrays must have array expressions with matching dimensions.',
    at: { A_ArrayExpr: node },
    location: number(node.location),
  });
}

export function rowType(context: ExpressionContext, node: Node): Typed {
  const fields = list(node.args).map((arg, index) => ({ ...context.type(arg), name: `f${index + 1}` }));
  const hasStar = list(node.args).some((arg) => hasColumnStar(arg));
  return { type: 'record', origins: originsOf(fields), ...(hasStar ? {} : { fields }), nullable: false };
}

export function indirectionType(context: ExpressionContext, node: Node, whole: Node): Typed {
  const value = context.type(node.arg);
  let at: Typed = value;
  const steps = list(node.indirection);
  for (let index = 0; index < steps.length; index++) {
    const field = child(steps[index], 'String');
    if (field !== undefined) {
      const found = at.fields?.find(({ name }) => name === text(field.sval));
      if (found === undefined) missingField(context, at, text(field.sval), whole);
      at = found ?? { ...unknown, origins: at.origins };
      continue;
    }
    if (child(steps[index], 'A_Indices') === undefined) return { ...unknown, origins: at.origins };
    let isSlice = false;
    for (; index < steps.length; index++) {
      const own = child(steps[index], 'A_Indices');
      if (own === undefined) break;
      isSlice ||= own.is_slice === true;
      checkSubscript(context, at, own);
      if (at.type === 'jsonb' && own.is_slice === true)
        context.session.report({
          code: 'TYPE_MISMATCH',
          message: `jsonb subscript does not support slices. ${t('Write {0}.', 'jsonb_path_query_array(...)')}`,
          at: whole,
        });
    }
    index--;
    at = subscriptedType(context, at, isSlice, whole);
  }
  return at;
}

/** Reports `(row).name` if there is no such field. The name may also be a function of the value. */
function missingField(
  { session }: ExpressionContext,
  { type, fields }: Typed,
  name: string,
  whole: Node,
): void {
  const isScalar = type !== undefined && type !== 'unknown' && session.catalogue.type(type)?.kind === 'b';
  if ((fields === undefined && !isScalar) || systemColumns.has(name)) return;
  if (session.catalogue.functions(name).length > 0 || session.catalogue.type(name) !== undefined) return;
  session.report({
    code: 'TYPE_MISMATCH',
    message:
      fields === undefined
        ? `column notation .${name} applied to type ${session.coercion.shown(type ?? '')}, which is not a composite type.`
        : `could not identify column "${name}" in record data type.`,
    at: whole,
  });
}

function checkSubscript(context: ExpressionContext, { type }: Typed, indices: Node): void {
  for (const bound of [indices.lidx, indices.uidx]) {
    if (bound !== undefined) {
      const operand = context.operand(bound);
      const given = operand.typed.type;
      if (type !== undefined && context.session.coercion.element(type) !== undefined) {
        give(context.session, operand, 'int4');
        if (given !== undefined && !context.session.coercion.can(given, 'int4', 'assignment')) {
          context.session.report({
            code: 'TYPE_MISMATCH',
            message: 'array subscript must have type integer.',
            at: bound,
          });
        }
      } else if (type === 'jsonb' && given !== undefined && given !== 'unknown') {
        const { coercion } = context.session;
        if (!coercion.can(given, 'int4') && !coercion.can(given, 'text'))
          context.session.report({
            code: 'TYPE_MISMATCH',
            message: `subscript type ${coercion.shown(given)} is not supported. ${t('Cast it to {0}.', coercion.category(given) === 'N' ? 'integer' : 'text')}`,
            at: bound,
          });
      }
    }
  }
}

function subscriptedType(context: ExpressionContext, value: Typed, isSlice: boolean, whole: Node): Typed {
  const session = context.session;
  const { type, origins } = value;
  const element = type === undefined ? undefined : session.coercion.element(type);
  if (type === undefined || type === 'unknown') return { type: undefined, origins };
  if (element !== undefined) {
    const plain = type === 'int2vector' ? '_int2' : type === 'oidvector' ? '_oid' : type;
    return { type: isSlice ? plain : element, origins };
  }
  if (type === 'jsonb' || subscripted.has(type))
    return { type: type === 'jsonb' ? 'jsonb' : undefined, origins };
  session.report({
    code: 'TYPE_MISMATCH',
    message: `cannot subscript type ${session.coercion.shown(type)} because it does not support subscripting.${type === 'json' ? ` ${t('Write {0}.', "value -> 'key'")}` : ''}`,
    at: whole,
  });
  return { type: undefined, origins };
}

/** Fixed-length types that support subscripts. */
const subscripted = new Set(['point', 'box', 'lseg', 'line', 'name']);

/** Returns whether the node is `t.*` or `(row).*` instead of a single value. */
export function hasColumnStar(node: unknown): boolean {
  const fields = list(child(node, 'ColumnRef')?.fields);
  const steps = list(child(node, 'A_Indirection')?.indirection);
  return [...fields, ...steps].some((part) => child(part, 'A_Star') !== undefined);
}
