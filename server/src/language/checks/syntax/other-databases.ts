/** Advice on clauses and operators that only other databases have. */
import { t } from '#base/texts.ts';
import { TokenKind, type TokenList } from '#server/language/text/lexer/tokens.ts';
import type { StatementSpan } from '#server/language/text/statements.ts';
import { castAdvice, conversionAround } from '../foreign-calls.ts';
import { advise, inCaseOf, replaceToken, type Advice } from './advice.ts';
import { clauseStarts } from './clauses.ts';
import { closingOf, openingAround } from './parentheses.ts';

/** Handles `MINUS SELECT`, whose first word PostgreSQL reads as an alias. */
export function minus(code: TokenList, _span: StatementSpan, at: number): Advice | undefined {
  // Behind an alias, the error is at the word itself.
  const own = [at, at - 1].find((index) => code.word(index) === 'minus');
  if (own === undefined) return undefined;
  const next = own + 1;
  const isQuery =
    ['select', 'values', 'all', 'distinct'].includes(code.word(next)) ||
    (code.is(next, '(') && code.word(next + 1) === 'select');
  return isQuery
    ? advise(
        t('Write {0}.', 'EXCEPT'),
        t('Write {0}', 'EXCEPT'),
        replaceToken(code, own, inCaseOf(code, own, 'except')),
      )
    : undefined;
}

const tableHints: ReadonlySet<string> = new Set(
  'nolock readuncommitted readcommitted readpast rowlock tablock updlock index noexpand forceseek'.split(' '),
);

/** Handles `FROM accounts WITH (NOLOCK)`. */
export function tableHint(code: TokenList, span: StatementSpan, at: number): Advice | undefined {
  if (code.word(at) !== 'with' || !code.is(at + 1, '(') || !tableHints.has(code.word(at + 2)))
    return undefined;
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
export function regularExpression(
  code: TokenList,
  { firstToken }: StatementSpan,
  at: number,
): Advice | undefined {
  // In the list of a SELECT, PostgreSQL reads the word as an alias, so the error is at the pattern.
  const own = [at, at - 1].find((index) => index > firstToken && patternWords.has(code.word(index)));
  if (own === undefined || code.is(own + 1, '(') || !endsOperand(code, own - 1)) return undefined;
  const isNegated = code.word(own - 1) === 'not';
  const range = { start: code.start(isNegated ? own - 1 : own), end: code.end(own) };
  if (code.word(own) === 'glob') {
    const pattern = /^'([^'%_\\[\]]*)'$/.exec(code.textOf(own + 1))?.[1];
    if (pattern === undefined) return { text: t('Write {0}.', "LIKE '...'") };
    const like = `'${pattern.replaceAll('*', '%').replaceAll('?', '_')}'`;
    return advise(
      t('Write {0}.', `LIKE ${like}`),
      t('Write {0}', `LIKE ${like}`),
      replaceToken(code, own, inCaseOf(code, own, 'like')),
      replaceToken(code, own + 1, like),
    );
  }
  const operator = isNegated ? '!~' : '~';
  const text = t('Write {0}, or {1} to ignore case.', operator, `${operator}*`);
  return goesOn(code, own + 1)
    ? { text }
    : advise(text, t('Write {0}', operator), { ...range, newText: operator });
}

/** Operators that bind tighter than those without a place of their own. */
const tighter = new Set('+ - * / % ^ ::'.split(' '));
/** Operators and words that bind looser, or end the expression. */
const looser: ReadonlySet<string> = new Set([
  ...'= <> != < > <= >= , ; ) and or not is isnull notnull in like ilike similar between'.split(' '),
  ...'as asc desc nulls then when else end on join left right full inner cross natural for'.split(' '),
  ...clauseStarts,
]);

/** Returns whether an operator follows before which PostgreSQL takes the pattern alone: it reads such from the left. */
function goesOn(code: TokenList, first: number): boolean {
  for (let index = first, depth = 0; index < code.length; index++) {
    const text = code.textOf(index).toLowerCase();
    // `left` and `right` are functions, too.
    if (depth === 0 && looser.has(text) && !(code.is(index + 1, '(') && /^(?:left|right)$/.test(text)))
      return false;
    if (depth === 0 && (code.word(index) === 'case' || isOfNoPlace(code, index))) return true;
    depth += text === '(' || text === '[' ? 1 : text === ')' || text === ']' ? -1 : 0;
  }
  return false;
}

