/** Caches the tokens of recent documents, so that checks, completion and hovers of a version share them. */
import { dialectTraits, type Dialect } from './dialects.ts';
import { editBetween } from './lexer/edited-text.ts';
import { lexDialect } from './lexer/lex-dialect.ts';
import { lex, type ReadText } from './lexer/lex.ts';
import type { LexedText } from './lexer/tokens.ts';

const keptMax = 8;
/** Maximum total length of the cached texts except the newest, in characters. Tokens take several bytes for each. */
const keptSizeMax = 200_000;

export class LexedTexts {
  readonly #kept: ReadText[] = [];
  #lastOfDialect: { readonly dialect: Dialect; readonly lexed: LexedText } | undefined;

  /** Lexes text using the dialect's rules, or PostgreSQL's if no dialect is given. */
  read(text: string, dialect?: Dialect): LexedText {
    if (dialect === undefined) return this.#readPostgres(text);
    const last = this.#lastOfDialect;
    if (last?.dialect === dialect && last.lexed.text === text) return last.lexed;
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
    // The text is most likely an edited version of a recent one, whose tokens are then seldom needed again.
    const edited = kept.findIndex((lexed) => editBetween(lexed.text, text) !== undefined);
    const lexed = lex(text, kept[edited]);
    if (edited >= 0) kept.splice(edited, 1);
    let size = 0;
    const fitting = kept.findIndex((older) => (size += older.text.length) > keptSizeMax);
    kept.length = Math.min(fitting < 0 ? kept.length : fitting, keptMax - 1);
    kept.unshift(lexed);
    return lexed;
  }
}
