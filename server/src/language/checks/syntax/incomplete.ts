/** Advice on incomplete clauses and expressions, such as GROUP without BY, a missing operand or a missing condition. */
import { t } from '#base/texts.ts';
import { TokenKind, type TokenList } from '#server/language/text/lexer/tokens.ts';
import type { StatementSpan } from '#server/language/text/statements.ts';
import { unitOf } from '../foreign-units.ts';
import { advise, inCaseOf, insertAt, replaceToken, type Advice } from './advice.ts';
import { clauseStarts } from './clauses.ts';

/** Handles `GROUP a` and `OVER (PARTITION a)`. */
export function missingBy(code: TokenList, span: StatementSpan, at: number): Advice | undefined {
  const index = [at - 1, at].find((each) => ['group', 'order', 'partition'].includes(code.word(each)));
  const isName = (each: number): boolean =>
    each <= span.lastToken && (code.word(each) !== '' || code.kind(each) === TokenKind.quotedName);
  return index === undefined || code.word(index + 1) === 'by' || !isName(index + 1)
    ? undefined
    : advise(
        t('BY is missing after {0}.', code.textOf(index)),
        t('Write {0}', 'BY'),
        insertAt(code.end(index), inCaseOf(code, index, ' by')),
      );
}

const joinWords: ReadonlySet<string> = new Set([
  'left',
  'right',
  'full',
  'inner',
  'outer',
  'cross',
  'natural',
]);

/** Handles `LEFT u` and `CROSS JOIN u ON ...`. */
export function brokenJoin(code: TokenList, span: StatementSpan, at: number): Advice | undefined {
  const before = at - 1;
  if (joinWords.has(code.word(before)) && code.word(at) !== 'join') {
    const join = insertAt(code.end(before), inCaseOf(code, before, ' join'));
    return advise(t('JOIN is missing after {0}.', code.textOf(before)), t('Write {0}', 'JOIN'), join);
  }
  const joined = lastJoin(code, span, at);
  if (joined === undefined || (at <= span.lastToken && !endsCondition(code, at))) return undefined;
  if (code.word(at) === 'on' || code.word(at) === 'using') {
    const cross = joined - 1;
    return code.word(cross) === 'cross'
      ? advise(
          t('CROSS JOIN has no condition: write JOIN, or leave the condition out.'),
          t('Write {0}', 'JOIN'),
          replaceToken(code, cross, inCaseOf(code, cross, 'inner')),
        )
      : undefined;
  }
  const isOpen = !['cross', 'natural'].some((word) => isBefore(code, joined, word));
  return isOpen && !hasCondition(code, joined, at)
    ? { text: t('JOIN needs a condition: ON a.id = b.id, or USING (id). Without one, write CROSS JOIN.') }
    : undefined;
}

const endsCondition = (code: TokenList, at: number): boolean =>
  clauseStarts.has(code.word(at)) || ['on', 'using'].includes(code.word(at)) || code.is(at, ')');

const isBefore = (code: TokenList, joined: number, word: string): boolean =>
  [1, 2, 3].some((back) => code.word(joined - back) === word);

/** Returns the last JOIN before the error at the same parenthesis depth. */
function lastJoin(code: TokenList, { firstToken }: StatementSpan, at: number): number | undefined {
  let depth = 0;
  for (let index = at - 1; index >= firstToken && depth >= 0; index--) {
    if (code.is(index, ')')) {
      depth++;
    } else if (code.is(index, '(')) {
      depth--;
    } else if (depth === 0 && code.word(index) === 'join') {
      return index;
    } else if (depth === 0 && (clauseStarts.has(code.word(index)) || code.is(index, ','))) {
      return undefined;
    }
  }
  return undefined;
}

function hasCondition(code: TokenList, joined: number, at: number): boolean {
  for (let index = joined + 1; index < at; index++) {
    if (code.word(index) === 'on' || code.word(index) === 'using') return true;
  }
  return false;
}

/** A description of what must follow each word. */
const wanted: ReadonlyMap<string, () => string> = new Map(
  Object.entries({
    select: () => t('the columns'),
    from: () => t('a table'),
    join: () => t('a table'),
    where: () => t('a condition'),
    having: () => t('a condition'),
    on: () => t('a condition'),
    when: () => t('a condition'),
    and: () => t('a condition'),
    or: () => t('a condition'),
    not: () => t('what is negated'),
    by: () => t('a column'),
    limit: () => t('a number'),
    offset: () => t('a number'),
    union: () => t('a SELECT'),
    intersect: () => t('a SELECT'),
    except: () => t('a SELECT'),
    all: () => t('a query in parentheses'),
    any: () => t('a query in parentheses'),
    like: () => t('a pattern'),
    ilike: () => t('a pattern'),
    escape: () => t('a character'),
    in: () => t('a list in parentheses'),
    between: () => t('two values with AND between them'),
    is: () => t('NULL, TRUE, FALSE or DISTINCT FROM'),
    as: () => t('a name'),
    then: () => t('a value'),
    else: () => t('a value'),
    distinct: () => t('the columns'),
  }),
);
const binaryOperators: ReadonlySet<string> = new Set('= <> != < > <= >= + - * / || % ::'.split(' '));

