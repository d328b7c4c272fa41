/**
 * A text exactly as it is, for a person who decides about it: quoted, with invisible and reordering characters as
 * escapes.
 */
export function exactText(text: string): string {
  return JSON.stringify(text).replaceAll(/[\p{C}\p{Z}\p{DI}]/gu, (character) => {
    if (character === ' ') return character;
    return `\\u{${(character.codePointAt(0) ?? 0).toString(16)}}`;
  });
}
