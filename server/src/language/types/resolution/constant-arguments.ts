/** Checks constants that functions parse themselves: time zones, time units, regular expressions and patterns. */
import { t } from '#base/texts.ts';
import type { TypeName } from '../catalogue/catalogue.ts';
import type { LiteralProblem } from '../literals/literal-problem.ts';
import { sentencesOf } from '../literals/literal.ts';
import { regularExpressionProblem } from '../literals/regular-expressions.ts';
import { checkTextQuery } from '../literals/text-queries.ts';
import { unitOf } from '../literals/times.ts';
import { numberPatternProblem } from '../literals/to-char-patterns.ts';
import { reportValue, type Session } from '../typing.ts';
import type { Operand } from './conversions.ts';

interface Call {
  readonly session: Session;
  readonly name: string;
  /** Declared argument types of the called function. */
  readonly args: readonly TypeName[];
  readonly operands: readonly Operand[];
}

/** Returns the text of a plain literal; undefined for other operands. */
const textAt = (operands: readonly Operand[], index: number): string | undefined => {
  const own = operands[index]?.typed;
  return own?.type === 'unknown' && typeof own.text === 'string' ? own.text : undefined;
};

export function checkConstantArguments(call: Call): void {
  const { session, name, operands } = call;
  const [index, problem] = problemOf(call) ?? [];
  const at = index === undefined ? undefined : operands[index]?.node;
  if (problem !== undefined && at !== undefined) {
    reportValue(session, at, sentencesOf(problem));
  } else if (name === 'format') {
    checkFormat(session, operands);
  }
}

/** Checks the pattern on the right side of `~` and similar operators. */
export function checkPattern(session: Session, operator: string, right: Operand): void {
  const pattern = /^!?~\*?$/.test(operator) ? textAt([right], 0) : undefined;
  const problem = pattern === undefined ? undefined : regularExpressionProblem(pattern);
  if (problem !== undefined) reportValue(session, right.node, `${problem}.`);
}

type Found = readonly [index: number, problem: LiteralProblem] | undefined;

function problemOf(call: Call): Found {
  const { session, name, args, operands } = call;
  switch (name) {
    case 'timezone':
      return at(operands, 0, (text) => zoneProblem(session, text));
    case 'date_trunc':
    case 'extract':
    case 'date_part':
      return at(operands, 0, (text) => unitProblem(session, text, args[1] ?? '', name));
    case 'regexp_match':
    case 'regexp_matches':
    case 'regexp_like':
    case 'regexp_count':
    case 'regexp_instr':
    case 'regexp_substr':
    case 'regexp_split_to_array':
    case 'regexp_split_to_table':
    case 'regexp_replace':
      return regularExpression(call);
    case 'substring':
      return operands.length === 2 && args[1] === 'text'
        ? at(operands, 1, regularExpressionProblem)
        : undefined;
    case 'to_char':
    case 'to_number':
      return name === 'to_number' || /^(?:int\d|float|numeric)/.test(args[0] ?? '')
        ? at(operands, 1, numberPatternProblem)
        : undefined;
    case 'to_tsquery':
      return at(operands, operands.length - 1, (text) => checkTextQuery(text));
    case 'json_build_object':
    case 'jsonb_build_object':
      return operands.length % 2 === 1
        ? [operands.length - 1, { message: 'argument list must have even number of elements' }]
        : undefined;
    case 'encode':
    case 'decode':
      return at(operands, 1, (text) =>
        encodings.has(text.toLowerCase()) ? undefined : `unrecognized encoding: "${text}"`,
      );
    default:
      return undefined;
  }
}

const encodings = new Set(['hex', 'base64', 'base64url', 'base32hex', 'escape']);

function at(
  operands: readonly Operand[],
  index: number,
  check: (text: string) => LiteralProblem | string | undefined,
): Found {
  const text = textAt(operands, index);
  const problem = text === undefined ? undefined : check(text);
  if (problem === undefined) return undefined;
  return [index, typeof problem === 'string' ? { message: problem } : problem];
}

