/**
 * Proves that a statement rejected by a dialect's parser is wrong. The parsers' grammars are incomplete: they reject
 * 40% of 1,755 valid examples from public test suites (measured 2026-11-21). A rejection alone therefore proves
 * nothing, but the mistakes found here are errors in every dialect.
 */
import { t } from '#base/texts.ts';
import type { Fix } from '../checks/finding.ts';
import type { Advice, AdviceRule } from '../checks/syntax/advice.ts';
import { missingBy } from '../checks/syntax/incomplete.ts';
import { trailingComma, unbalancedParenthesis } from '../checks/syntax/punctuation.ts';
import { unclosedCase, wrongKeyword } from '../checks/syntax/words.ts';
import { dialectTraits, type Dialect } from '../text/dialects.ts';
import { TokenKind, type TokenList } from '../text/lexer/tokens.ts';
import type { StatementSpan } from '../text/statements.ts';

export interface Mistake {
  /** Index of the affected token; one past the last token if the mistake is at the end of the statement. */
  readonly at: number;
  readonly advice: Advice;
  /** If false, the statement is wrong only if the fixed text parses. */
  readonly isCertain: boolean;
}

/** A mistake that is certain or proven by its fix. */
export interface ProvenMistake extends Mistake {
  /** Set only if the parser accepts the fixed text. */
  readonly fix?: Fix;
}

/**
 * `at` is the index of the token at which the parser stopped, or one past the last token at the end of the statement.
 */
export function findMistake(
  code: TokenList,
  span: StatementSpan,
  at: number,
  dialect: Dialect,
): Mistake | undefined {
  if (dialectTraits[dialect].backslashEscapes === 'depends' && textOf(code, span).includes('\\')) {
    // Only the database server can tell where strings end.
    return undefined;
  }
  return (
    unclosedQuote(code, span) ??
    unbalanced(code, span) ??
    strayComma(code, span, dialect) ??
    missingOperand(code, span) ??
    likely(code, span, at)
  );
}

const textOf = (code: TokenList, { start, end }: StatementSpan): string => code.text.slice(start, end);

/** An unclosed quote extends to the end of the text, so it can only be the last token. */
function unclosedQuote(code: TokenList, { lastToken }: StatementSpan): Mistake | undefined {
  const text = code.textOf(lastToken);
  const close = text.startsWith('[') ? ']' : text.charAt(0);
  if (!/^['"`[]/.test(text) || !isQuoted(code, lastToken) || (text.length > 1 && text.endsWith(close)))
    return undefined;
  const advice =
    code.kind(lastToken) === TokenKind.string
      ? t('Close the string with {0}.', close)
      : t('Close the name with {0}.', close);
  return { at: lastToken, advice: { text: advice }, isCertain: true };
}

const isQuoted = (code: TokenList, index: number): boolean =>
  code.kind(index) === TokenKind.string || code.kind(index) === TokenKind.quotedName;

function unbalanced(code: TokenList, span: StatementSpan): Mistake | undefined {
  let depth = 0;
  let at = span.firstToken;
  for (; at <= span.lastToken; at++) {
    if (code.is(at, '(')) {
      depth++;
    } else if (code.is(at, ')') && --depth < 0) {
      break;
    }
  }
  const advice = unbalancedParenthesis(code, span, at);
  return advice === undefined ? undefined : { at, advice, isCertain: true };
}

/** Dialects that allow a comma after the last column of the select list. */
const takesTrailingComma: ReadonlySet<Dialect> = new Set(['bigquery', 'redshift', 'snowflake']);

function strayComma(code: TokenList, span: StatementSpan, dialect: Dialect): Mistake | undefined {
  for (let at = span.firstToken + 1; at <= span.lastToken + 1; at++) {
    if (!code.is(at - 1, ',') || (takesTrailingComma.has(dialect) && isAfterColumns(code, at))) continue;
    const advice = trailingComma(code, span, at);
    // Some dialects allow missing arguments, and a keyword in one dialect may be a name in another.
    if (advice !== undefined && (at > span.lastToken || isClause(code, at) || code.is(at, ',')))
      return { at: at > span.lastToken ? at - 1 : at, advice, isCertain: !isInCall(code, span, at) };
  }
  return undefined;
}

const isAfterColumns = (code: TokenList, at: number): boolean => code.word(at) === 'from' || code.is(at, ')');

function isInCall(code: TokenList, { firstToken }: StatementSpan, at: number): boolean {
  let depth = 0;
  for (let index = at - 1; index >= firstToken; index--) {
    if (code.is(index, ')')) {
      depth++;
    } else if (code.is(index, '(') && --depth < 0) {
      return true;
    }
  }
  return false;
}

/** Returns whether a clause starts here. `group` and `order` are names unless `by` follows. */
function isClause(code: TokenList, at: number): boolean {
  const word = code.word(at);
  return code.is(at - 1, '.') || code.is(at + 1, '.')
    ? false
    : ['from', 'where', 'having', 'union'].includes(word) ||
        ((word === 'group' || word === 'order') && code.word(at + 1) === 'by');
}

/** Words that require an operand after them. */
const openWords: ReadonlySet<string> = new Set(
  'select from join where having by on and or not between in like as limit when then else'.split(' '),
);
const openOperators: ReadonlySet<string> = new Set(['=', '<', '>', '+', '/', '.']);

function missingOperand(code: TokenList, span: StatementSpan): Mistake | undefined {
  for (let at = span.firstToken; at <= span.lastToken; at++) {
    const isOpenWord = openWords.has(code.word(at)) && !code.is(at - 1, '.') && !code.is(at + 1, '.');
    // BigQuery's pipe, `|>`, is lexed as two tokens; its `>` is not a comparison.
    const isPipe = code.is(at, '>') && code.is(at - 1, '|');
    if (!isOpenWord && (isPipe || !openOperators.has(code.textOf(at)))) continue;
    const isLast = at === span.lastToken;
    if (isLast || isClause(code, at + 1)) {
      const written = code.textOf(at);
      const advice = {
        text: t('Something is missing after {0}.', isOpenWord ? written.toUpperCase() : written),
      };
      // As the last word of a statement, `on` or `by` may be an alias.
      return { at: isLast ? at : at + 1, advice, isCertain: !isLast || !isAlias(code, at) };
    }
  }
  return undefined;
}

const isAlias = (code: TokenList, at: number): boolean => code.word(at - 1) === 'as';

const likelyRules: readonly AdviceRule[] = [misspelledWord, missingBy, unclosedCase];

function likely(code: TokenList, span: StatementSpan, at: number): Mistake | undefined {
  for (const rule of likelyRules) {
    const advice = rule(code, span, at);
    const edit = advice?.fix?.edits[0];
    if (advice !== undefined && edit !== undefined) {
      // A replaced word may precede the position where the parser stopped.
      return { at: edit.end > edit.start ? code.at(edit.start) : at, advice, isCertain: false };
    }
  }
  return undefined;
}

/** Valid dialect words that are one edit away from a common keyword. */
const otherWords: ReadonlySet<string> = new Set(['rlike', 'value', 'groups']);

function misspelledWord(code: TokenList, span: StatementSpan, at: number): Advice | undefined {
  const isOther = [at, at - 1, at - 2].some((index) => otherWords.has(code.word(index)));
  return isOther ? undefined : wrongKeyword(code, span, at);
}
