/** Types CAST and COLLATE. */
import { t } from '#base/texts.ts';
import { child, constantOf, list, number, strings, type Node } from '#server/language/tree/parse-tree.ts';
import type { TypeName } from '../catalogue/catalogue.ts';
import { replacementOfType } from '../catalogue/foreign-names.ts';
import { checkLiteral } from '../literals/literal.ts';
import { overflowsPrecision } from '../literals/numbers.ts';
import { give } from '../resolution/conversions.ts';
import { reportValue, typed, type Session, type Typed } from '../typing.ts';
import { arrayType } from './arrays-and-rows.ts';
import type { ExpressionContext } from './expression-context.ts';
import { modifierOf, writtenType } from './written-types.ts';

export function castType(context: ExpressionContext, node: Node): Typed {
  const session = context.session;
  const { type, name } = writtenType(session, child(node, 'typeName'));
  const array = child(node.arg, 'A_ArrayExpr');
  const isArrayType = type !== undefined && session.coercion.element(type) !== undefined;
  const value =
    array !== undefined && isArrayType
      ? arrayType(context, array, session.coercion.element(type))
      : array !== undefined && type === undefined
        ? // If the target type is unknown, so are the types of the elements.
          typed(undefined, ...elementsOf(array).map((element) => context.type(element)))
        : context.type(node.arg);
  const operand = { node: node.arg, typed: value };
  const result = {
    ...typed(type, value),
    ...(value.nullable === undefined ? {} : { nullable: value.nullable }),
    ...(type === 'record' && value.fields !== undefined ? { fields: value.fields } : {}),
  };
  if (type === undefined) {
    const instead = name === undefined || session.isModelType(name) ? undefined : replacementOfType(name);
    if (name !== undefined && instead !== undefined) {
      session.report({
        code: 'FOREIGN_TYPE',
        message: t('type "{0}" does not exist in PostgreSQL. Write {1}.', name, instead),
        at: undefined,
        location: number(child(node, 'typeName')?.location),
      });
    }
    return name === undefined || instead !== undefined
      ? result
      : { ...result, modelType: `${name}${dimension(node)}` };
  }
  give(session, operand, type);
  checkSize(session, node.arg, value.type, type);
  if (type === 'numeric') checkPrecision(session, node);
  if (value.type !== undefined && !session.coercion.can(value.type, type, 'explicit')) {
    const [from, to] = [session.coercion.shown(value.type), session.coercion.shown(type)];
    session.report({
      code: 'TYPE_MISMATCH',
      message: `cannot cast type ${from} to ${to}. ${castRemedy(value.type, type)}`,
      at: node.arg,
    });
  }
  return result;
}

/** Reports a number that an integer type cannot hold. */
function checkSize(session: Session, node: unknown, from: TypeName | undefined, type: TypeName): void {
  const constant = constantOf(node);
  if (constant?.kind !== 'number' || !/^(?:int[248]|float[48])$/.test(type) || from === undefined) return;
  const whole = type.startsWith('f') || /^-?\d+$/.test(constant.value) ? constant.value : undefined;
  const problem = whole === undefined ? undefined : checkLiteral(session.catalogue, type, whole);
  if (problem === undefined) return;
  reportValue(session, node, `${session.coercion.shown(type)} out of range.`);
}

/** Reports a number that has more digits than its type, such as 1000 as `numeric(5, 2)`. */
function checkPrecision(session: Session, node: Node): void {
  const constant = constantOf(node.arg);
  const [precision, scale = 0] = list(child(node, 'typeName')?.typmods).map(modifierOf);
  const isChecked = (constant?.kind === 'number' || constant?.kind === 'string') && precision !== undefined;
  if (!isChecked || checkLiteral(session.catalogue, 'numeric', constant.value) !== undefined) return;
  if (overflowsPrecision(constant.value, precision, scale))
    reportValue(session, node.arg, 'numeric field overflow.');
}

export function collateType(context: ExpressionContext, node: Node, whole: Node): Typed {
  const session = context.session;
  const value = context.type(node.arg);
  session.collations++;
  const { type } = value;
  const element = type === undefined ? undefined : (session.coercion.element(type) ?? type);
  if (element !== undefined && element !== 'unknown' && session.coercion.category(element) !== 'S') {
    const fact = session.catalogue.type(element);
    if (fact?.kind === 'b' && element !== 'citext') {
      session.report({
        code: 'TYPE_MISMATCH',
        message: `collations are not supported by type ${session.coercion.shown(type ?? '')}. ${t('Leave {0} out.', 'COLLATE')}`,
        at: whole,
      });
    }
  }
  const names = strings(node.collname);
  const name = names.at(-1) ?? '';
  if (!session.catalogue.isCollation(name) && !localeName.test(name)) {
    session.report({
      code: 'INVALID_CLAUSE',
      message: t(
        'PostgreSQL has no collation "{0}". Write {1}, unless the database has it.',
        names.join('.'),
        '"C"',
      ),
      at: undefined,
      location: number(node.location),
      isLikely: true,
    });
  }
  return value;
}

/** Which locales a server has depends on its system. */
const localeName = /^[a-z]{2,3}(?:$|[-_.])/i;

const dimension = (cast: Node): string => (list(child(cast, 'typeName')?.arrayBounds).length > 0 ? '[]' : '');

function castRemedy(from: TypeName, to: TypeName): string {
  if (to === 'bool') return t('Compare it: {0}.', '... <> 0');
  if (from === 'bool') return t('Cast it to {0} first.', 'integer');
  if (/^timestamp|^date/.test(from) && /^(int|float|numeric)/.test(to))
    return t('Write {0}.', t('{0} for seconds', 'extract(EPOCH FROM ...)'));
  if (/^timestamp|^date/.test(to) && /^(int|float|numeric)/.test(from))
    return t('Write {0}.', 'to_timestamp(seconds)');
  return t('Cast it to {0} first, if its text is valid for that type.', 'text');
}

/** Returns the elements, including those of nested arrays. */
function elementsOf(array: Node): readonly unknown[] {
  return list(array.elements).flatMap((element) => {
    const inner = child(element, 'A_ArrayExpr');
    return inner === undefined ? [element] : elementsOf(inner);
  });
}
