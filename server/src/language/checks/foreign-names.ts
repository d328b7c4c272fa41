/** Advice on names that mean something in other databases, or in other clauses. */
import { t } from '../../../../core/src/util/texts.ts';
import { TokenKind, type TokenList } from '../text/lexer/tokens.ts';
import type { Finding } from './finding.ts';
import { conversionAround, convertedValue } from './foreign-calls.ts';
import { clauseStarts } from './syntax/clauses.ts';
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
export function foreignName(code: TokenList, index: number, problem: Finding['code']): Advice | undefined {
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
  if (isOutputInWhere(code, index, word)) {
    return { text: t('WHERE cannot use the output "{0}", only columns. Repeat its expression.', word) };
  }
  return conversion(code, index);
}

/** Returns whether the name is in WHERE, and given with AS in the SELECT before it. */
function isOutputInWhere(code: TokenList, index: number, name: string): boolean {
  let depth = 0;
  let clause: string | undefined;
  for (let at = index - 1; at >= 0 && depth >= 0 && !code.is(at, ';'); at--) {
    depth += code.is(at, ')') ? 1 : code.is(at, '(') ? -1 : 0;
    const word = depth === 0 ? code.word(at) : '';
    if (word === 'select') return false;
    if (clauseStarts.has(word)) clause ??= word;
    if (clause !== undefined && clause !== 'where') return false;
    if (word === 'as' && clause === 'where' && code.word(at + 1) === name) return isOutput(code, at);
  }
  return false;
}

/** Returns whether AS is in the list of a SELECT: an alias of a table follows its FROM. */
function isOutput(code: TokenList, as: number): boolean {
  let depth = 0;
  for (let at = as - 1; at >= 0; at--) {
    depth += code.is(at, ')') ? 1 : code.is(at, '(') ? -1 : 0;
    const word = depth === 0 ? code.word(at) : '';
    if (depth < 0 || clauseStarts.has(word)) return false;
    if (word === 'select') return true;
  }
  return false;
}

/** Returns how many rows `ROWNUM < 10` and similar comparisons let through. */
function rowsMax(code: TokenList, index: number): number | undefined {
  const count = code.kind(index + 2) === TokenKind.number ? Number(code.textOf(index + 2)) : Number.NaN;
  const rows = code.is(index + 1, '<') ? count - 1 : code.is(index + 1, '<=') ? count : Number.NaN;
  return Number.isSafeInteger(rows) && rows >= 0 ? rows : undefined;
}

/** Handles the type in `CONVERT(varchar, value)` and `CONVERT(value, char)`. */
function conversion(code: TokenList, index: number): Advice | undefined {
  const name = conversionAround(code, index);
  const written = name === undefined ? undefined : convertedValue(code, name);
  return written && advise(t('Write {0}.', written.newText), t('Write {0}', written.newText), written);
}

/** Handles `SELECT 1 FROM dual`. */
function withoutFrom(code: TokenList, index: number): Advice {
  const text = t('PostgreSQL has no {0}: leave it out.', 'FROM dual');
  if (code.word(index - 1) !== 'from' || code.is(index + 1, ',')) return { text };
  const removed = { start: code.end(index - 2), end: code.end(index), newText: '' };
  return advise(text, t('Remove {0}', code.text.slice(code.start(index - 1), code.end(index))), removed);
}
