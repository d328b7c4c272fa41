/**
 * Parses a declared parameter: `-- @param NAME TYPE = DEFAULT TEXT`. A default is one word or a quoted text. A line that
 * could mean a longer default is a problem and declares no default, since a query must not run with a part of it. So the
 * description after a bare word begins with a capital letter, as a sentence does (or with a letter that has no case).
 */
import { quoteText } from '#base/sql-names.ts';
import { t } from '#base/texts.ts';
import { parseValue } from '#base/values/parse-value.ts';
import { splitList } from '#base/values/split-list.ts';
import { controlOf, declaredChoices, elementTypeOf, isListType } from '#base/values/value-types.ts';
import type { Directive } from '#server/language/text/directives.ts';
import { isRefusedInput } from '#server/language/types/literals/default-value.ts';

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

const types = String.raw`enum\([^()=]*\)|(?:timestamp|time)(?:[ \t]*\(\d\))?[ \t]+with(?:out)?[ \t]+time[ \t]+zone|double[ \t]+precision|(?:character|bit)[ \t]+varying(?:\(\d+\))?|[^\s=(]+(?:\([\d, -]*\))?`;
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
  const meant = quoted === null ? meantDefault(type, word, after) : meantQuoted(type, word, after);
  if (meant === undefined) {
    const defaultValue = quoted === null ? word : unquoted(word);
    return { ...typed, defaultValue, ...described };
  }
  // Without its double spaces, it is not found, and nothing is left.
  const from = text.indexOf(meant);
  const left = from < 0 ? '' : text.slice(from + meant.length);
  const bareLeft = bareOf(left.trim());
  // What is left may belong to the value, which then would be cut.
  const isCut = goesOn.test(bareLeft) || isTimeWord(elementTypeOf(type ?? 'text'), bareLeft);
  const isGuess = meant !== '' && !isCut && !otherQuotes.test(meant) && isValue(type ?? 'text', meant);
  const message = isGuess
    ? t(
        'It is not clear where this default ends. A default is one word or a text in quotes: quote it, {0}',
        quoteText(meant),
      )
    : t('It is not clear where this default ends. A default is one word or a text in quotes.');
  const written = `${argument.slice(0, start)}${quoteText(meant)}${left}`;
  const isSure = isGuess && /^[^']/.test(meant) && text.startsWith(meant);
  return {
    ...typed,
    problem: { message, start, end: argument.length, ...(isSure ? { meant: written } : {}) },
  };
}

type Typed = Pick<ParameterLine, 'name' | 'type'>;

function withoutDefault(given: Typed, description: string, argument: string): ParameterLine {
  const { name, type = 'text' } = given;
  const typed = { ...given, ...(description === '' ? {} : { description }) };
  const end = argument.length;
  const start = end - description.length;
  const late = lateDefault.exec(description);
  if (late !== null) {
    const [, quoted = '', value = '', rest = ''] = late;
    const described = `${quoted.slice(1, -1)}${rest}`;
    const clear = value.startsWith("'") || beginsDescription.test(described) ? value : quoteText(value);
    const isOwn = isValue(type, unquoted(value));
    const meant = `${name} ${type} = ${isOwn ? clear : '...'} ${described}`.trimEnd();
    const message = t('The default goes before the description: {0}', `-- @param ${meant}`);
    return { ...typed, problem: { message, start, end, ...(isOwn ? { meant } : {}) } };
  }
  const [, value] = lateValue.exec(description) ?? [];
  if (value === undefined || !isLateValue(type, value, description)) return typed;
  const whole = /^(?:\S+|'(?:[^']|'')*')$/.test(value) ? value : quoteText(value);
  const shown = isValue(type, unquoted(whole)) ? whole : (/^\S+/.exec(value)?.[0] ?? '');
  const message = t('The default goes right after the type: {0}', `-- @param ${name} ${type} = ${shown}`);
  return { ...typed, problem: { message, start, end } };
}

/** A text is a default only after a sign that nothing else has. */
function isLateValue(type: string, value: string, description: string): boolean {
  if (elementTypeOf(type) === 'text') return description.startsWith(':=');
  return isValue(type, unquoted(value)) || isValue(type, /^\S+/.exec(value)?.[0] ?? '', true);
}

