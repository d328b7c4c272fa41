/** Converts name problems to findings with positions and fixes. */
import { quoteText } from '#base/sql-names.ts';
import { locale, t } from '#base/texts.ts';
import { columnsMax, type ExpansionProblem } from '../names/expansion-limit.ts';
import type { BoundNames, NameProblem } from '../names/over-tree/bound-names.ts';
import { isPlainName, nameAt, quoteName } from '../text/identifiers.ts';
import type { TokenList } from '../text/lexer/tokens.ts';
import { finding, type Finding, type Fix } from './finding.ts';
import { foreignName } from './foreign-names.ts';
import { openingAround } from './syntax/parentheses.ts';

/**
 * Maximum number of names with advice on what other databases mean by them. Each one reads the statement around it, so
 * that thousands would take seconds.
 */
const advisedMax = 200;

/** @param base offset of the statement's start in the text */
export function nameFindings(
  { problems, limit }: Pick<BoundNames, 'problems' | 'limit'>,
  code: TokenList,
  base: number,
): readonly Finding[] {
  const found = problems.map((problem, position) => {
    const { code: findingCode, message, meant, choices } = problem;
    const index = indexOf(problem, code, base);
    const found = finding(findingCode, message, code.start(index), code.end(index));
    const isAdvised = position < advisedMax;
    const foreign = isAdvised
      ? foreignName(code, { firstToken: code.at(base) }, { index, problem: findingCode })
      : undefined;
    const certain = foreign?.isCertain === true ? foreign : undefined;
    if (foreign !== undefined && (certain !== undefined || meant === undefined)) {
      const { text, fix } = foreign;
      const own = certain === undefined ? `${message} ${text}` : text;
      return { ...found, message: own, ...(fix === undefined ? {} : { unprovenFix: fix }) };
    }
    const replaceWith = (text: string): Fix => ({
      title: t('Replace with {0}', text),
      edits: [{ start: found.start, end: found.end, newText: text }],
    });
    const isUseless = isAdvised && meant !== undefined && isComparedWith(code, index, meant);
    const writtenAs = (names: readonly string[]): string =>
      names.map((name) => quoteName(name, isPlainName)).join('.');
    const newText = isUseless ? undefined : meant && writtenAs(meant);
    const isText = isAdvised && newText === undefined && findingCode === 'UNKNOWN_COLUMN';
    const quoted = isText ? asText(code, index) : undefined;
    if (quoted !== undefined) {
      return {
        ...found,
        message: t('{0} Double quotes are for names; put text in single quotes.', found.message),
        fix: replaceWith(quoted),
      };
    }
    if (newText !== undefined) return { ...found, fix: replaceWith(newText) };
    return choices === undefined
      ? found
      : {
          ...found,
          message: `${message} ${askWhich(choices.map((names) => names.join('.')))}`,
          alternatives: choices.map((names) => replaceWith(writtenAs(names))),
        };
  });
  return limit === undefined ? found : [...found, limitFinding(limit, code, base)];
}

/** @param names one to three */
function askWhich([first = '', second, third]: readonly string[]): string {
  if (second === undefined) return t('Did you mean "{0}"?', first);
  return third === undefined
    ? t('Did you mean "{0}" or "{1}"?', first, second)
    : t('Did you mean "{0}", "{1}" or "{2}"?', first, second, third);
}

const comparison = /^(?:=|<>|!=|[<>]=?|like|ilike)$/i;

/** Returns whether the token is compared with the name that would replace it, which is never meant. */
function isComparedWith(code: TokenList, index: number, meant: readonly string[]): boolean {
  const startOf = (last: number): number => (code.is(last - 1, '.') ? last - 2 : last);
  const first = startOf(index);
  const open = isInList(code, index) ? openingAround(code, index, true) : undefined;
  const operator = open === undefined ? first - 1 : open - 1;
  const isAfter = comparison.test(code.textOf(operator)) || open !== undefined;
  const before = isAfter ? operator - (code.word(operator - 1) === 'not' ? 2 : 1) : -1;
  const after = comparison.test(code.textOf(index + 1)) ? index + (code.is(index + 3, '.') ? 4 : 2) : -1;
  const table = first === index ? undefined : nameAt(code, first);
  return [before, after].some((last) => {
    const other = startOf(last) === last ? undefined : nameAt(code, startOf(last));
    const isName = last >= 0 && nameAt(code, last) === meant.at(-1) && !code.is(last + 1, '(');
    return isName && (table === undefined || other === undefined || table === other);
  });
}

/** Returns the string literal probably meant by a double-quoted name after a comparison; undefined for other tokens. */
function asText(code: TokenList, index: number): string | undefined {
  const name = code.textOf(index).startsWith('"') ? nameAt(code, index) : undefined;
  const isCompared =
    index > 0 &&
    (/^(?:=|<>|!=|like|ilike)$/.test(code.textOf(index - 1).toLowerCase()) || isInList(code, index));
  return name === undefined || !isCompared ? undefined : quoteText(name);
}

/** Returns whether the token is a value of `IN ("a", "b")`. */
function isInList(code: TokenList, index: number): boolean {
  const open = openingAround(code, index, true);
  const isItem =
    (code.is(index - 1, ',') || open === index - 1) && (code.is(index + 1, ',') || code.is(index + 1, ')'));
  return open !== undefined && isItem && code.word(open - 1) === 'in';
}

const limitMessages: Readonly<Record<ExpansionProblem, () => string>> = {
  columns: () =>
    t(
      'A * in this statement expands to more than {0} columns. Not every name was checked. Name the columns that you need.',
      columnsMax.toLocaleString(locale()),
    ),
  comparisons: () =>
    t('This statement has too many names and columns, so not every name was checked. Split it.'),
};

function limitFinding(limit: ExpansionProblem, code: TokenList, base: number): Finding {
  return finding('NOT_FULLY_CHECKED', limitMessages[limit](), base, code.end(code.at(base)));
}

/** Returns the token of the invalid part of the dotted name, or of the column in USING. */
function indexOf({ start, part, inUsing }: NameProblem, code: TokenList, base: number): number {
  const first = code.at(base + start);
  if (inUsing === undefined) return first + 2 * part;
  let depth = 0;
  let isInUsing = false;
  for (let index = first; index < code.length && depth >= 0; index++) {
    depth += code.is(index, '(') ? 1 : code.is(index, ')') ? -1 : 0;
    if (isInUsing && depth === 1 && nameAt(code, index) === inUsing) return index;
    isInUsing ||= depth === 0 && code.word(index) === 'using';
  }
  return first;
}
