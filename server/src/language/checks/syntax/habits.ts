/** Advice on syntax from other languages and dialects. */
import { t } from '../../../../../core/src/util/texts.ts';
import { TokenKind, type TokenList } from '../../text/lexer/tokens.ts';
import type { StatementSpan } from '../../text/statements.ts';
import { logicAdvice } from '../../types/catalogue/foreign-names.ts';
import { advise, insertAt, inCaseOf, replaceToken, type Advice } from './advice.ts';
import { clauseBefore, clauseStarts } from './clauses.ts';

const comparisons: ReadonlySet<string> = new Set('= <> != < > <= >='.split(' '));

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
  return isMark
    ? { text: t('Write a parameter as :name, without a space: its value is bound when the query runs.') }
    : undefined;
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
  const sign = signs.get(code.textOf(at));
  return sign === undefined
    ? undefined
    : advise(t('Write {0}.', sign), t('Write {0}', sign), replaceToken(code, at, sign));
}

/** Handles `// comment` and `# comment`. */
export function foreignComment(code: TokenList, _span: StatementSpan, at: number): Advice | undefined {
  const mark = code.textOf(at);
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
  if (!comparisons.has(code.textOf(at))) {
    return undefined;
  }
  let depth = 0;
  let logical: number | undefined;
  for (let index = at - 1; index >= span.firstToken && depth >= 0; index--) {
    depth += code.is(index, ')') ? 1 : code.is(index, '(') ? -1 : 0;
    const text = code.textOf(index);
    const word = code.word(index);
    if (depth !== 0) {
      continue;
    }
    if (
      clauseStarts.has(word) ||
      ['and', 'or', 'on', 'when', 'select', 'not'].includes(word) ||
      text === ','
    ) {
      return undefined;
    }
    if (text === '&&' || text === '||') {
      logical ??= index;
    }
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

/** Handles `* EXCEPT (a)`, `QUALIFY` and `PIVOT`. */
export function foreignClause(code: TokenList, _span: StatementSpan, at: number): Advice | undefined {
  const isExcept = code.is(at - 1, '(') && code.word(at - 2) === 'except' && code.textOf(at - 3) === '*';
  if (isExcept || (code.word(at) === 'exclude' && code.textOf(at - 1) === '*')) {
    return { text: t('PostgreSQL cannot leave columns out of *: name those that you want.') };
  }
  const before = code.word(at - 1);
  if (before === 'qualify') {
    return {
      text: t('PostgreSQL has no QUALIFY: put the query in parentheses after FROM and filter it with WHERE.'),
    };
  }
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
  return onlyWithAs.has(word) && clauseBefore(code, span, at) === 'select' && !code.is(at - 1, ',')
    ? advise(
        t('{0} is a name only after AS: AS {0}.', code.textOf(at)),
        t('Write {0}', 'AS'),
        insertAt(code.start(at), inCaseOf(code, span.firstToken, 'as ')),
      )
    : undefined;
}
