/**
 * Finds an output whose size the writer of a query chooses (`repeat('x', 1000000)`). Beside a sensitive value, it would
 * fill a row up to the limit of a service, which the length of that value then decides. Whatever is not known to stay
 * small counts as one: small are results of a fixed size, and those no larger than what they are made from.
 */
import {
  child,
  constantOf,
  hasPlaceholder,
  list,
  named,
  strings,
  walk,
  type Node,
} from '#server/language/tree/parse-tree.ts';
import { expressionsIn } from './expression-origins.ts';
import {
  callName,
  fixedFunctions,
  fixedTypes,
  isInnerValue,
  isOfFixedType,
  isTest,
  pathOperators,
  tests,
  words,
} from './fixed-sizes.ts';

/** Maximum number of columns of a result, or an inner one, with a sensitive value. */
export const columnsMax = 200;
/** Maximum number of characters of a constant, and of the length of a type. */
const constantMax = 200;
/** A product has the digits of both factors, and a quotient as many as the divisor has. */
const factorMax = 20;
/** Maximum number of products and quotients in a query, since a column may hold each of them again. */
const factorsMax = 10;
/** Maximum number of characters of a pattern of `to_char`, one of which may write seven. */
const patternMax = 40;

/**
 * Returns what makes such an output, in a query or an inner one: the first of the text, and the first that has a value of
 * a parameter in it.
 */
export function sizedOutputsIn(
  query: Node,
): readonly { readonly what: string; readonly isByValue: boolean }[] {
  return [false, true].flatMap((isByValue) => {
    const what = sizedOutputIn(query, isByValue);
    return what === undefined ? [] : [{ what, isByValue }];
  });
}

/** @param isByValue whether only expressions with a value of a parameter are examined. */
function sizedOutputIn(query: Node, isByValue = false): string | undefined {
  const counts = (expression: unknown): boolean => !isByValue || hasPlaceholder(expression);
  let found: string | undefined;
  let factors = 0;
  const compared = new Set<unknown>();
  walk({ query }, (kind, node) => {
    if (kind === 'A_Expr' && growing.has(strings(node.name).at(-1) ?? '') && ++factors > factorsMax)
      found ??= isByValue ? undefined : `more than ${factorsMax} products`;
    if (kind === 'ResTarget') found ??= firstOf([node.val].filter(counts));
    // What is compared is in no row.
    else if (kind === 'A_Expr' && isTest(node)) {
      if (isByValue) return false;
      compared.add(child(node.rexpr, 'List'));
    }
    // A row of VALUES.
    else if (kind === 'List' && !compared.has(node)) found ??= firstOf(list(node.items).filter(counts));
    else if (kind === 'RangeFunction') found ??= counts(node) ? sizedFunctionIn(node) : undefined;
    else if (kind === 'JsonTable' || kind === 'RangeTableFunc') found ??= counts(node) ? kind : undefined;
    else if (isByValue && kind === 'SubLink') return isInnerValue.test(String(node.subLinkType));
    return found === undefined && kind !== 'RangeFunction';
  });
  return found;
}

function firstOf(expressions: Iterable<unknown>): string | undefined {
  for (const expression of expressions) {
    const found = sizedIn(expression);
    if (found !== undefined) return found;
  }
  return undefined;
}

function sizedIn(expression: unknown): string | undefined {
  const { kind = '', body = {} } = named(expression) ?? {};
  switch (kind) {
    case '':
    case 'BoolExpr':
    case 'NullTest':
    case 'BooleanTest':
      return undefined;
    case 'A_Const':
      return isShort(expression, constantMax) ? undefined : 'a long constant or a parameter';
    case 'A_ArrayExpr':
      return 'ARRAY';
    case 'SubLink':
      return body.subLinkType === 'ARRAY_SUBLINK' ? 'ARRAY' : undefined;
    case 'A_Expr':
      if (isTest(body) || isMoment(body)) return undefined;
      if (pathOperators.test(strings(body.name).at(-1) ?? '')) return sizedIn(body.lexpr);
      return isSmall(body) ? firstOf([body.lexpr, body.rexpr]) : strings(body.name).at(-1);
    case 'CaseExpr':
      return firstOf([...list(body.args), body.defresult]);
    case 'CaseWhen':
      return sizedIn(body.result);
    case 'TypeCast':
      if (isOfFixedType(body.typeName)) return undefined;
      return isOfShortType(body.typeName) ? sizedIn(body.arg) : 'a type of any length';
    case 'FuncCall': {
      const name = callName(expression);
      if (fixedFunctions.has(name)) return undefined;
      return smallFunctions.has(name) && isSmallCall(name, list(body.args))
        ? firstOf(list(body.args))
        : `${name}()`;
    }
    default:
      return ofParts.has(kind) ? firstOf(expressionsIn(body)) : kind;
  }
}

