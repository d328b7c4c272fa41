/** The last texts that were read, as tokens: a check, a completion and a hover of one version share one reading. */
import { lex, type ReadText } from './lexer.ts';
import { editBetween } from './lexer/edited-text.ts';

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
