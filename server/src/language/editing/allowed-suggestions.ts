/**
 * Leaves out suggestions that PostgreSQL's grammar refuses at their place. The parser has no tables to ask, so it reads
 * the text before the place with each word behind it.
 */
import { TokenKind, type LexedText, type TokenList } from '../text/lexer/tokens.ts';
import { replacePlaceholders, type StatementSpan } from '../text/statements.ts';
import type { Suggestion } from './suggestion.ts';

/**
 * Returns for each text whether the grammar allows it directly behind the beginning of a statement; undefined if that is
 * not known at once, or if the beginning itself is refused.
 */
export type GrammarProbe = (beginning: string, texts: readonly string[]) => readonly boolean[] | undefined;

export function allowedSuggestions(
  lexed: LexedText,
  span: StatementSpan,
  offset: number,
  { suggestions, probe }: { readonly suggestions: readonly Suggestion[]; readonly probe: GrammarProbe },
): readonly Suggestion[] {
  const { code } = lexed;
  const at = code.at(offset);
  const isFirst = at <= span.firstToken;
  if (!isFirst && code.kind(at - 1) === TokenKind.invalid) return suggestions;
  const start = code.start(selectBefore(code, span.firstToken, at));
  // Two operators that touch are one token, until something stands between them.
  const end = code.start(at) < offset ? offset : code.end(at - 1);
  const beginning = isFirst
    ? ''
    : replacePlaceholders(lexed, { ...span, start, end }).replaceAll(/ {2,}/g, ' ');
  const texts = [...new Set(suggestions.flatMap(probesOf))];
  const answers = probe(beginning, texts);
  if (answers === undefined) return suggestions;
  const allowed = new Set(texts.filter((_, index) => answers[index]));
  return suggestions.filter((suggestion) => probesOf(suggestion).some((text) => allowed.has(text)));
}

/**
 * Returns the SELECT that the token belongs to, or the first token: what stands before a SELECT does not change what the
 * grammar allows inside.
 */
function selectBefore(code: TokenList, first: number, at: number): number {
  let closed = 0;
  for (let index = at - 1; index > first; index--) {
    if (code.is(index, ')')) closed++;
    else if (code.is(index, '(')) closed = Math.max(0, closed - 1);
    else if (closed === 0 && code.word(index) === 'select') return index;
  }
  return first;
}

/** The grammar reads these words with the next one. */
const readWithNext: Readonly<Record<string, readonly string[]>> = {
  not: ['not', 'not in'],
  nulls: ['nulls first'],
  with: ['with', 'with ordinality'],
};

/** Returns texts of which the grammar must allow one. All names are alike to it, and so are all strings. */
function probesOf({ kind, insertText }: Suggestion): readonly string[] {
  switch (kind) {
    case 'keyword': {
      const word = insertText.toLowerCase();
      return readWithNext[word] ?? [word];
    }
    case 'value':
      return ["'x'"];
    case 'parameter':
      return ['.0'];
    case 'type':
      return [insertText];
    default:
      return ['x'];
  }
}
