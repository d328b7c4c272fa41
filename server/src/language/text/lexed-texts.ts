/** Tokens of the most recent texts: a check, a completion and a hover of one version share them. */
import { dialectTraits, type Dialect } from './dialects.ts';
import { editBetween } from './lexer/edited-text.ts';
import { lexDialect } from './lexer/lex-dialect.ts';
import { lex, type ReadText } from './lexer/lex.ts';
import type { LexedText } from './lexer/tokens.ts';

const keptMax = 8;

export class LexedTexts {
  readonly #kept: ReadText[] = [];
  #lastOfDialect: { readonly dialect: Dialect; readonly lexed: LexedText } | undefined;

  /** By a dialect's rules; undefined: PostgreSQL's. */
  read(text: string, dialect?: Dialect): LexedText {
    if (dialect === undefined) {
      return this.#readPostgres(text);
    }
    const last = this.#lastOfDialect;
    if (last?.dialect === dialect && last.lexed.text === text) {
      return last.lexed;
    }
    const lexed = lexDialect(text, dialectTraits[dialect]);
    this.#lastOfDialect = { dialect, lexed };
    return lexed;
  }

  #readPostgres(text: string): LexedText {
    const kept = this.#kept;
    const index = kept.findIndex((lexed) => lexed.text === text);
    const known = index < 0 ? undefined : kept[index];
    if (known !== undefined) {
      kept.splice(index, 1);
      kept.unshift(known);
      return known;
    }
    // Most likely an edit of a recent text: the previous version of its document.
    const previous = kept.find((lexed) => editBetween(lexed.text, text) !== undefined);
    const lexed = lex(text, previous);
    kept.unshift(lexed);
    kept.length = Math.min(kept.length, keptMax);
    return lexed;
  }
}
