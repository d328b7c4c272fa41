/** Advice on clauses and operators that only other databases have. */
import { t } from '../../../../../core/src/util/texts.ts';
import { castAdvice, conversionAround } from '../foreign-calls.ts';
import type { TokenList } from '../../text/lexer/tokens.ts';
import type { StatementSpan } from '../../text/statements.ts';
import { advise, inCaseOf, replaceToken, type Advice } from './advice.ts';

/** Handles `MINUS SELECT`, whose first word PostgreSQL reads as an alias. */
export function minus(code: TokenList, _span: StatementSpan, at: number): Advice | undefined {
  const isQuery = code.word(at) === 'select' || (code.is(at, '(') && code.word(at + 1) === 'select');
  return isQuery && code.word(at - 1) === 'minus'
    ? advise(
        t('Write {0}.', 'EXCEPT'),
        t('Write {0}', 'EXCEPT'),
        replaceToken(code, at - 1, inCaseOf(code, at - 1, 'except')),
      )
    : undefined;
}

const tableHints: ReadonlySet<string> = new Set(
  'nolock readuncommitted readcommitted readpast rowlock tablock updlock index noexpand forceseek'.split(' '),
);

/** Handles `FROM accounts WITH (NOLOCK)`. */
export function tableHint(code: TokenList, span: StatementSpan, at: number): Advice | undefined {
  if (code.word(at) !== 'with' || !code.is(at + 1, '(') || !tableHints.has(code.word(at + 2))) {
    return undefined;
  }
  let end = at + 2;
  while (end < span.lastToken && !code.is(end, ')')) end++;
  const hint = code.text.slice(code.start(at), code.end(end));
  return advise(
    t('PostgreSQL has no {0}: leave it out.', hint),
    t('Remove {0}', hint),
    // With the space before it.
    { start: code.end(at - 1), end: code.end(end), newText: '' },
  );
}

/** Handles `WHERE a.id = b.id(+)`. */
export function outerJoinMark(code: TokenList, _span: StatementSpan, at: number): Advice | undefined {
  return code.is(at, ')') && code.is(at - 1, '+') && code.is(at - 2, '(')
    ? { text: t('PostgreSQL has no {0}: write {1}.', '(+)', 'LEFT JOIN ... ON') }
    : undefined;
}

/** Handles `CONNECT BY` and `START WITH`, whose first words PostgreSQL reads as aliases. */
export function connectBy(code: TokenList, _span: StatementSpan, at: number): Advice | undefined {
  const written = `${code.word(at - 1)} ${code.word(at)}`;
  return written === 'connect by' || written === 'start with'
    ? { text: t('PostgreSQL has no {0}: write {1}.', written.toUpperCase(), 'WITH RECURSIVE') }
    : undefined;
}

/** Handles `name REGEXP 'x'`. */
export function regularExpression(code: TokenList, _span: StatementSpan, at: number): Advice | undefined {
  const word = code.word(at);
  return word === 'regexp' || word === 'rlike'
    ? advise(
        t('Write {0}, or {1} to ignore case.', '~', '~*'),
        t('Write {0}', '~'),
        replaceToken(code, at, '~'),
      )
    : undefined;
}

/** Handles `CAST(a AS varchar(max))`. */
export function unlimitedLength(code: TokenList, _span: StatementSpan, at: number): Advice | undefined {
  if (code.word(at) !== 'max' || !code.is(at - 1, '(') || !isText(code.word(at - 2))) return undefined;
  const edit = { start: code.start(at - 2), end: code.end(at + 1), newText: 'text' };
  return castAdvice(code, at - 2) ?? advise(t('Write {0}.', 'text'), t('Write {0}', 'text'), edit);
}

const isText = (type: string): boolean => type === 'varchar' || type === 'char';

/** Handles `TRY_CAST(a AS type)` and `SAFE_CAST(a AS type)`. */
export function otherCast(code: TokenList, { firstToken }: StatementSpan, at: number): Advice | undefined {
  if (code.word(at) !== 'as') return undefined;
  let depth = 0;
  let index = at - 1;
  for (; index > firstToken && depth >= 0; index--) {
    depth += code.is(index, ')') ? 1 : code.is(index, '(') ? -1 : 0;
  }
  return depth < 0 && ['try_cast', 'safe_cast'].includes(code.word(index))
    ? advise(
        t('Write {0}.', 'CAST(value AS type)'),
        t('Write {0}', 'CAST'),
        replaceToken(code, index, inCaseOf(code, index, 'cast')),
      )
    : undefined;
}

/** Handles `CROSS APPLY` and `OUTER APPLY`. */
export function apply(code: TokenList, _span: StatementSpan, at: number): Advice | undefined {
  if (code.word(at) === 'outer' && code.word(at + 1) === 'apply') {
    return { text: t('Write {0}.', 'LEFT JOIN LATERAL (...) AS name ON true') };
  }
  return code.word(at) === 'apply' && code.word(at - 1) === 'cross'
    ? advise(
        t('Write {0}.', 'CROSS JOIN LATERAL (...) AS name'),
        t('Write {0}', 'CROSS JOIN LATERAL'),
        replaceToken(code, at, inCaseOf(code, at, 'join lateral')),
      )
    : undefined;
}

/** Handles `CONVERT(varchar(10), value)`, whose type looks like the beginning of a constant. */
export function conversion(code: TokenList, _span: StatementSpan, at: number): Advice | undefined {
  const isInside = conversionAround(code, at) !== undefined;
  return castAdvice(code, at) ?? (isInside ? { text: t('Write {0}.', 'CAST(value AS type)') } : undefined);
}
