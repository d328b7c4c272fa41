/** Rewrites calls of other databases' functions, where PostgreSQL has an exact equivalent. */
import { t } from '#base/texts.ts';
import type { Edit } from '../text/edits.ts';
import { TokenKind, type TokenList } from '../text/lexer/tokens.ts';
import type { StatementSpan } from '../text/statements.ts';
import { equivalentCall, replacementOfType } from '../types/catalogue/foreign-names.ts';
import type { Fix } from './finding.ts';
import { unitOf } from './foreign-units.ts';
import { advise, insertAt, type Advice } from './syntax/advice.ts';
import { openingAround } from './syntax/parentheses.ts';

/** How tightly a rewritten call binds: like a name or a call, like an addition, or like `IS NULL`. */
type Binding = 'call' | 'sum' | 'test';

interface Rewritten {
  readonly text: string;
  readonly binding: Binding;
}

/** Arguments as written; `operand` returns one with parentheses, unless it is a name, a constant or a call. */
interface Arguments {
  readonly list: readonly string[];
  readonly operand: (index: number) => string;
  /** Returns whether the argument is a lone constant or parameter, whose type depends on its place. */
  readonly isUntyped: (index: number) => boolean;
}

/**
 * The equivalents of calls whose names PostgreSQL has, too, or that are explained otherwise. An equivalent is for as many
 * arguments as `{0}` to `{3}` name. The type of an argument may still make it invalid, which is checked before a fix is
 * offered.
 */
const calls: Readonly<Record<string, string>> = {
  isnull: 'coalesce({0}, {1})',
  trunc: "date_trunc('day', {0})",
  to_date: 'CAST({0} AS date)',
  to_number: 'CAST({0} AS numeric)',
};

/** Rewrites whose text depends on more than the number of arguments. */
const rewrites: Readonly<Record<string, (given: Arguments, name: string) => Rewritten | undefined>> = {
  isnull: (given) =>
    given.list.length === 1 ? { text: `${given.operand(0)} IS NULL`, binding: 'test' } : undefined,
  group_concat: joined,
  listagg: joined,
  date_sub: moved,
  subdate: moved,
  timestamp_sub: moved,
  datetime_sub: moved,
  timestamp_add: moved,
  datetime_add: moved,
  dateadd: added,
  timestampadd: added,
  datediff: daysBetween,
  decode: choice,
  datepart: ({ list: [unit = '', value] }) => {
    const field = unitOf(unit)?.field;
    return field === undefined || value === undefined
      ? undefined
      : { text: `extract(${field} FROM ${value})`, binding: 'call' };
  },
  datetrunc: ({ list: [unit = '', value] }) => {
    const field = unitOf(unit)?.field;
    return field === undefined || value === undefined
      ? undefined
      : { text: `date_trunc('${field.toLowerCase()}', ${value})`, binding: 'call' };
  },
};

/** Returns the fix for the call whose name is the token at `name`. */
export function foreignCallFix(code: TokenList, name: number): Fix | undefined {
  const word = code.word(name);
  if (word === 'count') return countFix(code, name);
  if (/^(?:try_)?convert$/.test(word)) return convertedValue(code, name)?.fix;
  const read = readArguments(code, name + 1);
  if (read === undefined) return undefined;
  const written = rewritten(word, read.given);
  if (written === undefined) return undefined;
  const sorted = sortedWithin(code, name, read.last, written.text);
  if (sorted !== undefined) return sorted;
  const whole = inPlace(code, { first: name, last: read.last }, written);
  const opening = written.text.indexOf('(') + 1;
  // A call that only needs another name keeps its arguments as they are, with their comments.
  const isRenamed = opening > 0 && written.text.slice(opening) === `${read.given.list.join(', ')})`;
  if (!isRenamed && hasComments(code, name, read.last)) return undefined;
  return {
    title: t('Replace with {0}', shorten(whole)),
    edits: [
      isRenamed
        ? { start: code.start(name), end: code.end(name), newText: written.text.slice(0, opening - 1) }
        : { start: code.start(name), end: code.end(read.last), newText: whole },
    ],
  };
}

