/**
 * Parses the directives of a control: a query whose leading comments state the expected result. Has no side effects.
 */
import { t } from '#base/texts.ts';
import type { Directive, MisplacedDirective } from './directives.ts';
import { keepText, parseKeep } from './keep-directive.ts';
import { lex } from './lexer/lex.ts';
import { placeholdersOf, type Placeholder } from './placeholders.ts';

export const controlSeverities = ['none', 'low', 'medium', 'high', 'critical'] as const;
export type ControlSeverity = (typeof controlSeverities)[number];

export const aggregates = ['count', 'distinct', 'sum', 'min', 'max', 'avg'] as const;
export type Aggregate = (typeof aggregates)[number];

const comparisons = ['<', '<=', '=', '!=', '>', '>='] as const;
export type Comparison = (typeof comparisons)[number];

/** The words allowed after `@` in a comment. */
export const directiveNames = [
  'model',
  'param',
  'control',
  'expect',
  'warn_if',
  'error_if',
  'severity',
  'key',
  'owner',
  'tags',
  'population',
  'keep',
] as const;
export type DirectiveName = (typeof directiveNames)[number];

export interface ColumnWord {
  /** The name without quotes. Unquoted names are in lower case, as in PostgreSQL. */
  readonly name: string;
  /** UTF-16 offsets, including any quotes. */
  readonly start: number;
  readonly end: number;
}

export type Measure =
  | { readonly kind: 'rows' }
  | { readonly kind: 'aggregate'; readonly aggregate: Aggregate; readonly column: ColumnWord };

export interface Condition {
  readonly measure: Measure;
  readonly comparison: Comparison;
  /** A decimal number as written. */
  readonly value: string;
  /** The canonical form, for example `rows > 5`. */
  readonly text: string;
}

export type Expectation =
  | { readonly kind: 'no-rows' }
  | { readonly kind: 'one-row' }
  | { readonly kind: 'rows' }
  /** The column contains the outcome of each row. */
  | { readonly kind: 'column'; readonly column: ColumnWord };

/** A tag such as `soc2=CC6.1`, or a name without a value. */
export interface Tag {
  readonly name: string;
  readonly value?: string;
}

/** The query that counts what the control looks at, as a part of the comment. */
export interface Population {
  /** UTF-16 offsets of the query. */
  readonly start: number;
  readonly end: number;
  /** The least number for which the control may pass. */
  readonly least: string;
}

export interface ControlProblem {
  readonly kind: 'invalid' | 'unknown-directive' | 'repeated' | 'misplaced';
  /** One or two sentences: the problem and the remedy. */
  readonly message: string;
  /** UTF-16 offsets. */
  readonly start: number;
  readonly end: number;
}

export interface ControlDirectives {
  /** Empty if missing or invalid; see `problems`. */
  readonly id: string;
  readonly title: string;
  readonly expect?: Expectation;
  readonly warnIf?: Condition;
  readonly errorIf?: Condition;
  readonly severity?: ControlSeverity;
  readonly key: readonly ColumnWord[];
  readonly owner?: string;
  readonly tags: readonly Tag[];
  readonly population?: Population;
  /** The first occurrence of each directive. */
  readonly places: ReadonlyMap<DirectiveName, Directive>;
  readonly problems: readonly ControlProblem[];
}

const names: ReadonlySet<string> = new Set(directiveNames);
/** Directives that may be repeated: a later one adds to the first or overrides it. */
const repeatable: ReadonlySet<string> = new Set(['model', 'param', 'tags', 'population']);

/** Directives that a query without `@control` may have, too. */
const commonNames: ReadonlySet<string> = new Set(['model', 'param', 'keep']);

/**
 * Returns undefined if the text is not a control, that is, if it has no `@control`. One in the middle of prose counts
 * only beside another directive of controls. A rule that would be ignored is a
 * problem, so that a control never passes by a mistake in its comments.
 * @param misplaced what is written like a directive where it has no effect.
 */
