/** Advice on syntax from other languages and dialects. */
import { t } from '#base/texts.ts';
import type { Edit } from '#server/language/text/edits.ts';
import { TokenKind, type TokenList } from '#server/language/text/lexer/tokens.ts';
import type { StatementSpan } from '#server/language/text/statements.ts';
import { logicAdvice } from '#server/language/types/catalogue/foreign-names.ts';
import { advise, insertAt, inCaseOf, replaceToken, type Advice } from './advice.ts';
import { clauseStarts } from './clauses.ts';
import { clauseBefore, openingAround } from './parentheses.ts';

const comparisons: ReadonlySet<string> = new Set('= <> != < > <= >='.split(' '));

/** Handles `:größe`: the name of a parameter has ASCII letters only. */
export function foreignLetters(code: TokenList, span: StatementSpan, error: number): Advice | undefined {
  for (const at of [error, error - 1]) {
    const isMark = code.kind(at) === TokenKind.placeholder || code.textOf(at) === ':';
    const rest = /^:[\p{L}\p{N}_]+/u.exec(code.text.slice(code.start(at), code.start(at) + 80))?.[0];
    if (at < span.firstToken || !isMark || rest === undefined || /^:\w+$/.test(rest)) continue;
    return {
      text: t('The name of a parameter has only the letters a to z, digits and _, so {0} is none.', rest),
    };
  }
  return undefined;
}

/** Handles placeholders in other notations: `?`, `{{name}}`, `${name}`, `%s` and `: name`. */
export function foreignPlaceholder(code: TokenList, span: StatementSpan, at: number): Advice | undefined {
  const own = code.textOf(at);
  const before = at > span.firstToken ? code.textOf(at - 1) : '';
  const isMark =
    (before.endsWith('?') && code.kind(at - 1) === TokenKind.operator && endsValue(code, span, at)) ||
    own === '{' ||
    (own === '$' && code.textOf(at + 1) === '{') ||
    (own === '%' && code.kind(at - 1) === TokenKind.operator && code.word(at + 1) === 's') ||
    (own === ':' &&
      (code.kind(at + 1) === TokenKind.number || code.word(at + 1) !== '') &&
      !code.is(at - 1, '['));
  const named = namedMark(code, at);
  if (!isMark && named === undefined) return undefined;
  const hint = t('Write a parameter as :name, without a space: its value is bound when the query runs.');
  return named === undefined ? { text: hint } : advise(hint, t('Write {0}', named.newText), named);
}

