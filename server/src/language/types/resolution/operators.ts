/** Determines the result type of an operator, and errors in its operands. */
import { t } from '#base/texts.ts';
import { child, constantOf, operationOf } from '#server/language/tree/parse-tree.ts';
import type { OperatorFact, TypeName } from '../catalogue/catalogue.ts';
import { logicAdvice } from '../catalogue/foreign-names.ts';
import { checkLiteral, sentencesOf } from '../literals/literal.ts';
import { originsOf, typed, type Rewrite, type Session, type Typed } from '../typing.ts';
import { chooseOperator } from './candidates.ts';
import { isPolymorphic } from './coercion.ts';
import { checkPattern } from './constant-arguments.ts';
import { give, type Operand } from './conversions.ts';
import { bindPolymorphic } from './polymorphic.ts';

export interface Operation {
  readonly operator: string;
  readonly left: Operand | undefined;
  readonly right: Operand;
  readonly node: unknown;
  /** Byte offset of the operator. */
  readonly location: number;
}

export function operationType(session: Session, operation: Operation): Typed {
  const { operator, left, right } = operation;
  const parts = left === undefined ? [right.typed] : [left.typed, right.typed];
  const one = left?.typed.type;
  const two = right.typed.type;
  if ((left !== undefined && one === undefined) || two === undefined)
    return typed(hintedType(session, operation), ...parts);
  if (isUntypedInterval(session, operation)) return typed(one, ...parts);
  const { coercion, catalogue } = session;
  const facts = catalogue.operators(operator);
  const found = facts.length === 0 ? undefined : chooseOperator(coercion, facts, one, two);
  if (found === 'several' || found === undefined) {
    const extension = chooseOperator(coercion, catalogue.extensionOperators(operator), one, two);
    if (extension === undefined && facts.length > 0) refuse(session, operation, found);
    return typed(undefined, ...parts);
  }
  const result = settle(session, found, operation);
  checkPattern(session, operator, right);
  const origins = originsOf(parts);
  return isNeverNull(parts, operator)
    ? { type: result, origins, nullable: false }
    : { type: result, origins };
}

/** Returns whether the operator's result is never NULL. JSON access operators may return NULL for non-null operands. */
const isNeverNull = (parts: readonly Typed[], operator: string): boolean =>
  parts.every(({ nullable }) => nullable === false) && !operator.includes('->') && !operator.includes('#>');

/** Converts the operands to the operator's types. Returns its result type, or undefined if unknown. */
function settle(session: Session, fact: OperatorFact, { left, right }: Operation): TypeName | undefined {
  const operands = left === undefined ? [right] : [left, right];
  const declared = fact.left === undefined ? [fact.right] : [fact.left, fact.right];
  if (!declared.some(isPolymorphic)) {
    operands.forEach((operand, index) => give(session, operand, declared[index]));
    return fact.result;
  }
  const bound = bindPolymorphic(
    session.coercion,
    declared,
    operands.map((operand) => operand.typed.type ?? 'unknown'),
  );
  operands.forEach((operand, index) => give(session, operand, bound?.of(declared[index] ?? '')));
  return bound?.of(fact.result);
}

/** Infers a placeholder's type from the other operand. The result is likely, but not certain. */
function hintedType(session: Session, { operator, left, right }: Operation): TypeName | undefined {
  const isLeft = left?.typed.placeholder !== undefined;
  const other = isLeft ? right : left;
  const place = isLeft ? left.typed.placeholder : right.typed.placeholder;
  const type = other?.typed.type;
  if (left === undefined || place === undefined || type === undefined || type === 'unknown') return undefined;
  // For a date minus a placeholder, PostgreSQL assumes a date, but the user may well mean days.
  if (session.coercion.category(type) === 'D' && (operator === '+' || operator === '-')) return undefined;
  const fact = chooseOperator(
    session.coercion,
    session.catalogue.operators(operator),
    isLeft ? 'unknown' : type,
    isLeft ? type : 'unknown',
  );
  if (fact !== undefined && fact !== 'several') {
    const wanted = isLeft ? fact.left : fact.right;
    session.used(place, wanted === undefined || isPolymorphic(wanted) ? type : wanted);
    // The result of a comparison is boolean, whatever the placeholder's type.
    return comparisons.has(operator) ? 'bool' : undefined;
  }
  return undefined;
}

