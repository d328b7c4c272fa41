/** Advice on words: misspelled, reserved or from another dialect, and a CASE without END. */
import { t } from '#base/texts.ts';
import { keywords } from '#server/language/text/keywords.ts';
import { TokenKind, type TokenList } from '#server/language/text/lexer/tokens.ts';
import type { StatementSpan } from '#server/language/text/statements.ts';
import { setWords } from '../../names/over-tokens/words.ts';
import { advise, inCaseOf, insertAt, replaceToken, type Advice } from './advice.ts';
import { clauseStarts } from './clauses.ts';

/** Handles `TOP 10 a` and `TOP (10) a`, which PostgreSQL reads as a call with an alias, or as a multiplication. */
export function topAdvice(code: TokenList, span: StatementSpan, at: number): Advice | undefined {
  const { firstToken } = span;
  let top = at - 1;
  // In `TOP (10) * FROM` and `TOP (10) a.b`, the error is later.
  while (top >= firstToken && top > at - 8 && code.word(top) !== 'top') top--;
  if (code.word(top) !== 'top' || !['select', 'distinct', 'all'].includes(code.word(top - 1)))
    return undefined;
  const isCall = code.is(top + 1, '(') && code.is(top + 3, ')');
  const count = isCall ? top + 2 : top + 1;
  if (code.kind(count) !== TokenKind.number || (!isCall && count !== at)) return undefined;
  const hint = t('Write LIMIT at the end of the query instead of TOP.');
  const next = isCall ? top + 4 : top + 2;
  // A number of percent has no LIMIT.
  if (code.word(next) === 'percent') return { text: hint };
  const place = limitPlace(code, span, top);
  // With ties, a limit needs an order, and no SELECT has two limits.
  if (code.word(next) === 'with' || place === undefined) return { text: hint };
  const limit = inCaseOf(code, top - 1, ` limit ${code.textOf(count)}`);
  return advise(
    hint,
    t('Write {0}', 'LIMIT'),
    ...(place.isSide ? [insertAt(code.start(place.first), '(')] : []),
    { start: code.start(top), end: code.start(next), newText: '' },
    insertAt(code.end(place.last), place.isSide ? `${limit})` : limit),
  );
}

/**
 * Returns the tokens of the SELECT that has TOP, which is a side of a set operation if one is beside it. Its rows are
 * then limited in parentheses, before an ORDER BY of the whole operation. Undefined if a limit has no place there.
 */
function limitPlace(
  code: TokenList,
  { firstToken, lastToken }: StatementSpan,
  top: number,
): { readonly first: number; readonly last: number; readonly isSide: boolean } | undefined {
  let first = top - 1;
  while (first > firstToken && code.word(first) !== 'select') first--;
  const before = ['all', 'distinct'].includes(code.word(first - 1)) ? first - 2 : first - 1;
  let isSide = first > firstToken && setWords.has(code.word(before));
  let depth = 0;
  let order: number | undefined;
  let last = top;
  for (let index = top; index <= lastToken; index++) {
    const isOpen = code.is(index, '(') || code.is(index, '[');
    const isClose = code.is(index, ')') || code.is(index, ']');
    if (isClose && depth === 0) break;
    const word = depth === 0 ? code.word(index) : '';
    if (setWords.has(word)) {
      isSide = true;
      break;
    }
    if (word === 'limit' || word === 'fetch' || word === 'offset' || word === 'for') return undefined;
    if (word === 'order' && code.word(index + 1) === 'by') order = index;
    depth += isOpen ? 1 : isClose ? -1 : 0;
    last = index;
  }
  return { first, last: isSide && order !== undefined ? order - 1 : last, isSide };
}

export function foreignLimit(code: TokenList, span: StatementSpan, at: number): Advice | undefined {
  const top = topAdvice(code, span, at);
  if (top !== undefined) return top;
  if (code.word(at) === 'limit' && code.is(at + 2, ',')) {
    const hint = t('Write LIMIT count OFFSET start.');
    const isSimple = [TokenKind.number, TokenKind.placeholder].some((kind) => kind === code.kind(at + 3));
    const changed = `${code.textOf(at + 3)} OFFSET ${code.textOf(at + 1)}`;
    return isSimple
      ? advise(hint, t('Write {0}', `LIMIT ${changed}`), {
          start: code.start(at + 1),
          end: code.end(at + 3),
          newText: changed,
        })
      : { text: hint };
  }
  return undefined;
}

const correctable =
  `select from where group order having limit offset union intersect except join left right inner outer full
  cross natural using distinct values between like ilike exists case when then else with recursive lateral desc
  partition window fetch interval`.split(/\s+/);

