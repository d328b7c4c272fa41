/** Advice on missing or extra commas and parentheses. */
import { t } from '#base/texts.ts';
import { keywords } from '#server/language/text/keywords.ts';
import { TokenKind, type TokenList } from '#server/language/text/lexer/tokens.ts';
import type { StatementSpan } from '#server/language/text/statements.ts';
import { advise, insertAt, replaceToken, type Advice } from './advice.ts';
import { clauseStarts } from './clauses.ts';
import { clauseBefore } from './parentheses.ts';

export function trailingComma(code: TokenList, span: StatementSpan, at: number): Advice | undefined {
  if (at - 1 < span.firstToken || !code.is(at - 1, ',')) return undefined;
  const removed = replaceToken(code, at - 1, '');
  if (at > span.lastToken)
    return advise(t('Remove the comma at the end, or continue after it.'), t('Remove the comma'), removed);
  if (code.is(at, ')') || clauseStarts.has(code.word(at)))
    return advise(t('Remove the comma before {0}.', code.textOf(at)), t('Remove the comma'), removed);
  return code.is(at, ',')
    ? advise(t('Remove one of the two commas.'), t('Remove the comma'), replaceToken(code, at, ''))
    : undefined;
}

export function unbalancedParenthesis(code: TokenList, span: StatementSpan, at: number): Advice | undefined {
  let depth = 0;
  for (let index = span.firstToken; index < at; index++) {
    if (code.is(index, '(')) {
      depth++;
    } else if (code.is(index, ')')) {
      depth--;
    }
  }
  if (at > span.lastToken && depth > 0) {
    const closing = insertAt(span.end, ')'.repeat(depth));
    return depth === 1
      ? advise(t('A closing parenthesis is missing.'), t('Close the parenthesis'), closing)
      : advise(t('{0} closing parentheses are missing.', depth), t('Close the parentheses'), closing);
  }
  return code.is(at, ')') && depth <= 0
    ? advise(
        t('There is no open parenthesis for this one.'),
        t('Remove the parenthesis'),
        replaceToken(code, at, ''),
      )
    : undefined;
}

/** Handles `a b c` in a select list: after a column and its alias, a third name needs a comma. */
export function missingComma(code: TokenList, span: StatementSpan, at: number): Advice | undefined {
  const isName = (index: number): boolean => {
    const kind = code.kind(index);
    const category = keywords.get(code.word(index));
    return (
      index >= span.firstToken &&
      index <= span.lastToken &&
      (kind === TokenKind.quotedName ||
        (kind === TokenKind.word && category !== 'reserved' && category !== 'typeOrFunctionName'))
    );
  };
  const isValue = [TokenKind.string, TokenKind.number].some((kind) => kind === code.kind(at));
  const inSelectList = clauseBefore(code, at) === 'select';
  const comma = insertAt(code.end(at - 1), ',');
  if (inSelectList && (isName(at) || isValue) && isName(at - 1) && (isName(at - 2) || code.is(at - 2, ')')))
    return advise(t('Is a comma missing before {0}?', code.textOf(at)), t('Write a comma'), comma);
  return isValue && [TokenKind.string, TokenKind.number].some((kind) => kind === code.kind(at - 1))
    ? advise(t('Is a comma or an operator missing before {0}?', code.textOf(at)), t('Write a comma'), comma)
    : undefined;
}