/** Returns the edit for `{{name}}`, `${name}` and `%(name)s`. */
function namedMark(code: TokenList, at: number): Edit | undefined {
  const start = code.start(at);
  const rest = code.text.slice(start, start + 80);
  const mark = /^(?:\{\{\s*|\$\{|%\(|\{)([a-z_]\w*)(?:\s*\}\}|\}|\)s)/i.exec(rest);
  const name = mark?.[1];
  return mark === null || name === undefined
    ? undefined
    : { start, end: start + mark[0].length, newText: `:${name}` };
}

/** Handles `now() - 7 days` and `ago(7d)`. */
export function spokenInterval(code: TokenList, span: StatementSpan, at: number): Advice | undefined {
  const short = /^(\d{1,6})([dhw])$/i.exec(code.textOf(at));
  const unit = { d: 'day', h: 'hour', w: 'week' }[short?.[2]?.toLowerCase() ?? ''];
  if (short?.[1] !== undefined && unit !== undefined) {
    const newText = `INTERVAL '${short[1]} ${unit}${short[1] === '1' ? '' : 's'}'`;
    const isAgo = code.word(at - 2) === 'ago' && code.is(at - 1, '(') && code.is(at + 1, ')');
    const written = isAgo ? `now() - ${newText}` : newText;
    const [first, last] = isAgo ? [at - 2, at + 1] : [at, at];
    return advise(t('Write {0}.', written), t('Write {0}', written), {
      start: code.start(first),
      end: code.end(last),
      newText: written,
    });
  }
  const isAdded = code.textOf(at - 2) === '-' || code.textOf(at - 2) === '+';
  const isUnit = /^(?:day|hour|minute|second|week|month|year)s?$/.test(code.word(at));
  if (!isAdded || !isUnit || at - 2 <= span.firstToken || code.kind(at - 1) !== TokenKind.number)
    return undefined;
  const newText = `INTERVAL '${code.textOf(at - 1)} ${code.word(at)}'`;
  return advise(t('Write {0}.', newText), t('Write {0}', newText), {
    start: code.start(at - 1),
    end: code.end(at),
    newText,
  });
}

/** Handles dates in the notation of Access and ODBC: `#2026-01-31#`, `{d '2026-01-31'}` and `{ts '...'}`. */
export function foreignDate(code: TokenList, span: StatementSpan, at: number): Advice | undefined {
  const kind = code.is(at, '{') || code.textOf(at) === '{' ? code.word(at + 1) : '';
  if (['d', 'ts', 't'].includes(kind) && code.kind(at + 2) === TokenKind.string) {
    const newText = `${kind === 'd' ? 'DATE' : kind === 't' ? 'TIME' : 'TIMESTAMP'} ${code.textOf(at + 2)}`;
    const end = code.textOf(at + 3) === '}' ? code.end(at + 3) : code.end(at + 2);
    return advise(t('Write {0}.', newText), t('Write {0}', newText), { start: code.start(at), end, newText });
  }
  for (let index = Math.min(at, span.lastToken); index >= span.firstToken && index > at - 8; index--) {
    const date = code.textOf(index).startsWith('#')
      ? /^#(\d{4}-\d\d?-\d\d?(?: [\d:]+)?)#/.exec(code.text.slice(code.start(index)))
      : null;
    if (date === null) continue;
    const newText = `'${date[1] ?? ''}'`;
    const start = code.start(index);
    return advise(t('Write {0}.', newText), t('Write {0}', newText), {
      start,
      end: start + date[0].length,
      newText,
    });
  }
  return undefined;
}

const wordOperators: Readonly<Record<string, (text: string) => string>> = {
  contains: (text) => `'%${text}%'`,
  startswith: (text) => `'${text}%'`,
  endswith: (text) => `'%${text}'`,
};

/** Handles `name CONTAINS 'x'`, `STARTSWITH`, `ENDSWITH` and `MATCHES`. */
export function wordOperator(code: TokenList, span: StatementSpan, error: number): Advice | undefined {
  // In the list of a SELECT, PostgreSQL reads the word as an alias, so the error is at the text behind it.
  const isBehind = code.kind(error) === TokenKind.string && error - 2 > span.firstToken;
  const isAlias =
    isBehind && ['contains', 'startswith', 'endswith', 'matches'].includes(code.word(error - 1));
  const at = isAlias ? error - 1 : error;
  const word = code.word(at);
  const pattern = ['like', 'ilike'].includes(code.word(at - 1))
    ? /^%[\w.@-]+%?|^%/.exec(code.text.slice(code.start(at), code.start(at) + 80))?.[0]
    : undefined;
  if (pattern !== undefined && pattern.length > 1) {
    return advise(t('Write {0}.', `'${pattern}'`), t('Write {0}', `'${pattern}'`), {
      start: code.start(at),
      end: code.start(at) + pattern.length,
      newText: `'${pattern}'`,
    });
  }
  const written = /^'([^'%_\\]*)'$/.exec(code.textOf(at + 1))?.[1];
  if (word === 'matches') {
    return advise(
      t('Write {0}, or {1} to ignore case.', '~', '~*'),
      t('Write {0}', '~'),
      replaceToken(code, at, '~'),
    );
  }
  const likeOf = Object.hasOwn(wordOperators, word) ? wordOperators[word] : undefined;
  if (likeOf === undefined || code.is(at + 1, '(')) return undefined;
  if (written === undefined) return { text: t('Write {0}.', `LIKE ${likeOf('...')}`) };
  const newText = `LIKE ${likeOf(written)}`;
  const edit = { start: code.start(at), end: code.end(at + 1), newText };
  return advise(t('Write {0}.', newText), t('Write {0}', newText), edit);
}

/** Handles `CURRENT_DATE()`, whose parentheses PostgreSQL does not accept. */
export function calledConstant(code: TokenList, _span: StatementSpan, at: number): Advice | undefined {
  const open = code.is(at, ')') ? at - 1 : at;
  const word = code.word(open - 1);
  return code.is(open, '(') &&
    code.is(open + 1, ')') &&
    /^(?:current_(?:date|time|timestamp|user|role|schema)|localtime|localtimestamp|session_user)$/.test(word)
    ? advise(t('Write {0}.', word), t('Write {0}', word), {
        start: code.start(open),
        end: code.end(open + 1),
        newText: '',
      })
    : undefined;
}

