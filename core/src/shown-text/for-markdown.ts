/** External text in Markdown: no part of it becomes markup, a link or an address. */
import { cutEnd, cutMiddle } from './cut.ts';
import { maxLengths } from './for-places.ts';
import { escapeHidden } from './hidden-characters.ts';

/** One paragraph. */
export function markdownLine(text: string): string {
  const line = cutEnd(text.slice(0, 2 * maxLengths.details).replace(/\s+/g, ' '), maxLengths.details);
  return escapePunctuation(escapeHidden(line.trim()));
}

/**
 * One line in an HTML tag, where a backslash escapes nothing: written as character references, which are not Markdown
 * either.
 */
export function htmlLine(text: string): string {
  return markdownLine(text).replace(/\\([!-/:-@[-`{-~])/g, (_, mark: string) => `&#${mark.charCodeAt(0)};`);
}

/** Keeps its lines. */
export function markdownText(text: string): string {
  return cutMiddle(text, maxLengths.details)
    .split(/\r\n|[\r\n]/)
    .map((line) => markdownLine(line))
    .join('  \n');
}

/** A block of code; its fence is longer than any run of backticks in it. */
export function codeBlock(code: string, language = ''): string {
  const shown = cutMiddle(code, maxLengths.details)
    .split(/\r\n|[\r\n]/)
    .map((line) => escapeHidden(line.replaceAll('\t', '  ')))
    .join('\n');
  const fence = fenceFor(shown);
  return `${fence}${language}\n${shown}\n${fence}`;
}

/** A one-line block, such as a hover title. */
export function codeLine(code: string, language = ''): string {
  return codeBlock(code.replace(/\s+/g, ' ').trim(), language);
}

/** A backtick fence that does not occur in a text, at least three long. */
export function fenceFor(text: string): string {
  let longest = 2;
  for (const [run] of text.matchAll(/`+/g)) longest = Math.max(longest, run.length);
  return '`'.repeat(longest + 1);
}

/** Markdown unescapes any punctuation after a backslash; so no address becomes a link. */
function escapePunctuation(text: string): string {
  return text.replace(/[!-/:-@[-`{-~]/g, String.raw`\$&`);
}
