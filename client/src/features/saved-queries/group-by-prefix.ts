/** Groups saved queries by what stands before the first slash of their name ("Access reviews/Orphans"). */
import type { KnownQuery } from './known-query.ts';

export interface QueryGroup {
  /** Empty for queries without a group. */
  readonly name: string;
  readonly queries: readonly { readonly query: KnownQuery; readonly label: string }[];
}

/** Groups come first, in the order of the list; what has no group comes last. */
export function groupByPrefix(queries: readonly KnownQuery[]): readonly QueryGroup[] {
  const groups = new Map<string, { query: KnownQuery; label: string }[]>();
  for (const query of queries) {
    const slash = query.name.indexOf('/');
    const isGrouped = slash > 0 && slash < query.name.length - 1;
    const name = isGrouped ? query.name.slice(0, slash) : '';
    const entries = groups.get(name) ?? [];
    entries.push({ query, label: isGrouped ? query.name.slice(slash + 1) : query.name });
    groups.set(name, entries);
  }
  const named = [...groups].filter(([name]) => name !== '');
  const rest = [...groups].filter(([name]) => name === '');
  return [...named, ...rest].map(([name, entries]) => ({ name, queries: entries }));
}
