/** Advice on names that mean something in other databases, or in other clauses. */
import { t } from '../../../../core/src/util/texts.ts';
import { TokenKind, type TokenList } from '../text/lexer/tokens.ts';
import type { Finding } from './finding.ts';
import { castAdvice } from './foreign-calls.ts';
import { clauseBefore } from './syntax/clauses.ts';
import type { StatementSpan } from '../text/statements.ts';
import { advise, replaceToken, type Advice } from './syntax/advice.ts';

/** Names without parentheses that other databases read as calls. */
const calls: Readonly<Record<string, string>> = {
  sysdate: 'now()',
  systimestamp: 'now()',
  getdate: 'now()',
  today: 'current_date',
  curdate: 'current_date',
};

/** Returns advice on an unknown column or table. */
export function foreignName(
  code: TokenList,
  span: Pick<StatementSpan, 'firstToken'>,
  { index, problem }: { readonly index: number; readonly problem: Finding['code'] },
): Advice | undefined {
  const word = code.word(index);
  if (word === '' || code.is(index - 1, '.') || code.is(index + 1, '.')) return undefined;
  if (problem === 'UNKNOWN_TABLE') return word === 'dual' ? withoutFrom(code, index) : undefined;
  if (problem !== 'UNKNOWN_COLUMN') return undefined;
  const instead = Object.hasOwn(calls, word) ? calls[word] : undefined;
  if (instead !== undefined) {
    return advise(t('Write {0}.', instead), t('Write {0}', instead), replaceToken(code, index, instead));
  }
  if (word === 'rownum') {
    return { text: t('Write {0} at the end of the query.', `LIMIT ${rowsMax(code, index) ?? '...'}`) };
  }
  if (isOutputInWhere(code, span, index)) {
    return { text: t('WHERE cannot use the output "{0}", only columns. Repeat its expression.', word) };
  }
  // The type in `CONVERT(varchar, value)` and `CONVERT(value, char)`.
  return castAdvice(code, index);
}

/** Returns whether the name is in WHERE, and given with AS in the SELECT before it. */
function isOutputInWhere(code: TokenList, span: Pick<StatementSpan, 'firstToken'>, index: number): boolean {
  if (clauseBefore(code, span, index) !== 'where') return false;
  const name = code.word(index);
  let depth = 0;
  for (let at = index - 1; at >= span.firstToken; at--) {
    depth += code.is(at, ')') ? 1 : code.is(at, '(') ? -1 : 0;
    const word = depth === 0 ? code.word(at) : '';
    if (word === 'select') return false;
    // The alias of a table follows its FROM.
    if (word === 'as' && code.word(at + 1) === name && clauseBefore(code, span, at) === 'select') return true;
  }
  return false;
}

/** Returns how many rows `ROWNUM < 10` and similar comparisons let through. */
function rowsMax(code: TokenList, index: number): number | undefined {
  const count = code.kind(index + 2) === TokenKind.number ? Number(code.textOf(index + 2)) : Number.NaN;
  const rows = code.is(index + 1, '<') ? count - 1 : code.is(index + 1, '<=') ? count : Number.NaN;
  return Number.isSafeInteger(rows) && rows >= 0 ? rows : undefined;
}

/** Handles `SELECT 1 FROM dual`. */
function withoutFrom(code: TokenList, index: number): Advice {
  const text = t('PostgreSQL has no {0}: leave it out.', 'FROM dual');
  if (code.word(index - 1) !== 'from' || code.is(index + 1, ',')) return { text };
  const removed = { start: code.end(index - 2), end: code.end(index), newText: '' };
  return advise(text, t('Remove {0}', code.text.slice(code.start(index - 1), code.end(index))), removed);
}
