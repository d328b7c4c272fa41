/** Escapes external text in Markdown, so that no part of it becomes markup or a link. */
import { cutEnd, cutMiddle } from './cut.ts';
import { maxLengths } from './for-places.ts';
import { escapeHidden } from './hidden-characters.ts';

/** Returns one paragraph. */
export function markdownLine(text: string): string {
  const line = cutEnd(text.slice(0, 2 * maxLengths.details).replace(/\s+/g, ' '), maxLengths.details);
  return escapePunctuation(escapeHidden(line.trim()));
}

/**
 * Returns one paragraph of a report that code hosts show. They look for mentions and references (`@name`, `#1`, `!1`,
 * `GH-1`) after Markdown has removed its backslashes, so a comment separates the sign from what follows.
 */
export function reportLine(text: string): string {
  return withoutMentions(markdownLine(text));
}

/** Breaks mentions and references in Markdown. A comment is not shown, and copied text does not contain it. */
export function withoutMentions(markdown: string): string {
  return markdown.replace(referenceSigns, (sign) => `${sign}${mentionBreak}`);
}

const referenceSigns =
  /@(?=[\p{L}\p{N}]|\\?_)|[#!&$](?=\p{N})|[~%^](?=[\p{L}\p{N}]|\\?["_])|\bGH\\?-(?=\d)/giu;

export const mentionBreak = '<!-- -->';

/**
 * Returns one line of a report for use in an HTML tag, where backslashes do not escape. Punctuation becomes character references,
 * which Markdown does not interpret either.
 */
export function htmlLine(text: string): string {
  return reportLine(text).replace(/\\([!-/:-@[-`{-~])/g, (_, mark: string) => `&#${mark.charCodeAt(0)};`);
}

/** Escapes text, preserving line breaks. */
export function markdownText(text: string): string {
  return cutMiddle(text, maxLengths.details)
    .split(/\r\n|[\r\n]/)
    .map((line) => markdownLine(line))
    .join('  \n');
}

/** Returns a code block whose fence is longer than any run of backticks in the code. */
export function codeBlock(code: string, language = ''): string {
  const shown = cutMiddle(code, maxLengths.details)
    .split(/\r\n|[\r\n]/)
    .map((line) => escapeHidden(line.replaceAll('\t', '  ')))
    .join('\n');
  const fence = fenceFor(shown);
  return `${fence}${language}\n${shown}\n${fence}`;
}

/** Returns a one-line code block, for example for a hover title. */
export function codeLine(code: string, language = ''): string {
  return codeBlock(code.replace(/\s+/g, ' ').trim(), language);
}

/** Returns a fence of at least three backticks that does not occur in the text. */
export function fenceFor(text: string): string {
  let longest = 2;
  for (const [run] of text.matchAll(/`+/g)) longest = Math.max(longest, run.length);
  return '`'.repeat(longest + 1);
}

/** In Markdown, a backslash escapes any punctuation, so addresses do not become links either. */
function escapePunctuation(text: string): string {
  return text.replace(/[!-/:-@[-`{-~]/g, String.raw`\$&`);
}
