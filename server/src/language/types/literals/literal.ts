/**
 * Checks whether PostgreSQL accepts a literal as its target type. A problem is always certain: forms that are accepted
 * only under some settings, and forms that are not checked, count as valid.
 */
import { t } from '#base/texts.ts';
import type { TypeCatalogue, TypeName } from '../catalogue/catalogue.ts';
import { checkAddress, checkMac } from './addresses.ts';
import { checkBits, checkBytes } from './bytes.ts';
import { checkArray, checkMultirange, checkRange, type RangeChecks } from './collections.ts';
import { checkJsonPath } from './json-paths.ts';
import type { LiteralProblem } from './literal-problem.ts';
import { checkFloat, checkInteger, checkNumeric } from './numbers.ts';
import { checkTextQuery } from './text-queries.ts';
import { checkInterval, checkMoment, checkTime, type TimeZones } from './times.ts';

/** Returns PostgreSQL's message, which stays in English, followed by the translated remedy. */
export const sentencesOf = ({ message, remedy }: LiteralProblem): string =>
  remedy === undefined ? `${message}.` : `${message}. ${remedy()}`;

/** Returns undefined if the literal is valid or its type is not checked. */
export function checkLiteral(
  catalogue: TypeCatalogue,
  type: TypeName,
  text: string,
): LiteralProblem | undefined {
  const fact = catalogue.type(type);
  if (fact === undefined || text.length > lengthMax) return undefined;
  const { shown, element } = fact;
  const own = checks[type];
  if (own !== undefined) return own(text, shown, catalogue);
  const range = catalogue.range(type);
  if (range !== undefined) return checkRange(text, checksOf(catalogue, range.subtype));
  if (fact.kind === 'm') {
    const whole = [...catalogue.ranges.values()].find(({ multirange }) => multirange === type);
    return whole === undefined ? undefined : checkMultirange(text, checksOf(catalogue, whole.subtype));
  }
  return element !== undefined && type.startsWith('_') && type !== '_box'
    ? checkArray(text, (item) => checkLiteral(catalogue, element, item))
    : undefined;
}

const checksOf = (catalogue: TypeCatalogue, subtype: TypeName): RangeChecks => ({
  check: (bound) => checkLiteral(catalogue, subtype, bound),
  compare: (one, other) => {
    const both = [one, other];
    if (/^(?:int|numeric)/.test(subtype)) {
      return both.every((bound) => /^-?\d{1,15}(?:\.\d{1,6})?$/.test(bound))
        ? Number(one) - Number(other)
        : undefined;
    }
    if (!/^(?:date|timestamp)/.test(subtype) || !both.every((bound) => isoMoment.test(bound)))
      return undefined;
    const days = (Date.parse(one.slice(0, 10)) - Date.parse(other.slice(0, 10))) / 86_400_000;
    // Timestamps must differ by more than a day, since their time of day and time zone are not compared.
    return subtype === 'date' || Math.abs(days) > 1 ? days : undefined;
  },
});

const isoMoment = /^\d{4}-\d\d-\d\d(?: \d\d:\d\d(?::\d\d)?)?$/;

/** Maximum length of a checked literal. Longer ones are data rather than typing mistakes. */
const lengthMax = 10_000;

/** Returns the problem of a text as a value of a base type by its name; undefined also for a type that is not checked. */
export function inputProblem(type: string, text: string, zones: TimeZones): LiteralProblem | undefined {
  return Object.hasOwn(checks, type) ? checks[type]?.(text, type, zones) : undefined;
}

type Check = (text: string, shown: string, zones: TimeZones) => LiteralProblem | undefined;

const invalid = (shown: string, text: string): LiteralProblem => ({
  message: `invalid input syntax for type ${shown}: "${text}"`,
});

const checks: Readonly<Partial<Record<TypeName, Check>>> = {
  int2: checkInteger(-32_768n, 32_767n),
  int4: checkInteger(-2_147_483_648n, 2_147_483_647n),
  int8: checkInteger(-9_223_372_036_854_775_808n, 9_223_372_036_854_775_807n),
  oid: checkInteger(-4_294_967_295n, 4_294_967_295n),
  numeric: checkNumeric,
  float4: checkFloat,
  float8: checkFloat,
  bool: (text, shown) =>
    isBoolean(text)
      ? undefined
      : { ...invalid(shown, text), remedy: () => t('Write {0}.', t('{0} or {1}', 'true', 'false')) },
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
  macaddr: checkMac,
  macaddr8: checkMac,
  bytea: checkBytes,
  bit: checkBits,
  varbit: checkBits,
  tsquery: checkTextQuery,
  jsonpath: checkJsonPath,
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
    return shown === 'jsonb' ? textProblem(text) : undefined;
  } catch (error) {
    // Other errors, such as excessive depth, do not prove that the JSON is invalid.
    return error instanceof SyntaxError
      ? {
          message: `invalid input syntax for type ${shown === 'jsonb' ? 'json' : shown}`,
          remedy: () => t('A JSON string needs its own double quotes: {0}.', `'"text"'`),
        }
      : undefined;
  }
}

/** jsonb decodes its strings, so every escape must be a valid character: no NUL, and no lone surrogate. */
function textProblem(text: string): LiteralProblem | undefined {
  const escapes = text.replaceAll(/\\[^u]/g, '').replaceAll(/\\ud[89ab][\da-f]{2}\\ud[c-f][\da-f]{2}/gi, '');
  return escapes.includes(String.raw`\u0000`)
    ? {
        message: 'unsupported Unicode escape sequence',
        remedy: () => t('{0} cannot be text.', String.raw`\u0000`),
      }
    : /\\ud[89a-f]/i.test(escapes)
      ? {
          message: 'invalid input syntax for type json',
          remedy: () => t('An escape is half of a surrogate pair.'),
        }
      : undefined;
}