const caseParts: ReadonlySet<string> = new Set(['when', 'then', 'else', 'end']);

/** Handles a missing operand, as in `a = = 1`, `WHERE GROUP BY`, or `AND` at the end. */
export function missingOperand(code: TokenList, span: StatementSpan, at: number): Advice | undefined {
  const before = at - 1;
  if (before < span.firstToken) return undefined;
  const word = code.word(before);
  const written = code.textOf(before);
  const isOperator = binaryOperators.has(written);
  const isStar = written === '*' && !isValueEnd(code, before - 1);
  const what = isOperator ? (written === '::' ? t('a type') : t('a value')) : wantedAfter(code, span, before);
  const isEnd = at > span.lastToken;
  const isRepeated = ['and', 'or'].includes(word) && ['and', 'or'].includes(code.word(at));
  const isWrong =
    isEnd ||
    clauseStarts.has(code.word(at)) ||
    (caseParts.has(word) && caseParts.has(code.word(at))) ||
    isRepeated ||
    code.is(at, ')') ||
    (isOperator && binaryOperators.has(code.textOf(at)));
  if (what === undefined || !isWrong || isStar) return undefined;
  const text = t('{0} needs {1} after it.', isOperator ? written : written.toUpperCase(), what);
  return isRepeated || (isOperator && written === code.textOf(at))
    ? advise(
        t('There is one {0} too many.', written),
        t('Remove {0}', code.textOf(at)),
        replaceToken(code, at, ''),
      )
    : { text };
}

const isValueEnd = (code: TokenList, index: number): boolean =>
  code.kind(index) === TokenKind.number ||
  code.kind(index) === TokenKind.string ||
  code.is(index, ')') ||
  (code.word(index) !== '' && !wanted.has(code.word(index)));

function wantedAfter(code: TokenList, span: StatementSpan, index: number): string | undefined {
  const word = code.word(index);
  const before = code.word(index - 1);
  if (word === 'all' && ['union', 'intersect', 'except'].includes(before)) return wanted.get('union')?.();
  if (word === 'and' && isAfterBetween(code, span, index)) return t('a value');
  return wanted.get(word === 'not' && before === 'is' ? 'is' : word)?.();
}

/** Handles `count(* FROM t`: a clause in parentheses that do not contain a query. */
export function openCall(code: TokenList, { firstToken }: StatementSpan, at: number): Advice | undefined {
  if (!clauseStarts.has(code.word(at))) return undefined;
  let depth = 0;
  for (let index = at - 1; index >= firstToken; index--) {
    depth += code.is(index, ')') ? 1 : code.is(index, '(') ? -1 : 0;
    if (depth < 0) {
      return advise(
        t('A closing parenthesis is missing before {0}.', code.textOf(at)),
        t('Close the parenthesis'),
        insertAt(code.end(at - 1), ')'),
      );
    }
    if (depth === 0 && code.word(index) === 'select') return undefined;
  }
  return undefined;
}