/** Handles `count()` and `count(DISTINCT a, b)`. */
function countFix(code: TokenList, name: number): Fix | undefined {
  if (code.is(name + 1, '(') && code.is(name + 2, ')'))
    return { title: t('Write {0}', '*'), edits: [insertAt(code.end(name + 1), '*')] };
  const last = code.word(name + 2) === 'distinct' ? readArguments(code, name + 1)?.last : undefined;
  return last === undefined
    ? undefined
    : {
        title: t('Write {0}', 'count(DISTINCT (...))'),
        edits: [insertAt(code.start(name + 3), '('), insertAt(code.start(last), ')')],
      };
}

/** Handles `string_agg(a, ',') WITHIN GROUP (ORDER BY b)`. */
export function aggregateFix(code: TokenList, name: number): Fix | undefined {
  if (code.word(name) === 'count') return countFix(code, name);
  const last = readArguments(code, name + 1)?.last;
  return last === undefined
    ? undefined
    : sortedWithin(code, name, last, code.text.slice(code.start(name), code.end(last)));
}

/** Handles `LISTAGG(a, ',') WITHIN GROUP (ORDER BY b)`, whose order goes into the parentheses. */
function sortedWithin(code: TokenList, name: number, close: number, text: string): Fix | undefined {
  const open = close + 3;
  if (code.word(close + 1) !== 'within' || code.word(close + 2) !== 'group' || !code.is(open, '('))
    return undefined;
  const end = readArguments(code, open)?.last;
  if (end === undefined) return undefined;
  const newText = `${text.slice(0, -1)} ${code.text.slice(code.end(open), code.start(end)).trim()})`;
  return {
    title: t('Replace with {0}', shorten(newText)),
    edits: [{ start: code.start(name), end: code.end(end), newText }],
  };
}

/** Handles `LISTAGG(DISTINCT a, ',') WITHIN GROUP (ORDER BY a)`, where PostgreSQL stops at WITHIN. */
export function distinctWithin(code: TokenList, _span: StatementSpan, at: number): Advice | undefined {
  if (code.word(at) !== 'within' || code.word(at + 1) !== 'group' || !code.is(at - 1, ')')) return undefined;
  const name = (openingAround(code, at - 1) ?? 0) - 1;
  if (code.word(name + 2) !== 'distinct') return undefined;
  const [value = '', ...rest] = readArguments(code, name + 1)?.given.list ?? [];
  const orders = readArguments(code, at + 2)?.given.list ?? [];
  const isSorted = /\border\s+by\b/i.test(rest.join());
  const fix = isSorted || !isOrderedBy(value, orders.join()) ? undefined : listFix(code, name, rest.length);
  return fix === undefined
    ? { text: t('Leave {0} out.', isSorted ? 'WITHIN GROUP' : 'DISTINCT') }
    : { text: t('Write {0}.', shorten(fix.edits[0]?.newText ?? '')), fix };
}

function listFix(code: TokenList, name: number, separators: number): Fix | undefined {
  switch (code.word(name)) {
    case 'listagg':
    case 'group_concat':
      return foreignCallFix(code, name);
    case 'string_agg':
      return separators === 1 ? aggregateFix(code, name) : undefined;
    default:
      return undefined;
  }
}

