/**
 * Derives advice on a syntax error from the tokens around its position. Only unambiguous cases get advice, since no
 * advice is better than wrong advice.
 */
import type { TokenList } from '#server/language/text/lexer/tokens.ts';
import type { StatementSpan } from '#server/language/text/statements.ts';
import { distinctWithin } from '../foreign-calls.ts';
import type { Advice, AdviceRule } from './advice.ts';
import {
  foreignCharacter,
  foreignQuoting,
  placeholderAsName,
  quotedPlaceholder,
  unclosed,
} from './characters.ts';
import {
  aliasWithoutAs,
  calledConstant,
  chainedComparison,
  comparedWithIs,
  fieldAfterColon,
  foreignClause,
  foreignComment,
  foreignDate,
  foreignLetters,
  foreignPlaceholder,
  foreignSign,
  listAfterAny,
  quotedAlias,
  quoteInString,
  spacedOperator,
  spokenInterval,
  wordOperator,
} from './habits.ts';
import { brokenJoin, clauseOrder, missingBy, missingOperand, openCall, wrongForm } from './incomplete.ts';
import {
  brokenBeginning,
  leadingComma,
  missingBetween,
  missingWord,
  nameAfterComma,
  openEnd,
  subqueryWithoutParentheses,
} from './missing.ts';
import {
  apply,
  connectBy,
  conversion,
  minus,
  outerJoinMark,
  regularExpression,
  otherCast,
  otherClause,
  otherStatement,
  queryHint,
  separator,
  tableHint,
  unlimitedLength,
} from './other-databases.ts';
import { missingComma, trailingComma, unbalancedParenthesis } from './punctuation.ts';
import { qualify } from './qualify.ts';
import { foreignLimit, reservedName, unclosedCase, wrongKeyword } from './words.ts';

const rules: readonly AdviceRule[] = [
  distinctWithin,
  spokenInterval,
  regularExpression,
  unclosed,
  foreignCharacter,
  foreignQuoting,
  quotedPlaceholder,
  fieldAfterColon,
  foreignLetters,
  placeholderAsName,
  foreignDate,
  foreignPlaceholder,
  foreignSign,
  foreignComment,
  otherStatement,
  foreignLimit,
  calledConstant,
  separator,
  queryHint,
  otherClause,
  listAfterAny,
  comparedWithIs,
  wordOperator,
  minus,
  qualify,
  tableHint,
  outerJoinMark,
  connectBy,
  apply,
  conversion,
  unlimitedLength,
  otherCast,
  quoteInString,
  brokenBeginning,
  nameAfterComma,
  trailingComma,
  leadingComma,
  wrongKeyword,
  unbalancedParenthesis,
  reservedName,
  spacedOperator,
  foreignClause,
  quotedAlias,
  subqueryWithoutParentheses,
  openCall,
  wrongForm,
  brokenJoin,
  missingBy,
  missingOperand,
  clauseOrder,
  missingWord,
  chainedComparison,
  aliasWithoutAs,
  missingComma,
  unclosedCase,
  openEnd,
  missingBetween,
];

/** `at` is the index of the token at the error, or `span.lastToken + 1` at the end of the input. */
export function adviceFor(code: TokenList, span: StatementSpan, at: number): Advice | undefined {
  for (const rule of rules) {
    const advice = rule(code, span, at);
    if (advice !== undefined) return advice;
  }
  return undefined;
}
