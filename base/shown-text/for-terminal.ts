/**
 * Makes external text safe for a terminal or CI log, which interprets escape sequences and treats certain lines as
 * commands.
 */
import { escapeHidden, replaceHidden } from './hidden-characters.ts';

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

/** Returns equivalent JSON that no log interprets as a command and no terminal as an escape sequence, and hides nothing. */
export function jsonForTerminal(json: string): string {
  return replaceHidden(jsonForLog(json), (character) =>
    // Only layout: in a text, a line break is escaped already.
    character === '\n' ? character : character.replace(/[^]/g, escapedUnit),
  );
}

/**
 * Returns equivalent JSON in which no log finds a command of Azure, GitHub or TeamCity, and no terminal an escape
 * sequence. Logs look for these anywhere in a line, while the other commands start one, as JSON never does.
 */
export function jsonForLog(json: string): string {
  // Most JSON has neither, and two searches are faster than one for both.
  if (!json.includes('##') && !controls.test(json)) return json;
  return json.replace(/##(?=\w*\[)|[\u007f-\u009f]/g, (found) =>
    found === '##' ? String.raw`#\u0023` : escapedUnit(found),
  );
}

const controls = /[\u007f-\u009f]/;

const escapedUnit = (unit: string): string =>
  String.raw`\u` + unit.charCodeAt(0).toString(16).padStart(4, '0');
