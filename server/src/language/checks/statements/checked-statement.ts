/** Builds a checked statement with its verdict and placeholders, before its names and types are known. */
import { t } from '#base/texts.ts';
import type { TokenList } from '#server/language/text/lexer/tokens.ts';
import { placeholdersOf } from '#server/language/text/placeholders.ts';
import type { StatementSpan } from '#server/language/text/statements.ts';
import type { AnalysedStatement } from '../analysis.ts';
import { finding } from '../finding.ts';
import type { ParseOutcome } from '../parser.ts';
import { proveReadOnly, type Proof } from '../read-only/read-only.ts';
import { describeSyntaxError } from '../syntax/syntax-errors.ts';

export function checkedStatement(
  code: TokenList,
  span: StatementSpan,
  proof: Proof | undefined,
): AnalysedStatement {
  const { verdict, calls, findings } = proof ?? gaveUp(code, span);
  return {
    start: span.start,
    end: span.end,
    verdict,
    ...(calls === undefined ? {} : { calls }),
    placeholders: placeholdersOf(code, span),
    findings,
  };
}

/** Creates a statement beyond the check limit. */
export function uncheckedStatement(code: TokenList, span: StatementSpan): AnalysedStatement {
  const { start, end } = span;
  return {
    start,
    end,
    verdict: 'unverified',
    placeholders: placeholdersOf(code, span),
    findings: [],
    isUnchecked: true,
  };
}

export function judge(code: TokenList, span: StatementSpan, outcome: ParseOutcome | undefined): Proof {
  switch (outcome?.kind) {
    case 'parsed':
      return proveReadOnly(code, span, outcome);
    case 'syntax-error':
      return { verdict: 'syntax-error', findings: [describeSyntaxError(code, span, outcome)] };
    case 'gave-up':
    case undefined:
      return gaveUp(code, span);
  }
}

function gaveUp(code: TokenList, span: StatementSpan): Proof {
  const message = t(
    'Could not be verified: the statement is too large or too deeply nested to check. Run asks before it sends it.',
  );
  const unverified = finding('COULD_NOT_BE_VERIFIED', message, span.start, code.end(span.firstToken));
  return { verdict: 'unverified', findings: [unverified] };
}