/** Handles clauses that require parentheses or a different form. */
export function wrongForm(code: TokenList, span: StatementSpan, at: number): Advice | undefined {
  const before = code.word(at - 1);
  if (before === 'in' && !code.is(at, '('))
    return { text: t('IN takes its values in parentheses: IN (1, 2).') };
  if (code.is(at, ')') && code.is(at - 1, '(') && code.word(at - 2) === 'in')
    return { text: t('IN takes at least one value. For none, write WHERE false.') };
  if (before === 'as' && code.word(at - 2) !== '' && isCommonTable(code, span, at - 2))
    return { text: t('Put the query of WITH in parentheses: WITH name AS (SELECT ...).') };
  if (code.word(at) === 'select' && code.is(at - 1, '(') && isCommonTable(code, span, at - 2)) {
    const as = insertAt(code.end(at - 2), inCaseOf(code, span.firstToken, ' as'));
    return advise(t('AS is missing before the query of WITH.'), t('Write {0}', 'AS'), as);
  }
  if (code.word(at) === 'select' && code.is(at - 1, ',')) {
    const comma = replaceToken(code, at - 1, '');
    return advise(t('Remove the comma before SELECT.'), t('Remove the comma'), comma);
  }
  if ((code.is(at, ',') || ['or', 'to'].includes(code.word(at))) && isAfterBetween(code, span, at)) {
    return advise(
      t('BETWEEN takes AND between its values.'),
      t('Write {0}', 'AND'),
      replaceToken(code, at, code.is(at, ',') ? ' AND' : 'AND'),
    );
  }
  const isOpenWindow = before === 'over' && ['order', 'partition'].includes(code.word(at));
  if (isOpenWindow || (code.word(at - 3) === 'over' && before === 'by'))
    return { text: t('OVER takes its window in parentheses: OVER (PARTITION BY a ORDER BY b).') };
  if (code.word(at) === 'not' && code.word(at + 1) === 'null' && before !== 'is') {
    return advise(
      t('Write {0}.', 'IS NOT NULL'),
      t('Write {0}', 'IS NOT NULL'),
      insertAt(code.start(at), inCaseOf(code, at, 'is ')),
    );
  }
  if (before === 'from' && code.word(at - 2) === 'as') return { text: t('AS needs a name after it.') };
  if (code.textOf(at) === '=>')
    return advise(t('Write {0}.', '>='), t('Write {0}', '>='), replaceToken(code, at, '>='));
  if (before === 'on' && code.word(at - 2) === 'distinct')
    return { text: t('DISTINCT ON takes its columns in parentheses: DISTINCT ON (a, b).') };
  if (before === 'using') return { text: t('USING takes its columns in parentheses: USING (id).') };
  if (before === 'interval') {
    const hint = t("Put an interval in quotes: INTERVAL '1 day'.");
    const unit = unitOf(code.word(at + 1));
    const newText = `'${code.textOf(at)} ${code.word(at + 1)}'`;
    const edit = { start: code.start(at), end: code.end(at + 1), newText };
    return code.kind(at) === TokenKind.number && unit !== undefined
      ? advise(hint, t('Write {0}', `INTERVAL ${newText}`), edit)
      : { text: hint };
  }
  return wrongArgument(code, at);
}

/** Handles `CAST(a text)` and `EXTRACT(year, d)`. */
function wrongArgument(code: TokenList, at: number): Advice | undefined {
  if (code.word(at - 3) === 'cast' && code.is(at - 2, '(') && code.word(at) !== '') {
    return advise(
      t('CAST takes AS before the type.'),
      t('Write {0}', 'AS'),
      insertAt(code.end(at - 1), ' AS'),
    );
  }
  return code.is(at, ',') && code.word(at - 3) === 'extract' && code.is(at - 2, '(')
    ? advise(
        t('EXTRACT takes FROM after the field.'),
        t('Write {0}', 'FROM'),
        replaceToken(code, at, ' FROM'),
      )
    : undefined;
}

/** Returns whether the name introduces a CTE: `WITH x`, or `), x`. */
function isCommonTable(code: TokenList, { firstToken }: StatementSpan, index: number): boolean {
  return (
    index > firstToken &&
    code.word(firstToken) === 'with' &&
    (['with', 'recursive'].includes(code.word(index - 1)) ||
      (code.is(index - 1, ',') && code.is(index - 2, ')')))
  );
}

function isAfterBetween(code: TokenList, { firstToken }: StatementSpan, at: number): boolean {
  for (let index = at - 1; index >= Math.max(firstToken, at - 4); index--) {
    if (code.word(index) === 'between') return true;
  }
  return false;
}

/** Handles a repeated or misordered clause, such as `ORDER BY a WHERE b`. */
export function clauseOrder(code: TokenList, span: StatementSpan, at: number): Advice | undefined {
  const order = ['from', 'where', 'group', 'having', 'order'];
  const own = order.indexOf(code.word(at));
  if (own < 0) return undefined;
  let depth = 0;
  for (let index = at - 1; index >= span.firstToken; index--) {
    const word = code.word(index);
    depth += code.is(index, ')') ? 1 : code.is(index, '(') ? -1 : 0;
    if (depth < 0 || (depth === 0 && (word === 'select' || word === 'union'))) return undefined;
    const isLater = order.indexOf(word) >= own || word === 'limit' || word === 'offset';
    if (depth === 0 && isLater && word !== 'from') {
      return {
        text:
          word === code.word(at)
            ? word === 'where'
              ? t('There is already a WHERE: combine the two with AND.')
              : t('There is already a {0}: combine the two.', word.toUpperCase())
            : t('{0} comes before {1}.', code.textOf(at).toUpperCase(), word.toUpperCase()),
      };
    }
  }
  return undefined;
}