const comparisons = new Set([
  '=',
  '<>',
  '<',
  '>',
  '<=',
  '>=',
  '~~',
  '!~~',
  '~~*',
  '!~~*',
  '~',
  '!~',
  '~*',
  '!~*',
]);

function refuse(
  session: Session,
  { operator, left, right, node, location }: Operation,
  why: 'several' | undefined,
): void {
  const { coercion } = session;
  const one = left === undefined ? '' : `${coercion.shown(left.typed.type ?? '')} `;
  const two = coercion.shown(right.typed.type ?? '');
  const written = `${one}${operator} ${two}`;
  const rewrite = rewriteFor(session, operator, left, right);
  session.report({
    code: 'TYPE_MISMATCH',
    message:
      why === 'several'
        ? `operator is not unique: ${written}. ${t('Cast one side, so that PostgreSQL knows which is meant.')}`
        : `operator does not exist: ${written}. ${remedyFor(session, { operator, left, right, rewrite })}`,
    at: node,
    location,
    ...(rewrite === undefined ? { alternatives: datesFor(operator, left, right) } : { rewrite }),
  });
}

/** Returns what a number may mean that is compared with a time: a day, the start of a year, or a number of days. */
function datesFor(operator: string, left: Operand | undefined, right: Operand): readonly Rewrite[] {
  const constant = constantOf(right.node);
  const value = constant?.kind === 'number' ? constant.value : '';
  if (!comparisons.has(operator) || !(isTimestamp(left) || left?.typed.type === 'date')) return [];
  const day = /^([12]\d{3})(\d\d)(\d\d)$/.exec(value);
  if (day !== null) return [{ token: value, newText: `'${day.slice(1).join('-')}'` }];
  // Other comparisons with a year would need its end.
  if (/^(?:19|20)\d\d$/.test(value))
    return operator === '<' || operator === '>=' ? [{ token: value, newText: `'${value}-01-01'` }] : [];
  return /^\d{1,4}$/.test(value) && /^[<>]=?$/.test(operator)
    ? [{ token: value, newText: `now() - INTERVAL '${value} day${value === '1' ? '' : 's'}'` }]
    : [];
}

const truths: ReadonlyMap<string, string> = new Map(Object.entries({ '0': 'false', '1': 'true' }));

/** Conditions of other languages: `a && b`, `a || b` and `is_admin = 1`. */
function rewriteFor(
  { coercion }: Session,
  operator: string,
  left: Operand | undefined,
  right: Operand,
): Rewrite | undefined {
  const [one = '', two = ''] = [left, right].map((operand) => coercion.category(operand?.typed.type ?? ''));
  if (operator === '&&' || operator === '||') {
    // `a = 'x' && is_admin` compares `a` with `'x' && is_admin`.
    const isLogic = [one, two].includes('B') && 'BXN'.includes(one) && 'BXN'.includes(two);
    return isLogic ? { token: operator, newText: operator === '&&' ? 'AND' : 'OR' } : undefined;
  }
  const constant = constantOf(right.node);
  const value = constant?.kind === 'number' ? constant.value : '';
  const newText = truths.get(value);
  // In Oracle, the number beside a time counts days.
  if (isTimestamp(left) && value !== '' && (operator === '+' || operator === '-'))
    return { token: value, newText: `INTERVAL '${value} day${value === '1' ? '' : 's'}'` };
  const date = one === 'D' && comparisons.has(operator) ? unquotedDate(right.node) : undefined;
  if (date !== undefined) return { token: date, newText: `'${date}'` };
  return one === 'B' && two === 'N' && newText !== undefined && (operator === '=' || operator === '<>')
    ? { token: value, newText }
    : undefined;
}