/** Considers the flags, which may change the pattern's syntax. */
function regularExpression({ name, args, operands }: Call): Found {
  const last = operands.length - 1;
  const hasFlags = last >= 2 && (textAt(operands, last) ?? '').length > 0 && args[last] === 'text';
  const isReplacement = name === 'regexp_replace' && last === 2;
  const flags = hasFlags && !isReplacement ? (textAt(operands, last) ?? '') : '';
  const wrong =
    hasFlags && !(isReplacement && /^\d/.test(textAt(operands, last) ?? ''))
      ? /[^bceimnpqstwxg]/u.exec(flags)
      : null;
  if (wrong !== null) return [last, { message: `invalid regular expression option: "${wrong[0]}"` }];
  if (flags.includes('g') && !takesGlobal.has(name))
    return [last, { message: `${name}() does not support the "global" option` }];
  return /[bqex]/.test(flags) ? undefined : at(operands, 1, regularExpressionProblem);
}

const takesGlobal: ReadonlySet<string> = new Set(['regexp_matches', 'regexp_replace']);

function zoneProblem({ catalogue }: Session, zone: string): LiteralProblem | undefined {
  // Other forms, such as EST5EDT and +02:00, are POSIX rules or UTC offsets.
  return /^[a-z]+(?:[/_ ][a-z]+)*$/i.test(zone) && !catalogue.isTimeZone(zone.toLowerCase())
    ? {
        message: `time zone "${zone}" not recognized`,
        remedy: () => t('Write a name such as {0}, or {1}.', "'Europe/Berlin'", "'UTC'"),
      }
    : undefined;
}

/** PostgreSQL compares only this many characters of a unit (TOKMAXLEN). */
const unitLengthMax = 10;
const otherUnits = new Set(
  `century decade dow doy epoch isodow isoyear julian microseconds millennium milliseconds minute month quarter second
   timezone timezone_hour timezone_h timezone_minute timezone_m week year hour day jd j now today infinity`
    .split(/\s+/)
    .map((unit) => unit.slice(0, unitLengthMax)),
);
/** Units that date_trunc does not accept. */
const boundless = new Set('epoch dow doy isodow isoyear julian jd j now today infinity'.split(' '));
/** Units that a type does not support. */
const unsupported: Readonly<Record<TypeName, RegExp>> = {
  date: /^(?:hours?|minutes?|seconds?|milliseconds?|microseconds?|timezone\w*)$/,
  timestamp: /^timezone\w*$/,
  interval: /^(?:dow|doy|isodow|isoyear|julian|timezone\w*)$/,
  time: /^(?:century|decade|year|quarter|month|week|day|dow|doy|isodow|isoyear|julian|millennium|timezone\w*)$/,
};

function unitProblem(
  { coercion }: Session,
  unit: string,
  type: TypeName,
  name: string,
): LiteralProblem | undefined {
  const plain = unit.toLowerCase();
  const own = coercion.shown(type);
  if (!/^(?:date|time|interval)/.test(type)) return undefined;
  const isUnit = unitOf(plain) !== undefined || otherUnits.has(plain.slice(0, unitLengthMax));
  if (!isUnit || (name === 'date_trunc' && boundless.has(plain))) {
    return {
      message: `unit "${unit}" not recognized for type ${own}`,
      remedy: () => t('Units are {0} and others.', 'year, month, week, day, hour, minute, second'),
    };
  }
  // The other functions convert a date to a timestamp at midnight.
  return (name === 'extract' || type !== 'date') && unsupported[type]?.test(plain) === true
    ? { message: `unit "${unit}" not supported for type ${own}` }
    : undefined;
}

/** Checks calls such as `format('%s of %s', one)`. */
function checkFormat(session: Session, operands: readonly Operand[]): void {
  const pattern = textAt(operands, 0);
  if (pattern === undefined) return;
  const say = (message: string): void => reportValue(session, operands[0]?.node, message);
  let last = 0;
  let wanted = 0;
  for (const [found, position, type = ''] of pattern.matchAll(
    /%(?:%|(?:(\d+)\$)?-*(?:\*(?:\d+\$)?|\d+)?([^]|$))/g,
  )) {
    if (found === '%%') continue;
    if (!/[sIL]/.test(type)) {
      say(
        type === ''
          ? `unterminated format() type specifier. ${t('Write {0} for a percent sign.', '%%')}`
          : `unrecognized format() type specifier "${type}". ${t('Write %s, %I or %L, and %% for a percent sign.')}`,
      );
      return;
    }
    if (found.includes('*')) return;
    // Without a position, it is the value behind the last one that was taken.
    last = position === undefined ? last + 1 : Number(position);
    wanted = Math.max(wanted, last);
  }
  if (wanted > operands.length - 1)
    say(`too few arguments for format(): ${t('Expected {0}, found {1}.', wanted, operands.length - 1)}`);
}
