/** Known saved queries of this window: records in name order, and their texts. Pure data. */
import type { SavedQuery, SavedQuerySummary } from '../../../api/contract/saved-queries.ts';

/** A record without its text: texts are stored separately (query-texts.ts) because they may be too many to keep. */
export type KnownQuery = Readonly<Omit<SavedQuery, 'query_string'>>;

let collator: Intl.Collator | undefined;

/** Natural order: digits by value, case and accents last. Created on first use: its data takes 5 ms to load. */
export const nameOrder = {
  compare: (left: string, right: string): number =>
    (collator ??= new Intl.Collator(undefined, { numeric: true, sensitivity: 'base' })).compare(left, right),
};

/** Removes the text from a record. */
export function withoutText(query: SavedQuerySummary): KnownQuery {
  const { query_string: _text, ...known } = query;
  return known;
}

/** Case, outer white space and Unicode forms do not distinguish names (specification, SavedQuery). */
export function nameKeyOf(name: string): string {
  return name.normalize('NFC').trim().toLowerCase();
}
