/**
 * Makes external text safe for a terminal or CI log, which interprets escape sequences and treats certain lines as
 * commands.
 */
import { escapeHidden } from './hidden-characters.ts';

/** Makes line breaks and escapes visible, and breaks the commands of GitHub (`::`), Azure (`##vso[`) and TeamCity. */
export function forTerminal(text: string): string {
  return escapeHidden(text)
    .replace(/^(\s*):(?=:)/, '$1: ')
    .replace(/##(?=\w*\[)/g, '# #');
}

/** Preserves line breaks. External text may start a line, but is never interpreted as a command. */
export function linesForTerminal(text: string): string {
  return text.split(/\r?\n/).map(forTerminal).join('\n');
}

/** Returns equivalent JSON that no log interprets as a command and no terminal as an escape sequence. */
export function jsonForTerminal(json: string): string {
  return jsonForLog(json).replace(/[\u007f-\u009f\u200b-\u200f\u2028-\u202e\u2060-\u206f]/g, (unit) => {
    const code = unit.charCodeAt(0).toString(16).padStart(4, '0');
    return String.raw`\u` + code;
  });
}

/**
 * Returns equivalent JSON in which no log finds a command of Azure, GitHub or TeamCity. They look for these anywhere in
 * a line, while the other commands start one, as JSON never does.
 */
export function jsonForLog(json: string): string {
  return json.includes('##') ? json.replace(/##(?=\w*\[)/g, String.raw`#\u0023`) : json;
}
