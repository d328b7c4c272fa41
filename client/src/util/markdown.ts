/** On one line, and nothing in it means anything to Markdown. */
export function plainMarkdown(text: string): string {
  return text.replaceAll(/\s+/g, ' ').replaceAll(/[\\`*_[\]<>|#]/g, (character) => `\\${character}`);
}

/** Keeps a value in its cell and from becoming markup. */
export function escapeMarkdown(text: string): string {
  return text.replace(/[\\`*_[\]<>|~#]/g, String.raw`\$&`).replace(/\r\n|[\r\n]/g, '<br>');
}
