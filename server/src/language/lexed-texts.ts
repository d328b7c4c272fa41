/** The last texts that were read, as tokens: a check, a completion and a hover of one version share one reading. */
import { lex, type LexedText } from './lexer.ts';

const keptMax = 8;
const kept: LexedText[] = [];

export function lexShared(text: string): LexedText {
  const index = kept.findIndex((lexed) => lexed.text === text);
  const known = index < 0 ? undefined : kept[index];
  if (known !== undefined) {
    kept.splice(index, 1);
    kept.unshift(known);
    return known;
  }
  const lexed = lex(text);
  kept.unshift(lexed);
  kept.length = Math.min(kept.length, keptMax);
  return lexed;
}
