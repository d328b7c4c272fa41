/** Collects the actions for a range of the text. */
import type { FindingCode } from '#base/finding-severities.ts';
import { t } from '#base/texts.ts';
import type { Analysis } from '../checks/analysis.ts';
import type { Finding } from '../checks/finding.ts';
import { isOneQuery } from '../checks/read-only/read-only.ts';
import type { NameContext } from '../names/name-context.ts';
import { bindSpan, type Bindings } from '../names/over-tokens/bindings.ts';
import { keptApart } from '../text/kept-apart.ts';
import { TokenKind, type LexedText } from '../text/lexer/tokens.ts';
import type { Action } from './action.ts';
import { expandStar, qualifyColumn } from './columns.ts';
import { escapeHidden } from './escape-hidden.ts';
import { extractSubquery } from './extract-subquery.ts';
import { describeFalsePositive } from './false-positive.ts';
import { keepsCode, keepsComments, keepsTokens } from './keeps-text.ts';
import { declareParameter, extractParameter } from './parameters.ts';
import { suppress } from './suppress.ts';

export function actionsAt(
  analysis: Analysis,
  names: NameContext,
  range: { readonly start: number; readonly end: number },
): readonly Action[] {
  const findings = analysis.findings.filter(({ start, end }) => start <= range.end && range.start <= end);
  const fixes = findings.flatMap((finding): readonly Action[] =>
    [...(finding.fix === undefined ? [] : [finding.fix]), ...(finding.alternatives ?? [])].map((fix) => ({
      ...fix,
      kind: 'quickfix',
      finding,
    })),
  );
  const escapes = findings.flatMap((finding) => escapeHidden(analysis.lexed, finding, names));
  const made = [...fixes, ...escapes, ...rewrites(analysis, names, range.start)];
  // Other dialects have other tokens.
  const written = names.nameQuotes !== undefined ? made : made.flatMap((action) => kept(analysis, action));
  return [
    ...written,
    ...findings.flatMap((finding) => suppress(analysis.lexed, finding)),
    ...findings.map((finding) => report(analysis, finding)),
  ];
}

/** Returns the action if nothing around its edits changes. */
function kept({ lexed }: Analysis, action: Action): readonly Action[] {
  const { finding } = action;
  // What a hidden character parts is seen as one, so without the character it is one.
  const isJoined =
    finding?.code === 'HIDDEN_CHARACTER' && action.edits.every(({ newText }) => newText === '');
  const edits = isJoined ? action.edits : keptApart(lexed, action.edits);
  const mayChange = changesTokens.has(finding?.code);
  const isKept = isInComment(lexed, finding)
    ? mayChange || keepsCode(lexed, edits)
    : keepsComments(lexed, edits) && (mayChange || keepsTokens(lexed, edits));
  return isKept ? [{ ...action, edits }] : [];
}

/** Findings whose fix may change a part of a token, or turn tokens into a comment or a string. */
const changesTokens: ReadonlySet<string | undefined> = new Set<FindingCode>([
  'QUERY_PARSE_ERROR',
  'HIDDEN_CHARACTER',
]);

/** A finding about a comment is fixed there. */
const isInComment = ({ all }: LexedText, finding: Finding | undefined): boolean =>
  finding !== undefined && all.kind(all.at(finding.start)) === TokenKind.comment;

function rewrites(analysis: Analysis, names: NameContext, offset: number): readonly Action[] {
  const { code } = analysis.lexed;
  const statement = analysis.statements.find(({ start, end }) => start <= offset && offset <= end);
  if (statement === undefined || !isOneQuery(statement.verdict)) return [];
  const at = Math.min(code.at(offset), code.at(statement.end - 1));
  const [first, last] = [code.at(statement.start), code.at(statement.end - 1)];
  let bindings: Bindings | undefined;
  const place = {
    ...{ analysis, names, statement, first, last, at },
    bindings: () =>
      (bindings ??= bindSpan(code, { ...statement, firstToken: first, lastToken: last }, names)),
  };
  return [declareParameter, extractParameter, expandStar, qualifyColumn, extractSubquery].flatMap((make) =>
    make(place),
  );
}

function report({ lexed, statements }: Analysis, finding: Finding): Action {
  const statement = statements.find(({ start, end }) => start <= finding.start && finding.start <= end);
  const shown = statement ?? { start: finding.start, end: finding.start };
  return {
    title: t('Report a false positive of {0}', finding.code),
    kind: 'quickfix',
    edits: [],
    finding,
    report: describeFalsePositive(lexed, finding, shown),
  };
}
