/**
 * Parses a declared parameter: `-- @param NAME TYPE = DEFAULT TEXT`. A default is one word or a quoted text. A line that
 * could mean a longer default is a problem and declares no default, since a query must not run with a part of it.
 */
import { t } from '#base/texts.ts';
import { parseValue } from '#base/values/parse-value.ts';
import { elementTypeOf, isListType } from '#base/values/value-types.ts';
import type { Directive } from '#server/language/text/directives.ts';

export interface ParameterLine {
  readonly name: string;
  /** As written, for example `date` or `text[]`; undefined if omitted. */
  readonly type?: string;
  /** The default without quotes; undefined if there is none, or if it is not clear where it ends. */
  readonly defaultValue?: string;
  readonly description?: string;
  readonly problem?: LineProblem;
}

export interface LineProblem {
  readonly message: string;
  /** Offsets in the argument. */
  readonly start: number;
  readonly end: number;
  /** The argument as it was probably meant. */
  readonly meant?: string;
}

const types = String.raw`enum\([^()=]*\)|(?:timestamp|time)(?:[ \t]*\(\d\))?[ \t]+with(?:out)?[ \t]+time[ \t]+zone|double[ \t]+precision|(?:character|bit)[ \t]+varying(?:\(\d+\))?|[^\s=(]+(?:\([\d, ]*\))?`;
const head = new RegExp(
  String.raw`^:?([\p{L}_][\p{L}\p{N}_$]*)(?:[ \t]+((?:${types})(?:\[\])?))?(?=[\s=]|$)`,
  'iu',
);
const quotedDefault = /^'((?:[^']|'')*)'(?=\s|$)/;
/** A quoted description with the default after it. */
const lateDefault = /^("[^"]*"|'[^']*')\s*=\s*('(?:[^']|'')*'|\S+)(.*)$/;
/** Words before an equals sign, or another sign or word for it, with the default after it. */
const lateValue = /^(?:[\p{L}_ ]{1,40}=|:=|default(?:\s*:?=|\s))\s*(\S.*)$/iu;

/** Returns undefined if the argument does not begin with a name. */
export function parameterLine({ argument }: Pick<Directive, 'argument'>): ParameterLine | undefined {
  const found = head.exec(argument);
  const [whole = '', name, type] = found ?? [];
  if (name === undefined) return undefined;
  const typed = { name, ...(type === undefined ? {} : { type }) };
  const rest = argument.slice(whole.length);
  const value = /^\s*=\s*/.exec(rest);
  if (value === null) return withoutDefault(typed, rest.trim(), argument);
  const start = whole.length + value[0].length;
  const text = argument.slice(start);
  const quoted = quotedDefault.exec(text);
  const word = quoted?.[0] ?? /^\S*/.exec(text)?.[0] ?? '';
  const after = text.slice(word.length).trim();
  const described = after === '' ? {} : { description: after };
  if (text === '') {
    const message = t('Write the default after =, or remove the =.');
    return { ...typed, problem: { message, start: whole.length, end: argument.length } };
  }
  const meant = quoted === null ? meantDefault(type, word, after) : meantQuoted(word, after);
  if (meant === undefined) {
    const defaultValue = quoted === null ? word : unquoted(word);
    return { ...typed, defaultValue, ...described };
  }
  const message = t(
    'It is not clear where this default ends. A default is one word or a text in quotes: quote it, {0}',
    meant === '' ? "'...'" : quote(meant),
  );
  const written = `${argument.slice(0, start)}${quote(meant)}${text.slice(text.indexOf(meant) + meant.length)}`;
  const isSure = /^[^']/.test(meant) && text.startsWith(meant) && isValue(type ?? 'text', meant);
  return {
    ...typed,
    problem: { message, start, end: argument.length, ...(isSure ? { meant: written } : {}) },
  };
}

type Typed = Pick<ParameterLine, 'name' | 'type'>;

function withoutDefault(typed: Typed, description: string, argument: string): ParameterLine {
  const { name, type = 'text' } = typed;
  const described = description === '' ? {} : { description };
  const end = argument.length;
  const start = end - description.length;
  const late = lateDefault.exec(description);
  if (late !== null) {
    const [, quoted = '', value = '', rest = ''] = late;
    const meant = `${name} ${type} = ${value} ${quoted.slice(1, -1)}${rest}`.trimEnd();
    const message = t('The default goes before the description: {0}', `-- @param ${meant}`);
    return { ...typed, ...described, problem: { message, start, end, meant } };
  }
  const [, value] = lateValue.exec(description) ?? [];
  if (value === undefined || !isLateValue(type, value, description)) return { ...typed, ...described };
  const shown = /^(?:\S+|'(?:[^']|'')*')$/.test(value) ? value : quote(value);
  const message = t('The default goes right after the type: {0}', `-- @param ${name} ${type} = ${shown}`);
  return { ...typed, ...described, problem: { message, start, end } };
}