export function readControlDirectives(
  directives: readonly Directive[],
  misplaced: readonly MisplacedDirective[],
): ControlDirectives | undefined {
  const isOfControl = directives.some(({ name }) => isDirectiveName(name) && !commonNames.has(name));
  const isMeant = ({ isInProse }: MisplacedDirective) => !isInProse || isOfControl;
  if (![...directives, ...misplaced.filter(isMeant)].some(isControlName)) return undefined;
  const problems = misplaced.flatMap((directive): readonly ControlProblem[] => {
    const place = placeOf(directive);
    if (isDirectiveWord(directive))
      return [{ kind: 'misplaced', message: misplacedDirective(directive), ...place }];
    return directive.isMeant
      ? [{ kind: 'unknown-directive', message: unknownDirective(directive), ...place }]
      : [];
  });
  const places = new Map<DirectiveName, Directive>();
  for (const directive of directives) {
    if (!isDirectiveName(directive.name)) {
      problems.push({
        kind: 'unknown-directive',
        message: unknownDirective(directive),
        ...placeOf(directive),
      });
    } else if (!places.has(directive.name)) places.set(directive.name, directive);
    else if (!repeatable.has(directive.name)) {
      const message = t('A control has one @{0}. Remove this line or the one before.', directive.name);
      problems.push({ kind: 'repeated', message, ...placeOf(directive) });
    }
  }
  const read = <Value>(name: DirectiveName, parse: Parse<Value>): Value | undefined => {
    const directive = places.get(name);
    const parsed = directive === undefined ? undefined : parse(directive);
    if (parsed?.problem !== undefined && directive !== undefined)
      problems.push({ kind: 'invalid', message: parsed.problem, ...placeOf(directive) });
    return parsed?.value;
  };
  // A control that is only named in the wrong place is one, so that it is not left out silently.
  const named = [...directives, ...misplaced].find(isControlName);
  if (named !== undefined && !places.has('control')) places.set('control', named);
  const head = read('control', parseHead);
  const population = readPopulation(directives, problems);
  const tags = directives.filter(({ name }) => name === 'tags').flatMap(tagsOf);
  read('tags', parseTags);
  read('keep', parseKeep);
  return {
    id: head?.id ?? '',
    title: head?.title ?? '',
    key: read('key', parseKey) ?? [],
    tags,
    places,
    ...defined('expect', read('expect', parseExpectation)),
    ...defined('warnIf', read('warn_if', parseCondition)),
    ...defined('errorIf', read('error_if', parseCondition)),
    ...defined('severity', read('severity', parseSeverity)),
    ...defined('owner', read('owner', parseOwner)),
    ...defined('population', population),
    problems: problems.sort((a, b) => a.start - b.start),
  };
}

export function isDirectiveName(name: string): name is DirectiveName {
  return names.has(name);
}

/** Whether a word is that of a directive, in whatever case it is written. */
export function isDirectiveWord({ name }: Pick<Directive, 'name'>): boolean {
  return isDirectiveName(name.toLowerCase());
}

function isControlName({ name }: Pick<Directive, 'name'>): boolean {
  return name.toLowerCase() === 'control';
}

export function unknownDirective({ name }: Pick<Directive, 'name'>): string {
  return t(
    'There is no directive @{0}. The directives are: {1}.',
    name,
    directiveNames.map((each) => `@${each}`).join(', '),
  );
}

export function misplacedDirective({ name, isInProse }: MisplacedDirective): string {
  if (isInProse)
    return t(
      '@{0} has no effect after other words. Write it at the start of a comment above the query: -- @{0} ... If it is only mentioned, put it in quotes.',
      name.toLowerCase(),
    );
  return t(
    '@{0} has no effect here. Write it above the query, as a comment of its own line: -- @{0} ...',
    name.toLowerCase(),
  );
}

/** Returns a directive's argument in canonical form; undefined if it cannot be parsed. */
export function writtenArgument(directive: Directive): string | undefined {
  switch (directive.name) {
    case 'control': {
      const head = parseHead(directive).value;
      return head && [head.id, ...directive.argument.split(/\s+/).slice(1)].join(' ');
    }
    case 'expect': {
      const value = parseExpectation(directive).value;
      return value && expectationText(value, directive.argument);
    }
    case 'warn_if':
    case 'error_if':
      return parseCondition(directive).value?.text;
    case 'severity':
      return parseSeverity(directive).value;
    case 'key':
      return parseKey(directive)
        .value?.map(({ start, end }) =>
          directive.argument.slice(start - directive.argumentStart, end - directive.argumentStart),
        )
        .join(', ');
    case 'tags':
      return parseTags(directive).value?.map(tagText).join(' ');
    case 'keep': {
      const { value } = parseKeep(directive);
      return value && keepText(value);
    }
    default:
      return undefined;
  }
}

/** Formats a tag, for example `soc2=CC6.1`. */
export function tagText({ name, value }: Tag): string {
  return value === undefined ? name : `${name}=${value}`;
}

type Parsed<Value> =
  | { readonly value: Value; readonly problem?: undefined }
  | { readonly value?: undefined; readonly problem: string };
type Parse<Value> = (directive: Directive) => Parsed<Value>;

/** IDs appear in file names, reports and URLs, so only plain characters are allowed. */
const idPattern = /^[A-Za-z0-9][\w.:-]{0,63}$/;

