/** A text as it is, for somebody who decides by it: in quotes, and what cannot be seen, or moves what can, as escapes. */
export function exactText(text: string): string {
  return JSON.stringify(text).replaceAll(/[\p{C}\p{Z}\p{DI}]/gu, (character) => {
    if (character === ' ') return character;
    return `\\u{${(character.codePointAt(0) ?? 0).toString(16)}}`;
  });
}