/** Handles `attributes:department`, Snowflake's notation for a field. */
export function fieldAfterColon(code: TokenList, _span: StatementSpan, at: number): Advice | undefined {
  const isField =
    code.kind(at) === TokenKind.placeholder &&
    code.end(at - 1) === code.start(at) &&
    (code.kind(at - 1) === TokenKind.quotedName || code.word(at - 1) !== '');
  if (!isField) return undefined;
  const newText = ` ->> '${code.textOf(at).slice(1)}'`;
  let first = at - 1;
  while (code.is(first - 1, '.')) first -= 2;
  // A cast binds more tightly than the operator.
  const isCast = code.textOf(at + 1) === '::';
  return advise(
    t('Write {0}.', `${code.text.slice(code.start(first), code.start(at))}${newText}`),
    t('Write {0}', newText.trim()),
    ...(isCast ? [insertAt(code.start(first), '(')] : []),
    { start: code.start(at), end: code.end(at), newText: isCast ? `${newText})` : newText },
  );
}

/** Handles `LIKE ANY ('a', 'b')`. */
export function listAfterAny(code: TokenList, span: StatementSpan, at: number): Advice | undefined {
  const open = code.is(at, ',') ? openingAround(code, at, true) : undefined;
  if (open === undefined || !['any', 'all', 'some'].includes(code.word(open - 1))) return undefined;
  let close = at;
  while (close < span.lastToken && !code.is(close, ')') && !code.is(close, '(')) close++;
  const hint = t(
    '{0} takes an array or a subquery in parentheses: = ANY (ARRAY[1, 2]).',
    code.textOf(open - 1),
  );
  return code.is(close, ')')
    ? advise(
        hint,
        t('Write {0}', 'ARRAY[...]'),
        insertAt(code.end(open), 'ARRAY['),
        insertAt(code.start(close), ']'),
      )
    : { text: hint };
}

/** Handles `email IS 'x'`, `IS NOT ''` and `IS NOT IN (...)`. */
export function comparedWithIs(code: TokenList, _span: StatementSpan, at: number): Advice | undefined {
  const isNot = code.word(at - 1) === 'not' && code.word(at - 2) === 'is';
  const is = isNot ? at - 2 : at - 1;
  if (code.word(is) !== 'is') return undefined;
  const next = isNot ? code.word(at) : code.word(at) === 'not' ? code.word(at + 1) : code.word(at);
  if (next === 'in' || next === 'like' || next === 'ilike' || next === 'between') {
    const removed = { start: code.end(is - 1), end: code.end(is), newText: '' };
    return advise(t('Write {0}.', `NOT ${next.toUpperCase()}`), t('Remove {0}', code.textOf(is)), removed);
  }
  const isConstant = [TokenKind.string, TokenKind.number, TokenKind.placeholder].some(
    (kind) => kind === code.kind(at),
  );
  if (!isConstant) return undefined;
  const newText = isNot ? '<>' : '=';
  const end = isNot ? code.end(at - 1) : code.end(is);
  return advise(
    t('IS takes NULL, TRUE, FALSE, UNKNOWN and DISTINCT FROM. Compare values with {0}.', newText),
    t('Write {0}', newText),
    { start: code.start(is), end, newText },
  );
}

const endsValue = (code: TokenList, span: StatementSpan, at: number): boolean =>
  at > span.lastToken ||
  code.is(at, ')') ||
  code.is(at, ',') ||
  clauseStarts.has(code.word(at)) ||
  ['and', 'or'].includes(code.word(at));

const signs: ReadonlyMap<string, string> = new Map(Object.entries({ '≥': '>=', '≤': '<=', '≠': '<>' }));

/** Handles signs, as in `a ≥ 1`. */
export function foreignSign(code: TokenList, _span: StatementSpan, at: number): Advice | undefined {
  // In the list of a SELECT, PostgreSQL reads the sign as an alias, so the error is behind it.
  const own = [at, at - 1].find((index) => signs.has(code.textOf(index))) ?? at;
  const sign = signs.get(code.textOf(own));
  return sign === undefined
    ? undefined
    : advise(t('Write {0}.', sign), t('Write {0}', sign), replaceToken(code, own, sign));
}

/** Handles `// comment` and `# comment`. */
export function foreignComment(code: TokenList, _span: StatementSpan, at: number): Advice | undefined {
  const mark = code.textOf(at);
  if (mark === '#' && ['into', 'from', 'join'].includes(code.word(at - 1)))
    return { text: t('There are no temporary tables here: write {0}.', 'WITH name AS (SELECT ...)') };
  const dash = [at, at - 1].find((index) => /^[–—]$/.test(code.textOf(index)));
  if (dash !== undefined) {
    return advise(
      t('A comment starts with two hyphens: -- comment'),
      t('Write {0}', '--'),
      replaceToken(code, dash, '--'),
    );
  }
  return mark === '//' || mark === '#'
    ? advise(
        t('A comment starts with two hyphens: -- comment'),
        t('Write {0}', '--'),
        replaceToken(code, at, '--'),
      )
    : undefined;
}

