/** Makes external text safe for SARIF, which code hosts show beside the lines of a pull request. */
import { escapeHiddenInLines } from './hidden-characters.ts';

/**
 * Returns a SARIF message. Plain text in SARIF can contain links, `[text](address)`. Not every viewer supports
 * escaping, so a space breaks the link.
 */
export function sarifMessage(text: string): { readonly text: string } {
  return { text: escapeHiddenInLines(text).replaceAll('](', '] (') };
}
