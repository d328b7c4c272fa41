/** Reports operators from other languages, which PostgreSQL would parse as user-defined operators. */
import { t } from '#base/texts.ts';
import type { ReadOnlyVerdict } from '#server/protocol.ts';
import { TokenKind, type TokenList } from '../text/lexer/tokens.ts';
import { finding, type Finding } from './finding.ts';
import { isOneQuery } from './read-only/read-only.ts';

/** PostgreSQL's equivalent of each operator. None of these operators exists in PostgreSQL or its bundled extensions. */
const foreign: ReadonlyMap<string, string> = new Map([
  ['==', '='],
  ['===', '='],
  ['!==', '<>'],
  ['=<', '<='],
  ['=~', '~'],
  ['!', 'NOT'],
]);

export function checkOperators(
  code: TokenList,
  statements: readonly { readonly start: number; readonly end: number; readonly verdict: ReadOnlyVerdict }[],
): readonly Finding[] {
  const findings: Finding[] = [];
  for (const { start, end, verdict } of statements) {
    if (!isOneQuery(verdict)) continue;
    for (let index = code.at(start); code.start(index) < end; index++) {
      const meant = code.kind(index) === TokenKind.operator ? meaningOf(code, index) : undefined;
      if (meant !== undefined) findings.push(describe(code, index, meant));
    }
  }
  return findings;
}

/** Checks the length first, since almost every operator is short and known. */
function meaningOf(code: TokenList, index: number): string | undefined {
  const length = code.end(index) - code.start(index);
  if (length > 3 || (length === 1 && !code.is(index, '!'))) return undefined;
  // OPERATOR(schema.==) names a user-defined operator.
  return code.is(index - 1, '.') || code.is(index + 1, ')') ? undefined : foreign.get(code.textOf(index));
}

function describe(code: TokenList, index: number, meant: string): Finding {
  const start = code.start(index);
  const end = code.end(index);
  const written = code.textOf(index);
  const message = t('PostgreSQL has no operator {0}. Write {1}.', written, meant);
  const newText = meant === 'NOT' && code.start(index + 1) === end ? 'NOT ' : meant;
  return {
    ...finding('UNKNOWN_OPERATOR', message, start, end),
    fix: { title: t('Replace with {0}', meant), edits: [{ start, end, newText }] },
  };
}