/** Handles an unescaped quote, as in `'it's'`. */
export function quoteInString(code: TokenList, _span: StatementSpan, at: number): Advice | undefined {
  return code.kind(at - 1) === TokenKind.string &&
    code.word(at) !== '' &&
    code.end(at - 1) === code.start(at) &&
    code.textOf(at - 1).startsWith("'")
    ? { text: t("The string ends before this. A quote inside a string is written twice: 'it''s'.") }
    : undefined;
}

/** Handles `AS 'name'`. */
export function quotedAlias(code: TokenList, _span: StatementSpan, at: number): Advice | undefined {
  const name = /^'([^'"\\]+)'$/.exec(code.textOf(at))?.[1];
  return name !== undefined && code.word(at - 1) === 'as'
    ? advise(
        t('Put a name in double quotes: "{0}". Single quotes make a string.', name),
        t('Write {0}', `"${name}"`),
        replaceToken(code, at, `"${name}"`),
      )
    : undefined;
}

/** Handles `a = 1 && b = 2`, `a = 1 || b = 2`, and chained comparisons such as `1 < a < 3`. */
export function chainedComparison(code: TokenList, span: StatementSpan, at: number): Advice | undefined {
  if (!comparisons.has(code.textOf(at))) return undefined;
  let depth = 0;
  let logical: number | undefined;
  for (let index = at - 1; index >= span.firstToken && depth >= 0; index--) {
    depth += code.is(index, ')') ? 1 : code.is(index, '(') ? -1 : 0;
    const text = code.textOf(index);
    const word = code.word(index);
    if (depth !== 0) continue;
    if (
      clauseStarts.has(word) ||
      ['and', 'or', 'on', 'when', 'select', 'not'].includes(word) ||
      text === ','
    ) {
      return undefined;
    }
    if (text === '&&' || text === '||') logical ??= index;
    if (index < at - 1 && comparisons.has(text)) {
      return logical === undefined
        ? { text: t('Comparisons do not chain: write AND between the two, as in a > 1 AND a < 3.') }
        : writtenLogic(code, logical);
    }
  }
  return undefined;
}

function writtenLogic(code: TokenList, index: number): Advice {
  const written = code.textOf(index);
  const word = written === '&&' ? 'AND' : 'OR';
  const fix = replaceToken(code, index, word);
  return advise(logicAdvice(written === '&&' ? 'AND' : 'OR'), t('Write {0}', word), fix);
}

/** Handles operators with a space inside: `! =` and `> =`. */
export function spacedOperator(code: TokenList, span: StatementSpan, at: number): Advice | undefined {
  const first = at > span.firstToken ? code.textOf(at - 1) : '';
  const isSpaced = code.textOf(at) === '=' && ['!', '<', '>'].includes(first);
  const edit = { start: code.start(at - 1), end: code.end(at), newText: `${first}=` };
  return isSpaced && code.start(at) > code.end(at - 1)
    ? advise(t('Write {0} without the space.', `${first}=`), t('Write {0}', `${first}=`), edit)
    : undefined;
}

/** Handles `* EXCEPT (a)` and `PIVOT`. */
export function foreignClause(code: TokenList, _span: StatementSpan, at: number): Advice | undefined {
  const isExcept = code.is(at - 1, '(') && code.word(at - 2) === 'except' && code.textOf(at - 3) === '*';
  if (isExcept || (code.word(at) === 'exclude' && code.textOf(at - 1) === '*'))
    return { text: t('PostgreSQL cannot leave columns out of *: name those that you want.') };
  if (code.word(at) === 'replace' && code.textOf(at - 1) === '*')
    return { text: t('PostgreSQL cannot replace columns of *: name those that you want.') };
  const before = code.word(at - 1);
  return (before === 'pivot' || before === 'unpivot') && code.is(at, '(')
    ? { text: t('PostgreSQL has no {0}: use aggregates with FILTER (WHERE ...).', before.toUpperCase()) }
    : undefined;
}

/** Words that can name a column only after AS. */
const onlyWithAs: ReadonlySet<string> = new Set(
  'day hour minute month second year char character precision varying within without'.split(' '),
);

/** Handles an alias that requires AS, as in `SELECT b year`. */
export function aliasWithoutAs(code: TokenList, span: StatementSpan, at: number): Advice | undefined {
  const word = code.word(at);
  const isOrder = word === 'within' && code.word(at + 1) === 'group';
  return onlyWithAs.has(word) && !isOrder && clauseBefore(code, at) === 'select' && !code.is(at - 1, ',')
    ? advise(
        t('{0} is a name only after AS: AS {0}.', code.textOf(at)),
        t('Write {0}', 'AS'),
        insertAt(code.start(at), inCaseOf(code, span.firstToken, 'as ')),
      )
    : undefined;
}