/** A function in FROM, which may take its rows from an array that is written out. */
function sizedFunctionIn({ functions }: Node): string | undefined {
  for (const entry of list(functions)) {
    const call = named(list(named(entry)?.body.items)[0]);
    const name = strings(call?.body.funcname).at(-1) ?? '';
    if (call?.kind === 'FuncCall' && !smallFunctions.has(name) && !fixedFunctions.has(name))
      return `${name}()`;
    for (const argument of list(call?.body.args)) {
      const { kind, body } = named(argument) ?? {};
      // A list of values is short: how many rows it makes is counted by itself.
      const given =
        kind === 'A_ArrayExpr' ? list(body?.elements) : [argument].filter((each) => !isParameter(each));
      const found = firstOf(given) ?? sizedOutputIn({ argument });
      if (found !== undefined) return found;
    }
  }
  return undefined;
}

const isParameter = (expression: unknown): boolean =>
  constantOf(child(expression, 'TypeCast')?.arg ?? expression)?.kind === 'placeholder';

/**
 * Returns how many rows a query has at most, by its LIMIT: undefined without one, Infinity if that is not a number that
 * is written out.
 */
export function rowLimitOf({ limitCount, limitOption }: Node): number | undefined {
  if (limitCount === undefined) return undefined;
  const constant = constantOf(limitCount);
  const isExact = constant?.kind === 'number' && limitOption === 'LIMIT_OPTION_COUNT';
  const rows = isExact ? Number(constant.value) : NaN;
  // Such as 99_999_999_999, which PostgreSQL reads.
  return Number.isNaN(rows) ? Infinity : rows;
}

/** Expressions that are no larger than their parts. Inner queries are examined by themselves. */
const ofParts = words(
  'ColumnRef SQLValueFunction GroupingFunc CoalesceExpr MinMaxExpr CollateClause NamedArgExpr A_Indirection A_Indices A_Star String List',
);

const growing = words('* /');
const smallOperators = new Set([...words('+ - % & |'), ...tests]);

/** Besides operators, such an expression is NULLIF. */
function isSmall({ kind, name, lexpr, rexpr }: Node): boolean {
  const operator = strings(name).at(-1) ?? '';
  if (kind !== 'AEXPR_OP' || smallOperators.has(operator)) return true;
  return growing.has(operator) && (isFactor(rexpr) || (operator === '*' && isFactor(lexpr)));
}

/** Whether it is a time or an interval: what is computed with an interval. */
const isMoment = ({ kind, name, lexpr, rexpr }: Node): boolean =>
  kind === 'AEXPR_OP' &&
  /^[-+*/]$/.test(strings(name).join()) &&
  [lexpr, rexpr].some((side) => {
    const type = child(child(side, 'TypeCast'), 'typeName');
    const isInterval = isOfFixedType(type) && strings(type?.names).at(-1) === 'interval';
    return isInterval || callName(side) === 'make_interval';
  });

/** A short constant, or a count, which may be NULL in place of zero. */
function isFactor(expression: unknown): boolean {
  const { kind, body } = named(expression) ?? {};
  if (kind === 'A_Expr' && body?.kind === 'AEXPR_NULLIF') return isFactor(body.lexpr);
  if (kind === 'TypeCast' && isOfFixedType(body?.typeName)) return true;
  return kind === 'FuncCall' ? strings(body?.funcname).at(-1) === 'count' : isShort(expression, factorMax);
}

/** Whether a further argument does not choose the size: the places of a number, or a pattern. */
function isSmallCall(name: string, [, chosen]: readonly unknown[]): boolean {
  if (name === 'to_char') return isShort(chosen, patternMax);
  if (chosen === undefined || (name !== 'round' && name !== 'trunc')) return true;
  const constant = constantOf(chosen);
  return constant?.kind === 'number' && Number(constant.value) <= constantMax;
}

/** Whether it is a constant that stays short, also as a number: `1e100000` has as many digits. */
function isShort(expression: unknown, max: number): boolean {
  const constant = constantOf(expression);
  if (constant === undefined || constant.kind === 'placeholder') return false;
  return (
    !('value' in constant) || (String(constant.value).length <= max && !hasExponent(String(constant.value)))
  );
}

const hasExponent = (value: string): boolean => /^[\s\d_.+-]*e[\s\d_+]*$/i.test(value) && /\d/.test(value);

/** Types whose values are no longer than the text that they are made from. Others need a length. */
const shortTypes = words('text varchar name json');

function isOfShortType(type: unknown): boolean {
  const { names, typmods } = named({ type })?.body ?? {};
  const lengths = list(typmods);
  if (lengths.length === 0)
    return [shortTypes, fixedTypes].some((types) => types.has(strings(names).at(-1) ?? ''));
  return lengths.every((length) => {
    const constant = constantOf(length);
    return constant?.kind === 'number' && Number(constant.value) <= constantMax;
  });
}

const smallFunctions = words(`
  sum avg min max stddev variance percentile_cont percentile_disc lag lead first_value last_value nth_value
  timezone to_char abs ceil ceiling floor round trunc sign mod
  lower upper initcap left right substr substring split_part trim btrim ltrim rtrim reverse
  json_extract_path json_extract_path_text jsonb_extract_path jsonb_extract_path_text
  json_each json_each_text jsonb_each jsonb_each_text json_object_keys jsonb_object_keys
  json_array_elements json_array_elements_text jsonb_array_elements jsonb_array_elements_text
  generate_series generate_subscripts unnest string_to_table regexp_split_to_table`);
