/**
 * Makes external text safe for the editor's own UI. The editor turns `[text](command:...)` into a link that runs the
 * command in notifications, progress, prompts, language status and error messages, and `$(name)` into an icon in
 * labels. A space breaks both. Every function is idempotent.
 */
import { cutEnd, cutMiddle } from './cut.ts';
import { escapeHidden } from './hidden-characters.ts';

/** Maximum number of characters in a name, a line next to it, a message, and the details of a question. */
export const maxLengths = { name: 200, line: 500, message: 900, details: 4_000 } as const;

/** Makes a name safe for a label, a title or a button. */
export function forLabel(text: string): string {
  return cutEnd(withoutIcons(oneLine(text, maxLengths.name)), maxLengths.name);
}

/** Makes text safe for a descriptive line: a description next to a label, a placeholder or a tooltip. */
export function forLine(text: string): string {
  return cutEnd(withoutIcons(oneLine(text, maxLengths.line)), maxLengths.line);
}

/** Makes sentences safe for a notification, a progress message, a prompt or an error. Keeps the end. */
export function forMessage(text: string): string {
  const near = cutMiddle(text, 4 * maxLengths.message);
  return cutMiddle(withoutLinks(escapeHidden(inOneLine(near))), maxLengths.message);
}

/** Makes several lines of plain text safe, such as the details of a question. */
export function forLines(text: string): string {
  const lines = cutMiddle(text, maxLengths.details).split(/\r\n|[\r\n]/);
  return lines.map((line) => withoutLinks(escapeHidden(line.replaceAll('\t', ' ')))).join('\n');
}

/** Makes text safe for the details of a language status, which the editor parses for links and icons. */
export function forStatusDetail(text: string): string {
  return withoutIcons(forMessage(text));
}

/** Makes text safe for a status bar item. Keeps an icon at the start, which comes from the extension. */
export function forStatus(text: string): string {
  const [icon = ''] = /^\$\([a-z-]+(?:~spin)?\) /.exec(text) ?? [];
  return icon + forLine(text.slice(icon.length));
}

/**
 * Makes a name safe for a URI that tabs and the editor's messages show. Never truncates, so that the name stays unique.
 */
export function forFileName(text: string): string {
  return withoutLinks(escapeHidden(inOneLine(text)));
}

function oneLine(text: string, max: number): string {
  // The rest is truncated later, so it need not be scanned.
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
