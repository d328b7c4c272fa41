/** Text from outside on one line of a terminal or of a CI log, which reads escapes and some lines as commands. */
import { escapeHidden } from './hidden-characters.ts';

/** Line breaks and escapes become visible; commands of GitHub (`::`), Azure (`##vso[`) and TeamCity are broken. */
export function forTerminal(text: string): string {
  return escapeHidden(text)
    .replace(/^(\s*):(?=:)/, '$1: ')
    .replace(/##(?=\w*\[)/g, '# #');
}
