/** Converts values to an expected type: literals adopt it, and other values must be convertible. */
import { t } from '#base/texts.ts';
import { isNode, walk, type Node } from '#server/language/tree/parse-tree.ts';
import type { TypeName } from '../catalogue/catalogue.ts';
import { checkLiteral, sentencesOf } from '../literals/literal.ts';
import { unknown, typed, type Level, type Session, type Typed } from '../typing.ts';

/** A node of the tree and its type. */
export interface Operand {
  readonly node: unknown;
  readonly typed: Typed;
}

/** Types a placeholder or literal, and checks the literal's text. Leaves other operands unchanged. */
export function give(session: Session, { node, typed: value }: Operand, type: TypeName | undefined): void {
  if (type === undefined || type === 'any' || type === 'unknown') return;
  if (value.placeholder !== undefined) session.used(value.placeholder, type);
  if (value.type !== 'unknown' || typeof value.text !== 'string') return;
  if (isNode(node)) session.note(node, { ...value, type });
  const problem = checkLiteral(session.catalogue, type, value.text);
  if (problem !== undefined)
    session.report({ code: 'INVALID_LITERAL', message: sentencesOf(problem), at: node });
}

/** Requires a boolean, or reports `argument of WHERE must be type boolean, not type integer`. */
export function wantBoolean(session: Session, operand: Operand, what: string): void {
  wantType(session, operand, { type: 'bool', what });
}

/** Requires a type, allowing assignment casts, or reports `argument of LIMIT must be type bigint, not type text`. */
export function wantType(
  session: Session,
  operand: Operand,
  { type, what }: { readonly type: TypeName; readonly what: string },
): void {
  const given = operand.typed.type;
  give(session, operand, type);
  if (operand.typed.rowOf !== undefined) {
    const shown = given === undefined ? operand.typed.rowOf : given;
    session.report({
      code: 'TYPE_MISMATCH',
      message: `argument of ${what} must be type ${session.coercion.shown(type)}, not type ${shown}. ${t('Compare it with something.')}`,
      at: operand.node,
    });
    return;
  }
  if (given === undefined || session.coercion.can(given, type, 'assignment')) return;
  const { coercion } = session;
  const remedy =
    type !== 'bool'
      ? ''
      : coercion.category(given) === 'N'
        ? ` ${t('Compare it with a number: {0}.', '`... <> 0`')}`
        : ` ${t('Compare it with something.')}`;
  session.report({
    code: 'TYPE_MISMATCH',
    message: `argument of ${what} must be type ${coercion.shown(type)}, not type ${coercion.shown(given)}.${remedy}`,
    at: operand.node,
  });
}

/**
 * Reports the query's columns where they have no single value, as in `LIMIT n`.
 * @param level undefined for names that mean no column
 */
export function wantNoColumns(
  session: Session,
  level: Level | undefined,
  { node }: Operand,
  what: string,
): void {
  let column: Node | undefined;
  walk(node, (name, own) => {
    if (name === 'ColumnRef' && session.meanings.get(own)?.level === level) column ??= own;
    return column === undefined && (level !== undefined || name !== 'SubLink');
  });
  if (column === undefined) return;
  session.report({
    code: 'TYPE_MISMATCH',
    message: `argument of ${what} must not contain variables. ${t('Write a number or a parameter.')}`,
    at: { ColumnRef: column },
  });
}

/**
 * Returns the common type of several values (UNION, CASE, COALESCE, ARRAY, VALUES, IN), or `unknown` if the type of any
 * value is unknown.
 * @param what the construct's name in messages; undefined to report nothing
 */
export function unify(session: Session, operands: readonly Operand[], what: string | undefined): Typed {
  const types: TypeName[] = [];
  for (const { typed: value } of operands) {
    if (value.type === undefined) {
      hint(session, operands);
      return { ...unknown, origins: typed(undefined, ...operands.map((operand) => operand.typed)).origins };
    }
    types.push(value.type);
  }
  const { coercion } = session;
  const common = coercion.common(types);
  const values = operands.map((operand) => operand.typed);
  if (typeof common !== 'string') {
    const second = operands.find(({ typed: value }) => value.type === common.second);
    if (what !== undefined) {
      session.report({
        code: 'TYPE_MISMATCH',
        message: `${what} types ${coercion.shown(common.first)} and ${coercion.shown(common.second)} cannot be matched. ${t('Cast one to the type of the other.')}`,
        at: second?.node,
      });
    }
    return typed(undefined, ...values);
  }
  for (const operand of operands) {
    const { type = '' } = operand.typed;
    if (coercion.can(type, common)) {
      give(session, operand, common);
    } else if (what !== undefined) {
      session.report({
        code: 'TYPE_MISMATCH',
        message: `${what} could not convert type ${coercion.shown(type)} to ${coercion.shown(common)}. ${t('Cast it.')}`,
        at: operand.node,
      });
    }
  }
  const fields = values[0]?.fields;
  return {
    ...typed(common, ...values),
    ...(common === 'record' && fields !== undefined && values.length === 1 ? { fields } : {}),
  };
}

/** Placeholders probably have the type of the other values, if those have a single known type. */
function hint(session: Session, operands: readonly Operand[]): void {
  const known = new Set(
    operands.flatMap(({ typed: { type } }) => (type === undefined || type === 'unknown' ? [] : [type])),
  );
  const [type] = known;
  if (known.size === 1) {
    for (const { typed: value } of operands) {
      if (value.placeholder !== undefined && type !== undefined) session.used(value.placeholder, type);
    }
  }
}