const isOfNoPlace = (code: TokenList, index: number): boolean =>
  code.word(index) === 'operator' ||
  (code.kind(index) === TokenKind.operator && !tighter.has(code.textOf(index)));

const patternWords: ReadonlySet<string> = new Set(['regexp', 'rlike', 'regexp_like', 'glob']);

/** Returns whether an operand, or NOT after one, ends here. */
const endsOperand = (code: TokenList, index: number): boolean =>
  code.is(index, ')') ||
  code.is(index, ']') ||
  [TokenKind.string, TokenKind.number, TokenKind.quotedName, TokenKind.placeholder].some(
    (kind) => code.kind(index) === kind,
  ) ||
  (code.kind(index) === TokenKind.word &&
    !['select', 'from', 'as', 'and', 'or', 'join', 'distinct'].includes(code.word(index)));

/** Handles `CAST(a AS varchar(max))`. */
export function unlimitedLength(code: TokenList, _span: StatementSpan, at: number): Advice | undefined {
  if (code.word(at) !== 'max' || !code.is(at - 1, '(') || !isText(code.word(at - 2))) return undefined;
  const edit = { start: code.start(at - 2), end: code.end(at + 1), newText: 'text' };
  return castAdvice(code, at - 2) ?? advise(t('Write {0}.', 'text'), t('Write {0}', 'text'), edit);
}

const isText = (type: string): boolean => type === 'varchar' || type === 'char';

/** Handles `TRY_CAST(a AS type)` and `SAFE_CAST(a AS type)`. */
export function otherCast(code: TokenList, _span: StatementSpan, at: number): Advice | undefined {
  const open = code.word(at) === 'as' ? openingAround(code, at) : undefined;
  return open !== undefined && ['try_cast', 'safe_cast'].includes(code.word(open - 1))
    ? advise(
        t('Write {0}.', 'CAST(value AS type)'),
        t('Write {0}', 'CAST'),
        replaceToken(code, open - 1, inCaseOf(code, open - 1, 'cast')),
      )
    : undefined;
}

/** Handles `GROUP_CONCAT(a ORDER BY b SEPARATOR ',')`. */
export function separator(code: TokenList, { lastToken }: StatementSpan, at: number): Advice | undefined {
  if (code.word(at) !== 'separator') return undefined;
  const open = openingAround(code, at);
  const text = t('Write {0}.', "string_agg(text, ',')");
  if (open === undefined || code.word(open - 1) !== 'group_concat') return { text };
  if (at + 2 > lastToken || !code.is(at + 2, ')')) return { text };
  let sorted: number | undefined;
  for (let index = open + 1; index < at && sorted === undefined; index++) {
    if (code.is(index, '(')) index = closingOf(code, index);
    else if (code.word(index) === 'order' && code.word(index + 1) === 'by') sorted = index;
  }
  const by = sorted === undefined ? '' : ` ${code.text.slice(code.start(sorted), code.end(at - 1))}`;
  return advise(text, t('Write {0}', 'string_agg'), replaceToken(code, open - 1, 'string_agg'), {
    start: code.end((sorted ?? at) - 1),
    end: code.end(at + 1),
    newText: `, ${code.textOf(at + 1)}${by}`,
  });
}

/** Handles `USE INDEX (a)`, `FORCE INDEX (a)` and `OPTION (MAXDOP 1)`, which only advise other databases. */
export function queryHint(code: TokenList, { lastToken }: StatementSpan, at: number): Advice | undefined {
  const isIndex = code.word(at) === 'index' && ['use', 'force', 'ignore'].includes(code.word(at - 1));
  // PostgreSQL reads the first word as an alias.
  const first = isIndex ? at - 1 : [at, at - 1, at - 2].find((index) => isOption(code, index));
  if (first === undefined) return undefined;
  let end = at;
  while (end < lastToken && !code.is(end, ')')) end++;
  if (!code.is(end, ')')) return undefined;
  const hint = code.text.slice(code.start(first), code.end(end));
  return advise(t('PostgreSQL has no {0}: leave it out.', hint), t('Remove {0}', hint), {
    start: code.end(first - 1),
    end: code.end(end),
    newText: '',
  });
}

