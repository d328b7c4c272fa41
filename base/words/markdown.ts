import { withoutMentions } from '../shown-text/for-markdown.ts';
import { escapeHidden, escapeHiddenInLines } from '../shown-text/hidden-characters.ts';

/** Returns a single line without Markdown syntax, mentions or hidden characters. Addresses stay readable. */
export function plainMarkdown(text: string): string {
  return withoutMentions(
    escapeHidden(text.replaceAll(/[ \t\r\n\v\f\u0085\u2028\u2029]+/g, ' ')).replaceAll(
      /[\\`*_[\]<>|#~]|&(?=[\da-z]+;)/gi,
      (character) => `\\${character}`,
    ),
  );
}

/** Keeps a value inside its cell and free of markup. An address is no link, in which backslashes would be shown. */
export function escapeMarkdown(text: string): string {
  return text
    .replace(/[\\`*_[\]<>|~#]|&(?=#?[\da-z]+;)|(?<=https?|ftp):(?=\/\/)|(?<=www)\./gi, String.raw`\$&`)
    .replace(/\r\n|[\r\n]/g, '<br>');
}

/** The same for a text that is no value: it mentions nobody, refers to nothing and hides nothing. */
export function escapeMarkdownName(text: string): string {
  return withoutMentions(escapeMarkdown(escapeHiddenInLines(text)));
}