/** Common misspellings that are too short for the general rule. */
const shortSlips: ReadonlyMap<string, string> = new Map(
  Object.entries({
    adn: 'and',
    nad: 'and',
    ro: 'or',
    si: 'is',
    thn: 'then',
    hten: 'then',
  }),
);

function meantKeyword(word: string): string | undefined {
  // Of the three-letter words, only those one edit away from FROM count, since many names are that short.
  const candidates = word.length === 3 ? ['from'] : correctable;
  return (
    shortSlips.get(word) ??
    (word.length < 3 ? undefined : candidates.find((each) => isOneSlipAway(word, each)))
  );
}

/** Finds a word that is one edit away from a keyword, at the error or just before it. */
export function wrongKeyword(code: TokenList, span: StatementSpan, at: number): Advice | undefined {
  for (const index of [at, at - 1, at - 2]) {
    const word = index < span.firstToken || index > span.lastToken ? '' : code.word(index);
    if (
      word === '' ||
      correctable.includes(word) ||
      keywords.get(word) === 'reserved' ||
      code.is(index - 1, '.')
    ) {
      continue;
    }
    const meant = meantKeyword(word);
    if (meant !== undefined && meant !== word) {
      const written = code.textOf(index);
      const own = written === word ? meant : meant.toUpperCase();
      const hint = t('Did you mean {0} instead of {1}?', meant.toUpperCase(), written);
      return advise(hint, t('Write {0}', own), replaceToken(code, index, own));
    }
  }
  return undefined;
}

/** Returns whether the words differ by one inserted, missing, changed or swapped letter. */
function isOneSlipAway(word: string, keyword: string): boolean {
  if (Math.abs(word.length - keyword.length) > 1) return false;
  let prefix = 0;
  while (prefix < word.length && word[prefix] === keyword[prefix]) prefix++;
  let suffix = 0;
  const shorter = Math.min(word.length, keyword.length);
  while (suffix < shorter - prefix && word.at(-1 - suffix) === keyword.at(-1 - suffix)) suffix++;
  const wordMiddle = word.slice(prefix, word.length - suffix);
  const keywordMiddle = keyword.slice(prefix, keyword.length - suffix);
  return (
    Math.max(wordMiddle.length, keywordMiddle.length) <= 1 ||
    (wordMiddle.length === 2 && wordMiddle[0] === keywordMiddle[1] && wordMiddle[1] === keywordMiddle[0])
  );
}

/** Reserved words that are rarely meant as names: something before them is probably missing. */
const neverNames: ReadonlySet<string> = new Set(
  'select with from where having on union intersect except limit and or not in as'.split(' '),
);
const directions: ReadonlySet<string> = new Set(['asc', 'desc']);

export function reservedName(code: TokenList, span: StatementSpan, cursor: number): Advice | undefined {
  // For `user.name`, PostgreSQL reports the dot after the word.
  const at = code.is(cursor, '.') ? cursor - 1 : cursor;
  const word = code.word(at);
  const category = keywords.get(word);
  const isReserved = category === 'reserved' || category === 'typeOrFunctionName';
  const isSecondDirection = directions.has(word) && directions.has(code.word(at - 1));
  if (!isReserved || neverNames.has(word) || code.word(at + 1) === 'by' || isSecondDirection)
    return undefined;
  const isAfterName =
    ['from', 'join', 'as', 'update', 'into'].includes(code.word(at - 1)) || code.is(at - 1, '.');
  const isUsedAsName =
    at + 1 > span.lastToken ||
    code.kind(at + 1) === TokenKind.operator ||
    ['.', ',', ')'].some((symbol) => code.is(at + 1, symbol));
  const hint = t('{0} is a reserved word. To use it as a name, write "{1}".', code.textOf(at), word);
  return isUsedAsName || isAfterName
    ? advise(hint, t('Write {0}', `"${word}"`), replaceToken(code, at, `"${word}"`))
    : undefined;
}

export function unclosedCase(code: TokenList, span: StatementSpan, at: number): Advice | undefined {
  let open = 0;
  for (let index = span.firstToken; index < at; index++) {
    const word = code.word(index);
    if (word === 'case') {
      open++;
    } else if (word === 'end') {
      open--;
    }
  }
  return open > 0 && (at > span.lastToken || clauseStarts.has(code.word(at)) || code.is(at, ')'))
    ? advise(t('CASE needs an END.'), t('Write {0}', 'END'), insertAt(code.end(at - 1), ' END'))
    : undefined;
}
