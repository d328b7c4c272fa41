/**
 * Whether PostgreSQL reads a literal as the type that it becomes. What is said is certain: a form that only some
 * settings take, or that is not looked into, is right.
 */
import type { TypeCatalogue, TypeName } from '../catalogue.ts';
import { checkArray, checkRange } from './collections.ts';
import { checkInterval, checkMoment, checkTime } from './times.ts';
import { checkFloat, checkInteger, checkNumeric } from './numbers.ts';

export interface LiteralProblem {
  /** PostgreSQL's words. */
  readonly message: string;
  /** How it can be written, as a sentence. */
  readonly remedy?: string;
}

/** Undefined where it is right, or nothing is known of the type. */
export function checkLiteral(
  catalogue: TypeCatalogue,
  type: TypeName,
  text: string,
): LiteralProblem | undefined {
  const fact = catalogue.type(type);
  if (fact === undefined || text.length > lengthMax) {
    return undefined;
  }
  const { shown, element } = fact;
  const own = checks[type];
  if (own !== undefined) {
    return own(text, shown);
  }
  const range = catalogue.range(type);
  if (range !== undefined) {
    return checkRange(text, (bound) => checkLiteral(catalogue, range.subtype, bound));
  }
  return element !== undefined && type.startsWith('_')
    ? checkArray(text, (item) => checkLiteral(catalogue, element, item))
    : undefined;
}

/** Longer ones are data, not something that a person mistyped. */
const lengthMax = 10_000;

type Check = (text: string, shown: string) => LiteralProblem | undefined;

export const invalid = (shown: string, text: string): LiteralProblem => ({
  message: `invalid input syntax for type ${shown}: "${text}"`,
});

const checks: Readonly<Partial<Record<TypeName, Check>>> = {
  int2: checkInteger(-32_768n, 32_767n),
  int4: checkInteger(-2_147_483_648n, 2_147_483_647n),
  int8: checkInteger(-9_223_372_036_854_775_808n, 9_223_372_036_854_775_807n),
  oid: checkInteger(-2_147_483_648n, 4_294_967_295n),
  numeric: checkNumeric,
  float4: checkFloat,
  float8: checkFloat,
  bool: (text, shown) =>
    isBoolean(text) ? undefined : { ...invalid(shown, text), remedy: 'Write true or false.' },
  uuid: (text, shown) => (isUuid(text) ? undefined : invalid(shown, text)),
  json: checkJson,
  jsonb: checkJson,
  date: checkMoment,
  timestamp: checkMoment,
  timestamptz: checkMoment,
  time: checkTime,
  timetz: checkTime,
  interval: checkInterval,
  inet: checkAddress,
  cidr: checkAddress,
};

function isBoolean(text: string): boolean {
  const word = text.trim().toLowerCase();
  return (
    word !== '' &&
    (['true', 'false', 'yes', 'no'].some((whole) => whole.startsWith(word)) ||
      ['on', 'of', 'off', '1', '0'].includes(word))
  );
}

function isUuid(text: string): boolean {
  const inner = text.startsWith('{') && text.endsWith('}') ? text.slice(1, -1) : text;
  return /^(?:[\da-f]{4}-?){7}[\da-f]{4}$/i.test(inner);
}

function checkJson(text: string, shown: string): LiteralProblem | undefined {
  try {
    JSON.parse(text);
    return undefined;
  } catch (error) {
    // Too deep is no matter of syntax.
    return error instanceof SyntaxError
      ? {
          message: `invalid input syntax for type ${shown === 'jsonb' ? 'json' : shown}`,
          remedy: 'A text in JSON has quotes of its own: \'"text"\'.',
        }
      : undefined;
  }
}

function checkAddress(text: string, shown: string): LiteralProblem | undefined {
  const octets = /^(\d+)\.(\d+)\.(\d+)\.(\d+)(?:\/(\d+))?$/.exec(text);
  const isOff =
    octets === null
      ? !/^[\da-f:./]+$/i.test(text)
      : octets.slice(1, 5).some((octet) => Number(octet) > 255) || Number(octets[5] ?? 0) > 32;
  return isOff ? invalid(shown, text) : undefined;
}
