/** Finds clauses by their first words. */
import type { TokenList } from '#server/language/text/lexer/tokens.ts';
import type { StatementSpan } from '#server/language/text/statements.ts';

/** First words of clauses. A comma before one of them is superfluous. */
export const clauseStarts: ReadonlySet<string> = new Set(
  'from where group having order limit offset union intersect except window fetch'.split(' '),
);

/** Returns the clause that contains the token at the same parenthesis depth. */
export function clauseBefore(
  code: TokenList,
  span: Pick<StatementSpan, 'firstToken'>,
  at: number,
): string | undefined {
  let depth = 0;
  for (let index = at - 1; index >= span.firstToken; index--) {
    if (code.is(index, ')')) {
      depth++;
    } else if (code.is(index, '(')) {
      depth--;
    } else if (depth === 0 && (code.word(index) === 'select' || clauseStarts.has(code.word(index)))) {
      return code.word(index);
    }
    if (depth < 0) {
      return undefined;
    }
  }
  return undefined;
}