function parseHead({ argument }: Directive): Parsed<{ readonly id: string; readonly title: string }> {
  const [id = '', ...words] = argument.split(/\s+/);
  if (!idPattern.test(id))
    return {
      problem: t(
        'Write an ID and a title: -- @control MFA-01 Admins without MFA. An ID has up to 64 letters, digits, periods, hyphens, underscores and colons.',
      ),
    };
  return { value: { id, title: words.join(' ') } };
}

function parseExpectation({ argument, argumentStart }: Directive): Parsed<Expectation> {
  const words = argument.toLowerCase().split(/\s+/).join(' ');
  if (words === 'no rows') return { value: { kind: 'no-rows' } };
  if (words === 'one row') return { value: { kind: 'one-row' } };
  if (words === 'rows') return { value: { kind: 'rows' } };
  const match = /^column\s+/i.exec(argument);
  const column = match && columnAt(argument, match[0].length, argumentStart);
  if (match && column && match[0].length + lengthOf(column) === argument.length)
    return { value: { kind: 'column', column } };
  return { problem: t('Write what is expected: no rows, one row, rows, or column and its name.') };
}

function expectationText(expectation: Expectation, argument: string): string {
  switch (expectation.kind) {
    case 'no-rows':
      return 'no rows';
    case 'one-row':
      return 'one row';
    case 'rows':
      return 'rows';
    case 'column':
      return `column ${argument.slice(argument.length - lengthOf(expectation.column))}`;
    default:
      return expectation satisfies never;
  }
}

const conditionHelp = (): string =>
  t(
    'Write a count and a number: rows > 5, or an aggregate of a column: count, distinct, sum, min, max or avg, as in sum(amount) >= 100.',
  );
const right = /^\s*(<=|>=|!=|<>|<|>|==?)\s*(\S*)$/;

function parseCondition({ argument, argumentStart }: Directive): Parsed<Condition> {
  const left = measureOf(argument, argumentStart);
  if (left === undefined) return { problem: conditionHelp() };
  const [, operator, value = ''] = right.exec(argument.slice(left.length)) ?? [];
  if (operator === undefined) return { problem: conditionHelp() };
  if (!/^[+-]?(?:\d+(?:\.\d+)?|\.\d+)$/.test(value) || value.length > 40)
    return { problem: t('A threshold is a number. {0}', conditionHelp()) };
  const comparison = comparisonOf(operator);
  const { measure, text } = left;
  return { value: { measure, comparison, value, text: `${text} ${comparison} ${value}` } };
}

function measureOf(
  argument: string,
  offset: number,
): { readonly measure: Measure; readonly text: string; readonly length: number } | undefined {
  const rows = /^rows\b/i.exec(argument);
  if (rows !== null) return { measure: { kind: 'rows' }, text: 'rows', length: rows[0].length };
  const call = /^([a-z]+)\s*\(\s*/i.exec(argument);
  const aggregate = aggregates.find((each) => each === call?.[1]?.toLowerCase());
  if (call === null || aggregate === undefined) return undefined;
  const column = columnAt(argument, call[0].length, offset);
  if (column === undefined) return undefined;
  const behind = call[0].length + lengthOf(column);
  const close = /^\s*\)/.exec(argument.slice(behind));
  if (close === null) return undefined;
  return {
    measure: { kind: 'aggregate', aggregate, column },
    text: `${aggregate}(${argument.slice(call[0].length, behind)})`,
    length: behind + close[0].length,
  };
}

function comparisonOf(operator: string): Comparison {
  if (operator === '<>') return '!=';
  if (operator === '==') return '=';
  return comparisons.find((each) => each === operator) ?? '=';
}

function parseSeverity({ argument }: Directive): Parsed<ControlSeverity> {
  const value = controlSeverities.find((each) => each === argument.toLowerCase());
  return value === undefined
    ? {
        problem:
          argument === ''
            ? t('The severity is missing. Write one of: {0}.', controlSeverities.join(', '))
            : t('This is not a severity. Write one of: {0}.', controlSeverities.join(', ')),
      }
    : { value };
}

function parseKey({ argument, argumentStart }: Directive): Parsed<readonly ColumnWord[]> {
  const columns: ColumnWord[] = [];
  let at = 0;
  for (;;) {
    const column = columnAt(argument, at, argumentStart);
    if (column === undefined) break;
    columns.push(column);
    at += lengthOf(column);
    if (at === argument.length) return { value: columns };
    const between = /^\s*,\s*|^\s+/.exec(argument.slice(at));
    if (between === null) break;
    at += between[0].length;
  }
  return { problem: t('Write the columns that identify a row: -- @key account_id, application_id') };
}

