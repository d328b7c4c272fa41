/** Formats a row count in English, with singular and plural. */
import { countedText } from '#base/words/counted-text.ts';

export function rowsText(rowCount: number): string {
  return countedText(rowCount, 'row');
}