/** Returns whether the order is by the value of `DISTINCT value`: PostgreSQL has no other with DISTINCT. */
function isOrderedBy(distinct: string, order: string): boolean {
  const plain = (text: string): string => (/['"]/.test(text) ? text : text.toLowerCase());
  const [value, by] = [distinct, order].map((text) => text.replaceAll(/\s+/g, ' '));
  const own = /^distinct ?(.+)$/i.exec(value ?? '')?.[1];
  const sorted = /^order by ?(.+?)(?: (?:asc|desc))?(?: nulls (?:first|last))?$/i.exec(by ?? '')?.[1];
  return own !== undefined && sorted !== undefined && plain(own) === plain(sorted);
}

const conversionTypes: ReadonlySet<string> = new Set(
  'varchar char text int integer bigint smallint decimal numeric real float date time timestamp money'.split(
    ' ',
  ),
);

/** Types of other databases whose length or precision PostgreSQL writes in the same place. */
const typesWithLength: Readonly<Record<string, string>> = {
  nvarchar: 'varchar',
  varchar2: 'varchar',
  nvarchar2: 'varchar',
  string: 'varchar',
  nchar: 'char',
  number: 'numeric',
  datetime2: 'timestamp',
  datetimeoffset: 'timestamptz',
};

/** Returns the PostgreSQL type that an argument names; undefined if it is a value. */
function namedType(argument: string): string | undefined {
  const parts = /^(\w+)\s*(\((?:max|[\d\s,]+)\))?$/i.exec(argument);
  const [name, length] = [parts?.[1]?.toLowerCase() ?? '', parts?.[2]];
  if (length?.toLowerCase().includes('max') === true)
    return name === 'varchar' || name === 'char' ? 'text' : replacementOfType(name);
  if (conversionTypes.has(name)) return argument;
  if (name === 'bit') return 'boolean';
  if (name === 'datetime') return 'timestamp';
  const same =
    length !== undefined && Object.hasOwn(typesWithLength, name) ? typesWithLength[name] : undefined;
  return same === undefined ? replacementOfType(name) : `${same}${length ?? ''}`;
}

/** Returns the fix for the type whose name is the token at `name`, with its length. */
export function foreignTypeFix(code: TokenList, name: number): Fix | undefined {
  let last = name;
  if (code.is(name + 1, '(')) {
    while (last < name + 5 && !code.is(last, ')')) last++;
  }
  const newText = namedType(code.text.slice(code.start(name), code.end(last)));
  return newText === undefined
    ? undefined
    : { title: t('Write {0}', newText), edits: [{ start: code.start(name), end: code.end(last), newText }] };
}

/** Returns the name of the `CONVERT` whose parentheses directly enclose the token. */
export function conversionAround(code: TokenList, at: number): number | undefined {
  const name = (openingAround(code, at) ?? 0) - 1;
  return ['convert', 'try_convert'].includes(code.word(name)) ? name : undefined;
}

/** The formats of dates that SQL Server's styles stand for, and that differ from PostgreSQL's own format. */
const styles: Readonly<Record<string, string>> = {
  '101': 'MM/DD/YYYY',
  '102': 'YYYY.MM.DD',
  '103': 'DD/MM/YYYY',
  '104': 'DD.MM.YYYY',
  '105': 'DD-MM-YYYY',
  '110': 'MM-DD-YYYY',
  '111': 'YYYY/MM/DD',
  '112': 'YYYYMMDD',
};

/**
 * Returns advice to write `CAST(value AS type)` for `CONVERT(type, value)` and `CONVERT(value, type)`. A style that
 * gives a date another format has no fix, since the type of the value is not known here.
 * @param name the token with the name of the function
 */
function convertedValue(code: TokenList, name: number): Advice | undefined {
  const read = readArguments(code, name + 1);
  if (read === undefined || hasComments(code, name, read.last)) return undefined;
  const [one = '', two = '', style = '', ...others] = read.given.list;
  const [first, second] = [namedType(one), namedType(two)];
  if (two === '' || others.length > 0 || (first === undefined) === (second === undefined)) return undefined;
  const [value, type = ''] = first === undefined ? [one, second] : [two, first];
  const newText = `CAST(${value} AS ${type})`;
  const format = Object.hasOwn(styles, style) ? styles[style] : undefined;
  if (format !== undefined && /^(?:date|time)/i.test(type))
    return { text: t('Write {0}.', t('{0}, or {1}', `to_date(${value}, '${format}')`, newText)) };
  if (format !== undefined && /char|text/i.test(type))
    return { text: t('Write {0}.', `to_char(${value}, '${format}')`) };
  const edit: Edit = { start: code.start(name), end: code.end(read.last), newText };
  return advise(t('Write {0}.', newText), t('Write {0}', newText), edit);
}

/** Returns the advice to cast, for a token directly inside a `CONVERT` that can be rewritten. */
export function castAdvice(code: TokenList, at: number): Advice | undefined {
  const name = conversionAround(code, at);
  return name === undefined ? undefined : convertedValue(code, name);
}

/** Returns the same for the type that stands first, as `date` in `CONVERT(date, value)`, which is no misspelled column. */
export function firstTypeAdvice(code: TokenList, at: number): Advice | undefined {
  const name = code.is(at - 1, '(') ? conversionAround(code, at) : undefined;
  const first = name === undefined ? undefined : readArguments(code, name + 1)?.given.list[0];
  return first === undefined || namedType(first) === undefined ? undefined : castAdvice(code, at);
}

/** Returns the advice for a type such as `nvarchar(10)` in `CONVERT`, which PostgreSQL reads as a call. */
export function typeAsCall(code: TokenList, at: number): Advice | undefined {
  return replacementOfType(code.word(at)) === undefined ||
    code.word(conversionAround(code, at) ?? at) !== 'convert'
    ? undefined
    : castAdvice(code, at);
}

/** `DECODE(value, one, two, ..., other)`. NULL is left alone, since DECODE finds it, and CASE does not. */
function choice({ list }: Arguments): Rewritten | undefined {
  const [value = '', ...rest] = list;
  const pairs = Array.from({ length: rest.length >> 1 }, (_, index) => rest.slice(2 * index, 2 * index + 2));
  if (pairs.length === 0 || pairs.some(([one = '']) => one.toLowerCase() === 'null')) return undefined;
  const cases = pairs.map(([one = '', two = '']) => `WHEN ${one} THEN ${two}`).join(' ');
  const other = rest.length % 2 === 1 ? ` ELSE ${rest.at(-1) ?? ''}` : '';
  return { text: `CASE ${value} ${cases}${other} END`, binding: 'call' };
}

const titleLengthMax = 60;

function shorten(text: string): string {
  const characters = [...text.replaceAll(/\s+/g, ' ')];
  return characters.length <= titleLengthMax
    ? characters.join('')
    : `${characters.slice(0, titleLengthMax - 1).join('')}…`;
}

function rewritten(name: string, given: Arguments): Rewritten | undefined {
  const own = Object.hasOwn(rewrites, name) ? rewrites[name]?.(given, name) : undefined;
  const pattern = Object.hasOwn(calls, name) ? calls[name] : equivalentCall(name);
  if (own !== undefined || pattern === undefined) return own;
  return argumentCount(pattern) === given.list.length
    ? {
        text: pattern.replaceAll(/\{(\d)\}/g, (_, index: string) => given.list[Number(index)] ?? ''),
        binding: 'call',
      }
    : undefined;
}

const argumentCount = (pattern: string): number => new Set(pattern.match(/\{\d\}/g)).size;

/** `DATEADD(day, 3, d)`: an untyped value would be read as an interval. */
function added({ list, operand, isUntyped }: Arguments): Rewritten | undefined {
  const [unit = '', count = ''] = list;
  const found = unitOf(unit);
  if (list.length !== 3 || found === undefined || isUntyped(2)) return undefined;
  const number = /^(?<sign>-?)\s*(?<digits>\d{1,9})$/.exec(count)?.groups;
  if (number !== undefined) {
    const amount = Number(number.digits) * found.count;
    const words = `${amount} ${found.name}${amount === 1 ? '' : 's'}`;
    return { text: `${operand(2)} ${number.sign === '-' ? '-' : '+'} INTERVAL '${words}'`, binding: 'sum' };
  }
  // Other databases drop the fraction of a number.
  if (/^[-+]?\s*[\d.]/.test(count)) return undefined;
  const one = `INTERVAL '${found.count} ${found.name}${found.count === 1 ? '' : 's'}'`;
  return { text: `${operand(2)} + ${operand(1)} * ${one}`, binding: 'sum' };
}

/** `DATE_SUB(a, INTERVAL '1 day')` and `TIMESTAMP_ADD`. */
function moved({ list, operand }: Arguments, name: string): Rewritten | undefined {
  const [, interval = ''] = list;
  return list.length === 2 && /^interval\b/i.test(interval)
    ? { text: `${operand(0)} ${name.endsWith('add') ? '+' : '-'} ${interval}`, binding: 'sum' }
    : undefined;
}

/** `GROUP_CONCAT(a)` and `LISTAGG(a, ',')`. */
function joined({ list }: Arguments, name: string): Rewritten | undefined {
  const [value = '', separator] = list;
  if (list.length === 0 || list.length > 2 || (name === 'group_concat' && list.length > 1)) return undefined;
  const written = separator ?? (name === 'listagg' ? "''" : "','");
  const order = value.search(/\border\s+by\b/i);
  const [own, by] = order < 0 ? [value, ''] : [value.slice(0, order).trim(), ` ${value.slice(order)}`];
  return { text: `string_agg(${own}, ${written}${by})`, binding: 'call' };
}

/** Only days: for other units, databases count the boundaries between two times. */
function daysBetween({ list, operand }: Arguments): Rewritten | undefined {
  const [unit = ''] = list;
  const isOfDays = list.length === 3 && unitOf(unit)?.field === 'DAY';
  if (!isOfDays && list.length !== 2) return undefined;
  const [later, earlier] = isOfDays ? [2, 1] : [0, 1];
  return { text: `${operand(later)}::date - ${operand(earlier)}::date`, binding: 'sum' };
}

/** Adds parentheses, unless the words around the call certainly bind less tightly than what replaces it. */
function inPlace(
  code: TokenList,
  { first, last }: { readonly first: number; readonly last: number },
  { text, binding }: Rewritten,
): string {
  if (binding === 'call') return text;
  const isLoose = (index: number): boolean =>
    index < 0 ||
    index >= code.length ||
    [',', '(', ')', ';'].some((symbol) => code.is(index, symbol)) ||
    looseWords.has(code.word(index)) ||
    (binding === 'sum' && comparisons.some((symbol) => code.is(index, symbol)));
  return isLoose(first - 1) && isLoose(last + 1) ? text : `(${text})`;
}

const looseWords: ReadonlySet<string> = new Set(
  `select where on having and or when then else end as by from group order limit union except intersect asc desc
   distinct all`.split(/\s+/),
);
const comparisons = ['=', '<', '>', '<=', '>=', '<>', '!='];

/** Reads the arguments between parentheses; `last` is the closing one. */
function readArguments(
  code: TokenList,
  open: number,
): { readonly given: Arguments; readonly last: number } | undefined {
  if (!code.is(open, '(')) return undefined;
  const spans: { readonly from: number; readonly to: number }[] = [];
  let depth = 0;
  let from = open + 1;
  for (let index = open; index < code.length; index++) {
    if (code.is(index, '(') || code.is(index, '[')) {
      depth++;
    } else if (code.is(index, ')') || code.is(index, ']')) {
      depth--;
    }
    if (depth === 0 || (depth === 1 && code.is(index, ','))) {
      if (index > from) spans.push({ from, to: index - 1 });
      from = index + 1;
    }
    if (depth > 0) continue;
    const list = spans.map(({ from: first, to }) => code.text.slice(code.start(first), code.end(to)));
    const operand = (at: number): string => {
      const span = spans[at];
      return span === undefined || isPrimary(code, span) ? (list[at] ?? '') : `(${list[at] ?? ''})`;
    };
    const isUntyped = (at: number): boolean => {
      const span = spans[at];
      return span !== undefined && span.from === span.to && !isName(code, span.from);
    };
    return { given: { list, operand, isUntyped }, last: index };
  }
  return undefined;
}

const isName = (code: TokenList, index: number): boolean =>
  code.kind(index) === TokenKind.quotedName ||
  (code.kind(index) === TokenKind.word && code.word(index) !== 'null');

/** Returns whether the tokens are a constant, a dotted name, or either a call or a group in parentheses. */
function isPrimary(code: TokenList, { from, to }: { readonly from: number; readonly to: number }): boolean {
  if (from === to) return !code.is(from, '*');
  let index = from;
  while (isName(code, index) && code.is(index + 1, '.')) index += 2;
  if (isName(code, index)) index++;
  if (index > to) return true;
  let depth = 0;
  for (; index <= to; index++) {
    depth += code.is(index, '(') ? 1 : code.is(index, ')') ? -1 : 0;
    if (depth === 0) return index === to && code.is(index, ')');
  }
  return false;
}

/** Returns whether something besides spaces is between the tokens. */
function hasComments(code: TokenList, first: number, last: number): boolean {
  for (let index = first; index < last; index++) {
    if (code.text.slice(code.end(index), code.start(index + 1)).trim() !== '') return true;
  }
  return false;
}
