/** The last texts that were read, as tokens: a check, a completion and a hover of one version share one reading. */
import { dialectTraits, type Dialect } from './dialects.ts';
import { lexDialect } from './lexer/lex-dialect.ts';
import { lex, type ReadText } from './lexer/lex.ts';
import { editBetween } from './lexer/edited-text.ts';
import type { LexedText } from './lexer/tokens.ts';

const keptMax = 8;
const kept: ReadText[] = [];

export function lexShared(text: string): ReadText {
  const index = kept.findIndex((lexed) => lexed.text === text);
  const known = index < 0 ? undefined : kept[index];
  if (known !== undefined) {
    kept.splice(index, 1);
    kept.unshift(known);
    return known;
  }
  // Most likely an edit of one of them, the latest version of a document.
  const previous = kept.find((lexed) => editBetween(lexed.text, text) !== undefined);
  const lexed = lex(text, previous);
  kept.unshift(lexed);
  kept.length = Math.min(kept.length, keptMax);
  return lexed;
}

let lastOfDialect: { readonly dialect: Dialect; readonly lexed: LexedText } | undefined;

/** By the rules of a dialect; PostgreSQL's where it is undefined. */
export function lexAs(text: string, dialect: Dialect | undefined): LexedText {
  if (dialect === undefined) {
    return lexShared(text);
  }
  if (lastOfDialect?.dialect !== dialect || lastOfDialect.lexed.text !== text) {
    lastOfDialect = { dialect, lexed: lexDialect(text, dialectTraits[dialect]) };
  }
  return lastOfDialect.lexed;
}
