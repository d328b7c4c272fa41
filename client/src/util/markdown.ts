/** On one line, and nothing in it means anything to Markdown. */
export function plainMarkdown(text: string): string {
  return text.replaceAll(/\s+/g, ' ').replaceAll(/[\\`*_[\]<>|#]/g, (character) => `\\${character}`);
}