const isOption = (code: TokenList, index: number): boolean =>
  code.word(index) === 'option' &&
  code.is(index + 1, '(') &&
  /^(?:maxdop|recompile|hash|loop|merge|fast|maxrecursion|optimize|use|force)$/.test(code.word(index + 2));

/** Handles `SAMPLE (10)`, `TABLESAMPLE 10 PERCENT`, `GROUP BY a WITH ROLLUP`, `FOR XML` and two dots. */
export function otherClause(code: TokenList, span: StatementSpan, at: number): Advice | undefined {
  const before = code.word(at - 1);
  if (code.word(at) === 'ignore' && code.word(at + 1) === 'nulls') {
    return {
      text: t('PostgreSQL has no {0}: write {1}.', 'IGNORE NULLS', 'FILTER (WHERE value IS NOT NULL)'),
    };
  }
  if (code.kind(at) === TokenKind.number) {
    const isSample = before === 'tablesample' || (code.is(at - 1, '(') && code.word(at - 2) === 'sample');
    return isSample ? { text: t('Write {0}.', `TABLESAMPLE BERNOULLI (${code.textOf(at)})`) } : undefined;
  }
  if (code.word(at) === 'with' && ['rollup', 'cube'].includes(code.word(at + 1)))
    return { text: t('Write {0}.', `GROUP BY ${code.word(at + 1).toUpperCase()} (...)`) };
  if (before === 'for' && ['xml', 'json'].includes(code.word(at))) {
    const instead = code.word(at) === 'xml' ? "string_agg(text, ',')" : 'json_agg(value)';
    const written = `FOR ${code.word(at).toUpperCase()}`;
    return { text: t('PostgreSQL has no {0}: write {1}.', written, instead) };
  }
  return code.textOf(at) === '..' && at > span.firstToken
    ? advise(t('Write {0}.', t('one dot')), t('Write {0}', '.'), replaceToken(code, at, '.'))
    : undefined;
}

/** Handles commands of other tools at the beginning: `EXEC`, `USE`, `DESCRIBE`, `DECLARE @a` and pipelines. */
export function otherStatement(code: TokenList, span: StatementSpan, at: number): Advice | undefined {
  const { firstToken, lastToken } = span;
  const first = code.word(firstToken);
  if (code.textOf(at) === '|' && at > firstToken) return withoutPipe(code, span, at);
  if (first === 'declare' && code.textOf(at).startsWith('@')) {
    return {
      text: t(
        'Declare a parameter in a comment, and write it as :name: {0}',
        '-- @param name date = 2026-01-31',
      ),
    };
  }
  if (at !== firstToken) return undefined;
  switch (first) {
    case 'use':
      return { text: t('Choose the model in a comment at the top: {0}', `-- @model ${code.textOf(at + 1)}`) };
    case 'describe':
    case 'desc':
      return { text: t('To see the columns, point at the table in FROM, or open the Models view.') };
    case 'exec':
    case 'execute':
    case 'print':
    case 'go':
      return { text: t('Only SELECT statements run here.') };
  }
  for (let index = firstToken + 1; index <= lastToken; index++) {
    if (code.textOf(index) === '|' && code.word(index + 1) !== '') return { text: pipeHint() };
  }
  return first === 'search' || (first === 'index' && code.textOf(at + 1) === '=')
    ? { text: pipeHint() }
    : undefined;
}

const pipeHint = (): string =>
  t('A query is SQL, not a search with |: SELECT columns FROM table WHERE condition LIMIT 10.');

/** Handles `| head 10` at the end. */
function withoutPipe(code: TokenList, { lastToken }: StatementSpan, at: number): Advice {
  const isHead = ['head', 'limit', 'take', 'top'].includes(code.word(at + 1)) && at + 2 === lastToken;
  return isHead && code.kind(lastToken) === TokenKind.number
    ? advise(pipeHint(), t('Write {0}', `LIMIT ${code.textOf(lastToken)}`), {
        start: code.start(at),
        end: code.end(at + 1),
        newText: 'LIMIT',
      })
    : { text: pipeHint() };
}

/** Handles `CROSS APPLY` and `OUTER APPLY`. */
export function apply(code: TokenList, _span: StatementSpan, at: number): Advice | undefined {
  if (code.word(at) === 'outer' && code.word(at + 1) === 'apply')
    return { text: t('Write {0}.', 'LEFT JOIN LATERAL (...) AS name ON true') };
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
