/**
 * External text, safe for the editor's own UI. The editor turns `[text](command:...)` into a link that runs the command
 * in notifications, progress, prompts, language status and error messages, and `$(name)` into an icon in labels: a
 * space breaks both. Every function is idempotent.
 */
import { cutEnd, cutMiddle } from './cut.ts';
import { escapeHidden } from './hidden-characters.ts';

/** Maximum characters of a name, of a line beside it, of a message and of a question's details. */
export const maxLengths = { name: 200, line: 500, message: 900, details: 4_000 } as const;

/** A name in a label, a title or a button. */
export function forLabel(text: string): string {
  return cutEnd(withoutIcons(oneLine(text, maxLengths.name)), maxLengths.name);
}

/** A line that describes: beside a label, a placeholder, a tooltip. */
export function forLine(text: string): string {
  return cutEnd(withoutIcons(oneLine(text, maxLengths.line)), maxLengths.line);
}

/** One or more sentences in a notification, a progress, a prompt or an error. Keeps the end. */
export function forMessage(text: string): string {
  const near = cutMiddle(text, 4 * maxLengths.message);
  return cutMiddle(withoutLinks(escapeHidden(inOneLine(near))), maxLengths.message);
}

/** Several lines of plain text, such as the details of a question. */
export function forLines(text: string): string {
  const lines = cutMiddle(text, maxLengths.details).split(/\r\n|[\r\n]/);
  return lines.map((line) => withoutLinks(escapeHidden(line.replaceAll('\t', ' ')))).join('\n');
}

/** The details of a language status, which the editor parses for links and icons. */
export function forStatusDetail(text: string): string {
  return withoutIcons(forMessage(text));
}

/** A status bar text: an icon at its start is the extension's own. */
export function forStatus(text: string): string {
  const [icon = ''] = /^\$\([a-z-]+(?:~spin)?\) /.exec(text) ?? [];
  return icon + forLine(text.slice(icon.length));
}

/** A name as part of an address, which tabs and the editor's messages show. Never truncated, so it stays unique. */
export function forFileName(text: string): string {
  return withoutLinks(escapeHidden(inOneLine(text)));
}

function oneLine(text: string, max: number): string {
  // The part that will be removed need not be scanned.
  return withoutLinks(escapeHidden(inOneLine(text.slice(0, 4 * max))));
}

function inOneLine(text: string): string {
  return text.replace(/[\t\n\v\f\r\u0085\u2028\u2029]+/g, ' ');
}

function withoutLinks(text: string): string {
  return text.replaceAll('](', '] (');
}

function withoutIcons(text: string): string {
  return text.replaceAll('$(', '$ (');
}
