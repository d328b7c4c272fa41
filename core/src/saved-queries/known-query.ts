/** Known saved queries, and the order and equality of their names. Pure. */
import type { SavedQuery, SavedQuerySummary } from '#api/contract/saved-queries.ts';

/** A record without its text, which is stored separately (query-texts.ts) because there may be too much to keep. */
export type KnownQuery = Readonly<Omit<SavedQuery, 'query_string'>>;

let collator: Intl.Collator | undefined;

/** Natural order: digits by numeric value, ignoring case and accents. Created lazily, since that takes 5 ms. */
export const nameOrder = {
  compare: (left: string, right: string): number =>
    (collator ??= new Intl.Collator(undefined, { numeric: true, sensitivity: 'base' })).compare(left, right),
};

export function withoutText(query: SavedQuerySummary): KnownQuery {
  const { query_string: _text, ...known } = query;
  return known;
}

/** Names that differ only in case, surrounding whitespace or Unicode form are equal (specification, SavedQuery). */
export function nameKeyOf(name: string): string {
  return name.normalize('NFC').trim().toLowerCase();
}
