/** The placeholders of a text, `:name`. */
import { TokenKind, type TokenList } from './lexer/tokens.ts';

export interface Placeholder {
  readonly name: string;
  /** UTF-16 offsets, including the colon. */
  readonly start: number;
  readonly end: number;
}

/** Returns those of some tokens: of a statement, or of all. */
export function placeholdersOf(
  code: TokenList,
  { firstToken, lastToken }: { readonly firstToken: number; readonly lastToken: number } = {
    firstToken: 0,
    lastToken: code.length - 1,
  },
): readonly Placeholder[] {
  const placeholders: Placeholder[] = [];
  for (let index = firstToken; index <= lastToken; index++) {
    if (code.kind(index) === TokenKind.placeholder) {
      placeholders.push({
        name: code.textOf(index).slice(1),
        start: code.start(index),
        end: code.end(index),
      });
    }
  }
  return placeholders;
}
