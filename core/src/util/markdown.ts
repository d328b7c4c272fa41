import { escapeHidden } from '../shown-text/hidden-characters.ts';

/** On one line, and nothing in it means anything to Markdown or is hidden. An address stays one, as it is read. */
export function plainMarkdown(text: string): string {
  return escapeHidden(text.replaceAll(/[ \t\r\n\v\f\u0085\u2028\u2029]+/g, ' ')).replaceAll(
    /[\\`*_[\]<>|#~]/g,
    (character) => `\\${character}`,
  );
}

/** Keeps a value in its cell and from becoming markup. */
export function escapeMarkdown(text: string): string {
  return text.replace(/[\\`*_[\]<>|~#]/g, String.raw`\$&`).replace(/\r\n|[\r\n]/g, '<br>');
}
