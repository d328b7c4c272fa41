/** Saved queries as far as this window knows them: their records in the order of names, and their texts. Pure data. */
import type { SavedQuery, SavedQuerySummary } from '../../../api/contract/saved-queries.ts';

/** A record without its text, which is kept apart (query-texts.ts) because texts may be too many to keep. */
export type KnownQuery = Readonly<Omit<SavedQuery, 'query_string'>>;

/** As people sort: digits by value, case and accents last. */
export const nameOrder = new Intl.Collator(undefined, { numeric: true, sensitivity: 'base' });

/** What is left of a record without its text. */
export function withoutText(query: SavedQuerySummary): KnownQuery {
  const { query_string: _text, ...known } = query;
  return known;
}

/** Upper and lower case, outer white space and Unicode forms do not make names different (specification, SavedQuery). */
export function nameKeyOf(name: string): string {
  return name.normalize('NFC').trim().toLowerCase();
}
