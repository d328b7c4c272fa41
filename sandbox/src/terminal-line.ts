/** A line for a terminal or a CI log: what others wrote, such as a path or a message of the database, is no escape or command in it. */
export function terminalLine(text: string): string {
  return text
    .replace(/[\p{Cc}\p{Zl}\p{Zp}\u202a-\u202e\u2066-\u2069]/gu, (character) => {
      const code = character.codePointAt(0) ?? 0;
      return `<U+${code.toString(16).toUpperCase().padStart(4, '0')}>`;
    })
    .replace(/^(\s*):(?=:)/, '$1: ')
    .replace(/##(?=\w*\[)/g, '# #');
}
