/** External text on one line of a terminal or CI log, which interprets escapes and some lines as commands. */
import { escapeHidden } from './hidden-characters.ts';

/** Line breaks and escapes become visible; commands of GitHub (`::`), Azure (`##vso[`) and TeamCity are broken. */
export function forTerminal(text: string): string {
  return escapeHidden(text)
    .replace(/^(\s*):(?=:)/, '$1: ')
    .replace(/##(?=\w*\[)/g, '# #');
}

/** Several lines: line endings stay, so external text may start a line, but is never a command. */
export function linesForTerminal(text: string): string {
  return text.split(/\r?\n/).map(forTerminal).join('\n');
}

/** Equivalent JSON that no log reads as a command and no terminal as an escape. */
export function jsonForTerminal(json: string): string {
  return json
    .replace(/##(?=\w*\[)/g, String.raw`#\u0023`)
    .replace(/[\u007f-\u009f\u200b-\u200f\u2028-\u202e\u2060-\u206f]/g, (unit) => {
      const code = unit.charCodeAt(0).toString(16).padStart(4, '0');
      return String.raw`\u` + code;
    });
}