/** A text is a default only after a sign that nothing else has. */
function isLateValue(type: string, value: string, description: string): boolean {
  if (elementTypeOf(type) === 'text') return description.startsWith(':=');
  return isValue(type, unquoted(value)) || isValue(type, /^\S+/.exec(value)?.[0] ?? '', true);
}

/** An operator of SQL, another item, a further number, text or time. */
const goesOn = /^(?:[-+*/%<>=~!@#^&|`?,;\d'"\u2212]|[\u2010-\u2015]\s*\d|::|T\d|[ap]\.?m\b)/i;
/** An operator or a comma that misses what follows it. */
const isCutOff = /[-+*/%<>=,]$/;
const wordsMax = 8;

/** Returns the longer default that a line may mean; undefined if its default is one word. */
function meantDefault(type: string | undefined, word: string, after: string): string | undefined {
  const all = after === '' ? word : `${word} ${after}`;
  if (isOpen(word)) return all;
  if (isCutOff.test(word) && !isValue(type ?? 'text', word, true)) return all;
  if (after === '') return undefined;
  if (goesOn.test(after) || goesOnInWords(type, after)) return longestValue(type, word, after) ?? all;
  return longestValue(type, word, after);
}

/** An operator, a range or a choice in words, such as `today minus 7 days`. */
const wordBetween = /^(?:minus|plus|less|times|to|until|till|through|or|and)\s+(\S+)/i;
const wordAfter = /^(?:hundred|thousand|million|billion|noon|midnight|ago)\b/i;

function goesOnInWords(type: string | undefined, after: string): boolean {
  if (type === undefined || elementTypeOf(type) === 'text') return false;
  const [, next] = wordBetween.exec(after) ?? [];
  return (
    wordAfter.test(after) || (next !== undefined && (/^[-+]?\d/.test(next) || isValue(type, next, true)))
  );
}

function meantQuoted(word: string, after: string): string | undefined {
  return /^(?:[,'"]|[-+]\s*\d|::|\|\|)/.test(after) ? `${unquoted(word)} ${after}` : undefined;
}

/** Returns whether a word begins a text or a list that it does not end. */
function isOpen(word: string): boolean {
  const count = (character: string) => word.split(character).length - 1;
  return (
    word.startsWith("'") ||
    count('"') % 2 !== 0 ||
    (/^[[{(]/.test(word) &&
      (count('[') !== count(']') || count('{') !== count('}') || count('(') !== count(')')))
  );
}

/** Returns the longest text from the word on that is a value of a type other than text. */
function longestValue(type: string | undefined, word: string, after: string): string | undefined {
  if (type === undefined || elementTypeOf(type) === 'text' || isListType(type)) return undefined;
  const words = after.split(/\s+/).slice(0, wordsMax);
  for (let count = words.length; count > 0; count -= 1) {
    const longer = [word, ...words.slice(0, count)].join(' ');
    if (isValue(type, longer, true)) return longer;
  }
  return undefined;
}

const intervalUnit =
  '(?:microseconds?|milliseconds?|seconds?|secs?|s|minutes?|mins?|m|hours?|hrs?|h|days?|d|weeks?|w|months?|mons?|years?|yrs?|y|decades?|centur(?:y|ies)|millenni(?:um|a))';
const interval = new RegExp(
  String.raw`^@?\s*(?:(?:[-+]?(?:\d+(?:\.\d*)?|\.\d+)\s*${intervalUnit}|[-+]?\d+(?::\d\d){1,2}(?:\.\d+)?|[-+]?\d+-\d+|[-+]?\d+(?:\.\d*)?)(?:\s+|(?<=[a-z])(?=[-+\d])|$))+(?:ago)?$|^-?P[\dYMWDTHS.,-]+$|^-?infinity$`,
  'i',
);

/** @param isStrict whether a type whose values are not checked has none. */
function isValue(type: string, text: string, isStrict = false): boolean {
  const element = elementTypeOf(type);
  if (element === 'interval' && !isListType(type)) return interval.test(text.trim());
  if (isStrict && unchecked.has(element)) return false;
  return parseValue(type, text, new Date(0)).problem === undefined;
}

/** Types whose values only PostgreSQL can check. */
const unchecked = new Set(['text', 'time', 'timetz', 'inet', 'cidr', 'bytea']);

/** Returns whether a default is no value of its type; an unknown type has any value. */
export function isWrongDefault({ type = 'text', defaultValue }: ParameterLine): boolean {
  return defaultValue !== undefined && !isValue(type, defaultValue);
}

function quote(text: string): string {
  return `'${text.replaceAll("'", "''")}'`;
}

function unquoted(text: string): string {
  return text.startsWith("'") && text.endsWith("'") && text.length > 1
    ? text.slice(1, -1).replaceAll("''", "'")
    : text;
}
