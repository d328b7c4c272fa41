/** Text from outside on one line of a terminal or of a CI log, which reads escapes and some lines as commands. */
import { escapeHidden } from './hidden-characters.ts';

/** Line breaks and escapes become visible; commands of GitHub (`::`), Azure (`##vso[`) and TeamCity are broken. */
export function forTerminal(text: string): string {
  return escapeHidden(text)
    .replace(/^(\s*):(?=:)/, '$1: ')
    .replace(/##(?=\w*\[)/g, '# #');
}

/** Several lines: their ends stay, so that what others wrote may begin a line, but is no command there either. */
export function linesForTerminal(text: string): string {
  return text.split(/\r?\n/).map(forTerminal).join('\n');
}

/** JSON that means the same, in which no log finds a command and no terminal an escape. */
export function jsonForTerminal(json: string): string {
  return json
    .replace(/##(?=\w*\[)/g, String.raw`#\u0023`)
    .replace(/[\u007f-\u009f\u200b-\u200f\u2028-\u202e\u2060-\u206f]/g, (unit) => {
      const code = unit.charCodeAt(0).toString(16).padStart(4, '0');
      return String.raw`\u` + code;
    });
}