const isTimestamp = (operand: Operand | undefined): boolean =>
  operand?.typed.type?.startsWith('timestamp') === true;

/** Returns the date that a subtraction such as `2026-01-31` was meant as. */
function unquotedDate(node: unknown): string | undefined {
  const outer = operationOf(child(node, 'A_Expr') ?? {});
  const inner = outer?.operator === '-' ? operationOf(child(outer.left, 'A_Expr') ?? {}) : undefined;
  if (outer === undefined || inner?.operator !== '-') return undefined;
  const parts = [inner.left, inner.right, outer.right].map((part) => {
    const constant = constantOf(part);
    return constant?.kind === 'number' ? constant.value.padStart(2, '0') : '';
  });
  const date = parts.join('-');
  return /^[12]\d{3}-[01]\d-[0-3]\d$/.test(date) ? date : undefined;
}

/** Reports `now() - '7 days'`, whose text PostgreSQL reads as a time. Returns whether it did. */
function isUntypedInterval(session: Session, { operator, left, right }: Operation): boolean {
  const { type, text } = right.typed;
  if (operator !== '-' || !isTimestamp(left) || type !== 'unknown' || typeof text !== 'string') return false;
  const problem = checkLiteral(session.catalogue, left?.typed.type ?? '', text);
  if (
    problem === undefined ||
    !/\d/.test(text) ||
    checkLiteral(session.catalogue, 'interval', text) !== undefined
  )
    return false;
  const newText = `INTERVAL '${text}'`;
  session.report({
    code: 'INVALID_LITERAL',
    message: sentencesOf({ ...problem, remedy: () => t('Write {0}.', newText) }),
    at: right.node,
    rewrite: { token: `'${text}'`, newText },
  });
  return true;
}

function remedyFor(
  session: Session,
  {
    operator,
    left,
    right,
    rewrite,
  }: Pick<Operation, 'operator' | 'left' | 'right'> & { readonly rewrite: Rewrite | undefined },
): string {
  const { coercion } = session;
  if (left === undefined) return t('Cast it to a type that has the operator.');
  if (rewrite?.newText === 'AND' || rewrite?.newText === 'OR') return logicAdvice(rewrite.newText);
  if (rewrite !== undefined) return t('Write {0}.', `${operator} ${rewrite.newText}`);
  const kinds = [left, right].map(({ typed: { type = '' } }) => coercion.category(type));
  const types = [left, right].map(({ typed: { type = '' } }) => type);
  const isMoment = kinds[0] === 'D';
  if (isMoment && kinds[1] === 'N' && (operator === '+' || operator === '-')) {
    const number = constantOf(right.node);
    const amount = number?.kind === 'number' ? number.value : '1';
    return t('Write {0}.', `${operator} INTERVAL '${amount} days'`);
  }
  if (isMoment && kinds[1] === 'N') {
    return t(
      'Compare it with a date, such as {0}, or with {1}.',
      "'2026-01-31'",
      "now() - INTERVAL '5 days'",
    );
  }
  if (operator === '+' && kinds.includes('S') && kinds.every((kind) => 'SXN'.includes(kind)))
    return t('Use {0} to concatenate text.', '||');
  if (types.some((type) => type.startsWith('json')) && comparisons.has(operator))
    return t('Extract a value with {0}.', "->> 'key'");
  if (kinds.includes('A') && comparisons.has(operator))
    return t('Write {0}.', `value ${operator} ANY(array)`);
  const target = operator.includes('~')
    ? 'text'
    : coercion.shown(types.find((type) => type !== 'unknown') ?? '');
  return t('Cast one side to the type of the other: {0}.', `CAST(... AS ${target})`);
}