/** An operator of SQL, another item, a further number, text or time. */
const goesOn = /^(?:[-+*/%<>=~!@#^&|`?,;\d'"\u2212]|[\u2010-\u2015]\s*\d|\.\d|::|T\d|[ap]\.?m\b)/i;
/** An operator or a comma that misses what follows it. */
const isCutOff = /[-+*/%<>=,;|&]$/;

/** Returns whether the sign at the end of a text stands for any other text, as in LIKE. */
const isPattern = (type = 'text', word: string): boolean =>
  elementTypeOf(type) === 'text' && declaredChoices(type) === undefined && /[%*]$/.test(word);

const wordsMax = 8;

/** A bracket or a dash before it does not make an operator a description. */
const bareOf = (text: string): string => text.replace(/^[(\u2010-\u2015\s]+/u, '');

/** Returns the longer default that a line may mean; undefined if its default is one word. */
function meantDefault(type: string | undefined, word: string, after: string): string | undefined {
  const all = after === '' ? word : `${word} ${after}`;
  if (isOpen(word)) return all;
  const isCut =
    word.endsWith(',') ||
    (isCutOff.test(word) && !isPattern(type, word) && !isValue(type ?? 'text', word, true));
  if (isCut) return all;
  if (after === '') return undefined;
  const bare = bareOf(after);
  if (goesOn.test(after) || goesOnInWords(type, after) || (bare !== after && isCalculation(type, bare)))
    return longestValue(type, word, after) ?? all;
  if (bare !== after && isTimeWord(elementTypeOf(type ?? 'text'), bare)) return word;
  const longest = longestValue(type, word, after);
  if (longest !== undefined || !isLeftOver(type ?? 'text', word, after)) return longest;
  return type === undefined || elementTypeOf(type) === 'text' ? all : word;
}

/** The first character of a description: a capital letter, one without case, a bracket, a dash, or a picture. */
const beginsDescription = /^[\p{Lu}\p{Lt}\p{Lo}\p{So}(\u2010-\u2015]/u;
const unit = /^(?:[KMGTP](?:i?[Bb])?|Mio|Mrd|Bn)\.?(?=\s|$)/;
/** A further part of a number, in words or as an exponent or factor. */
const numberWord =
  /^(?:Lakhs?|Crores?|Tausend|Hundert|Million(?:en|s)?|Milliarden?|Mille|Mil|Milliards?|Dutzend)\b|^[十百千万萬億亿兆]|^e[-+]?\d|^[x×]\s*\d/iu;
const partOfDay = /^(?:morning|afternoon|evening|night)\b|^(?:午前|午後|上午|下午)/i;
const era = /^(?:B\.?\s?C|A\.?\s?D)\b/;
const zone = /^(?:Z|[A-Z]{2,5}|[A-Z][A-Za-z_]+\/[A-Z]\w+)(?![\w/])/;
/** A time that is told from the default on. */
const fromThere =
  /\b(?:seconds?|minutes?|hours?|days?|weeks?|months?|years?)\s+(?:ago|before|earlier|later|after)\b/i;
/** Key words of SQL, which a description does not begin with in capitals. */
const sqlWord = /^(?:AND|OR|NOT|LIKE|ILIKE|IN|IS|BETWEEN)\b/;

/** A capital letter, or one without case. */
const beginsName = /^[\p{Lu}\p{Lt}\p{Lo}]/u;
/** Names have small words between others, as in Bank of America. */
const isName =
  /^[\p{Lu}\p{Lt}\p{Lo}]\S*(?:\s+(?:(?:of|the|and|&|de|del|di|da|do|du|la|le|van|von|y|et)\s+)*[\p{Lu}\p{Lt}\p{Lo}]\S*)*$/u;

/** Returns whether the words after a default may belong to its value, although both together are no value. */
function isLeftOver(type: string, word: string, after: string): boolean {
  if (!beginsDescription.test(after) || sqlWord.test(after)) return true;
  const element = elementTypeOf(type);
  // Words that all begin as a name does may be one, such as New York, also as the last of a list.
  if (element === 'text' && declaredChoices(type) === undefined)
    return beginsName.test(word.slice(word.lastIndexOf(',') + 1)) && isName.test(after);
  if (/^[^\s\d]*\d/.test(after)) return true;
  // PostgreSQL reads a bare number as seconds, so the unit may be a word that it does not know.
  if (element === 'interval') return /^[-+]?[\d.]+$/.test(word);
  if (/^(?:int|float|numeric)/.test(element)) return unit.test(after) || numberWord.test(after);
  return isTimeWord(element, after);
}

/** Returns whether words after a time belong to it. */
function isTimeWord(element: string, words: string): boolean {
  if (!/^(?:date|time)/.test(element)) return false;
  if (partOfDay.test(words) || era.test(words) || fromThere.test(words)) return true;
  return element !== 'date' && (zone.test(words) || /^[ap]\.?m\b/i.test(words));
}

/** An operator, a range or a choice in words, such as `today minus 7 days`. */
const wordBetween = /^(?:minus|plus|less|times|to|until|till|through|or|and)\s+(\S+)/i;
const wordAfter = /^(?:hundred|thousand|million|billion|dozen|percent|noon|midnight|ago)\b/i;

/** Arithmetic in words, whatever follows. */
const arithmetic = /^(?:minus|plus|times|multiplied|divided)\b/i;

/** @param rest what follows a bracket or a dash. */
function isCalculation(type: string | undefined, rest: string): boolean {
  if (type === undefined || elementTypeOf(type) === 'text') return false;
  return /^[-+*/%\u2212]/.test(rest) || arithmetic.test(rest);
}

function goesOnInWords(type: string | undefined, after: string): boolean {
  if (type === undefined || elementTypeOf(type) === 'text') return false;
  if (arithmetic.test(after)) return true;
  const [, next] = wordBetween.exec(after) ?? [];
  return (
    wordAfter.test(after) || (next !== undefined && (/^[-+]?\d/.test(next) || isValue(type, next, true)))
  );
}

function meantQuoted(type: string | undefined, word: string, after: string): string | undefined {
  // A quote that ends a word ends a text, unless one begins there; an apostrophe stands in a word.
  const isStray = /\S'(?=\s|$)/.test(after) && !/(?:^|\s)'/.test(after);
  const isInWords = elementTypeOf(type ?? 'text') !== 'text' && arithmetic.test(after.replace(/^[(\s]+/, ''));
  return isStray || isInWords || quotedGoesOn.test(after) ? `${unquoted(word)} ${after}` : undefined;
}

/** A further text, or an operator with a number, a text or an interval. */
const quotedGoesOn = /^(?:[,'"]|::|\|\||\(?\s*[-+*/%\u2212\u2010-\u2015]\s*(?:['\d(]|interval\b))/i;

/** Quotes of SQL and of people that this line does not know. */
const otherQuotes = /^(?:[eubxn]&?'|\$\w*\$|array\[|[\u2018-\u201f\u00ab\u2039\u300c`])/i;

/** Returns whether a word begins a text or a list that it does not end. */
function isOpen(word: string): boolean {
  const count = (character: string) => word.split(character).length - 1;
  return (
    word.startsWith("'") ||
    otherQuotes.test(word) ||
    count('"') % 2 !== 0 ||
    (/^[[{(]/.test(word) &&
      (count('[') !== count(']') || count('{') !== count('}') || count('(') !== count(')')))
  );
}

/** Returns the longest text from the word on that is a value of a type other than text. */
function longestValue(type: string | undefined, word: string, after: string): string | undefined {
  if (type === undefined || isListType(type)) return undefined;
  if (elementTypeOf(type) === 'text' && declaredChoices(type) === undefined) return undefined;
  const words = after.split(/\s+/).slice(0, wordsMax);
  for (let count = words.length; count > 0; count -= 1) {
    const longer = [word, ...words.slice(0, count)].join(' ');
    if (isValue(type, longer, true) || isChoice(type, longer)) return longer;
  }
  return undefined;
}

/** Returns whether an enumeration has the text, perhaps in other letters. */
const isChoice = (type: string, text: string): boolean =>
  declaredChoices(type)?.some((choice) => choice.toLowerCase() === text.toLowerCase()) === true;

const intervalUnit =
  '(?:microseconds?|milliseconds?|seconds?|secs?|s|minutes?|mins?|m|hours?|hrs?|h|days?|d|weeks?|w|months?|mons?|years?|yrs?|y|decades?|centur(?:y|ies)|millenni(?:um|a))';
const interval = new RegExp(
  String.raw`^@?\s*(?:(?:[-+]?(?:\d+(?:\.\d*)?|\.\d+)\s*${intervalUnit}|[-+]?\d+(?::\d\d){1,2}(?:\.\d+)?|[-+]?\d+-\d+|[-+]?\d+(?:\.\d*)?)(?:\s+|(?<=[a-z])(?=[-+\d])|$))+(?:ago)?$|^-?P[\dYMWDTHS.,-]+$|^-?infinity$`,
  'i',
);

/** @param isStrict whether only what is surely a value of the type is one. */
function isValue(type: string, text: string, isStrict = false): boolean {
  if (isListType(type)) return isListValue(type, text);
  const element = elementTypeOf(type);
  if (declaredChoices(type) === undefined) {
    if (isStrict && (unchecked.has(element) || (element === 'interval' && !interval.test(text.trim()))))
      return false;
    if ((controlOf(type) === 'text' || element === 'numeric') && isRefusedInput(type, text)) return false;
  }
  return parseValue(type, text, new Date(0)).problem === undefined;
}

function isListValue(type: string, text: string): boolean {
  const parsed = parseValue(type, text, new Date(0));
  const element = type.trimEnd().slice(0, -2);
  return (
    parsed.problem === undefined && splitList(text).every((item) => item === null || isValue(element, item))
  );
}

/** Types of which a text that is not surely refused need not be a value. */
const unchecked = new Set(['text', 'time', 'timetz', 'inet', 'cidr', 'bytea']);

/** Returns whether a default is no value of its type; an unknown type has any value. */
export function isWrongDefault({ type = 'text', defaultValue }: ParameterLine): boolean {
  return defaultValue !== undefined && !isValue(type, defaultValue);
}

/** Returns why the line's default must not be used; undefined if it may, or if there is none. */
export function defaultProblem(line: ParameterLine): string | undefined {
  const { name, type = 'text', problem } = line;
  if (problem !== undefined) return problem.message;
  return isWrongDefault(line) ? t('The default of "{0}" is not of type {1}.', name, type) : undefined;
}

export function declaredTwice(name: string): string {
  return t('"{0}" is declared twice. Remove one of the lines.', name);
}

function unquoted(text: string): string {
  return text.startsWith("'") && text.endsWith("'") && text.length > 1
    ? text.slice(1, -1).replaceAll("''", "'")
    : text;
}
