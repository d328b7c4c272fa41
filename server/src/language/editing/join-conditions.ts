/** Conditions that a JOIN probably means: keys of the two tables that match by name. */
import type { CatalogueTable } from '../../protocol.ts';

export interface JoinSide {
  readonly alias: string;
  readonly table: CatalogueTable;
}

export interface JoinCondition {
  readonly left: { readonly alias: string; readonly column: string };
  readonly right: { readonly alias: string; readonly column: string };
}

/** `person` of `people_person`, `persons` and `person`. */
function stems(table: string): readonly string[] {
  const lower = table.toLowerCase();
  const singular = lower.endsWith('ies') ? `${lower.slice(0, -3)}y` : lower.replace(/s$/, '');
  return [lower, singular];
}

/** Of the table just joined with each of those before it; the likeliest first. */
export function joinConditions(joined: JoinSide, before: readonly JoinSide[]): readonly JoinCondition[] {
  return before.flatMap((other) => [
    ...references(other, joined),
    ...references(joined, other).map(({ left, right }) => ({ left: right, right: left })),
    ...shared(other, joined),
  ]);
}

/** Columns on the left that carry the key of the table on the right: `person_id` of `persons.id`. */
function references(from: JoinSide, to: JoinSide): readonly JoinCondition[] {
  const key = to.table.columns?.find(({ name }) => name.toLowerCase() === 'id');
  if (key === undefined) {
    return [];
  }
  const wanted = new Set(stems(to.table.name).flatMap((stem) => [`${stem}_id`, `${stem}id`]));
  return (from.table.columns ?? [])
    .filter(({ name }) => wanted.has(name.toLowerCase()))
    .map(({ name }) => ({
      left: { alias: from.alias, column: name },
      right: { alias: to.alias, column: key.name },
    }));
}

/** Keys of the same name on both sides: `person_id`. A plain `id` says nothing. */
function shared(left: JoinSide, right: JoinSide): readonly JoinCondition[] {
  const names = new Set((right.table.columns ?? []).map(({ name }) => name));
  return (left.table.columns ?? [])
    .filter(({ name }) => names.has(name) && /.(_id|_key|_code|Id)$/.test(name))
    .map(({ name }) => ({
      left: { alias: left.alias, column: name },
      right: { alias: right.alias, column: name },
    }));
}