function parseOwner({ argument }: Directive): Parsed<string> {
  return argument === ''
    ? { problem: t('Write who owns the control: -- @owner iam-team') }
    : { value: argument };
}

/**
 * Reads the query of the population, and the least number that a second line may state. An empty population says that
 * the query looks at nothing, so it is never enough unless it is allowed.
 */
function readPopulation(
  directives: readonly Directive[],
  problems: ControlProblem[],
): Population | undefined {
  const lines = directives.filter(({ name }) => name === 'population');
  const [first] = lines;
  if (first === undefined) return undefined;
  const isLeast = ({ argument }: Directive) => /^[<>=!]/.test(argument);
  const [query, ...queries] = lines.filter((line) => !isLeast(line));
  const [least, ...others] = lines.filter(isLeast);
  for (const directive of [...queries, ...others]) {
    const message = t('A control has one @{0}. Remove this line or the one before.', directive.name);
    problems.push({ kind: 'repeated', message, ...placeOf(directive) });
  }
  const [, number = '1'] = /^>=\s*(\d{1,30})$/.exec(least?.argument ?? '>= 1') ?? [undefined, undefined];
  const isWrong = least !== undefined && !/^>=\s*\d{1,30}$/.test(least.argument);
  if (isWrong || query === undefined || query.argument === '') {
    const message = t(
      'Write the query that counts the population: -- @population SELECT count(*) FROM accounts. A second line may state the least: -- @population >= 0',
    );
    problems.push({ kind: 'invalid', message, ...placeOf(isWrong ? least : (query ?? first)) });
  }
  return query === undefined
    ? undefined
    : { start: query.argumentStart, end: query.argumentEnd, least: number };
}

/** Returns the columns that a control's comments name, in their order. */
export function columnWordsOf({ expect, warnIf, errorIf, key }: ControlDirectives): readonly ColumnWord[] {
  return [
    ...(expect?.kind === 'column' ? [expect.column] : []),
    ...[warnIf, errorIf].flatMap((condition) =>
      condition?.measure.kind === 'aggregate' ? [condition.measure.column] : [],
    ),
    ...key,
  ];
}

/** Returns the placeholders in the query of a control's population, which is a part of a comment in the text. */
export function populationPlaceholders(
  text: string,
  directives: readonly Directive[],
): readonly Placeholder[] {
  const { population } = readControlDirectives(directives, []) ?? {};
  if (population === undefined) return [];
  const { start: by, end: behind } = population;
  return placeholdersOf(lex(text.slice(by, behind)).code).map(({ name, start, end }) => ({
    name,
    start: start + by,
    end: end + by,
  }));
}

/** Parses a tag such as `soc2=CC6`; undefined if the text is not a tag. */
export function parseTag(text: string): Tag | undefined {
  const [, name, value] = /^([A-Za-z][\w.-]*)(?:=([\w.:/-]+))?$/.exec(text.trim()) ?? [];
  return name === undefined ? undefined : { name, ...defined('value', value) };
}

function parseTags({ argument }: Directive): Parsed<readonly Tag[]> {
  const words = argument.split(/[\s,]+/).filter((word) => word !== '');
  const tags = words.flatMap((word) => parseTag(word) ?? []);
  return words.length === 0 || tags.length < words.length
    ? { problem: t('Write tags separated by spaces: -- @tags soc2=CC6.1 iso27001=A.8.2') }
    : { value: tags };
}

function tagsOf(directive: Directive): readonly Tag[] {
  return parseTags(directive).value ?? [];
}

function columnAt(argument: string, at: number, offset: number): ColumnWord | undefined {
  const [word] = /^(?:"(?:[^"]|"")+"|[\p{L}_][\p{L}\p{N}_$]*)/u.exec(argument.slice(at)) ?? [];
  if (word === undefined) return undefined;
  const name = word.startsWith('"') ? word.slice(1, -1).replaceAll('""', '"') : word.toLowerCase();
  return { name, start: offset + at, end: offset + at + word.length };
}

function lengthOf({ start, end }: ColumnWord): number {
  return end - start;
}

/** Returns the range for a directive's problem: its argument, or the whole directive if it has none. */
function placeOf({ argument, argumentStart, argumentEnd, start, end }: Directive): {
  readonly start: number;
  readonly end: number;
} {
  return argument === '' ? { start, end } : { start: argumentStart, end: argumentEnd };
}

function defined<Name extends string, Value>(
  name: Name,
  value: Value | undefined,
): { readonly [Key in Name]?: Value } {
  return value === undefined ? {} : ({ [name]: value } as { readonly [Key in Name]: Value }); // the compiler widens the key
}
