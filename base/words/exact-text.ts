/** Quotes text exactly for a user who must review it: invisible and reordering characters are escaped. */
export function exactText(text: string): string {
  return JSON.stringify(text).replaceAll(/[\p{C}\p{Z}\p{DI}]/gu, (character) => {
    if (character === ' ') return character;
    return `\\u{${(character.codePointAt(0) ?? 0).toString(16)}}`;
  });
}
