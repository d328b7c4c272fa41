/**
 * Matches queries in a folder with those on the service, first by ID, then by name. A query of an entry that is held
 * back is matched with nothing else: it is not missing. Pure.
 */
import { nameKeyOf } from '#core/saved-queries/known-query.ts';
import { isSameFields, type Draft } from '#core/saved-queries/merge-drafts.ts';
import type { HeldEntry } from '../format/query-index.ts';

/** A query in the folder. */
export interface QueryHere {
  readonly file: string;
  readonly draft: Draft;
  /** IDs by service. */
  readonly ids: Readonly<Record<string, string>>;
}

/** A query on the service. */
export interface QueryThere {
  readonly id: string;
  readonly version: number;
  readonly draft: Draft;
}

/** The state that both sides shared after the last pull or push in this clone. */
export interface Agreed extends QueryThere {
  /** The file that a pull created for the query. The file's first commit may already contain an edit. */
  readonly newFile?: string;
  /** What this side has, where the service stores another form of it, for example without the last newline. */
  readonly here?: Draft;
}

/** Returns the state that both sides share once they have the same query, each in its own form. */
export function agreedOn(here: Draft, { id, version, draft }: QueryThere): Agreed {
  const isEqual = here.query_string === draft.query_string && isSameFields(here, draft);
  return { id, version, draft, ...(isEqual ? {} : { here }) };
}

export interface Pair {
  readonly here: QueryHere;
  readonly there: QueryThere;
  /** Whether the folder has no ID for this service, so the pair matches by name, or by an earlier name or ID. */
  readonly isByName: boolean;
}

export interface Pairs {
  readonly pairs: readonly Pair[];
  /** `goneId`: the ID that the folder has but that no longer exists on the service. */
  readonly onlyHere: readonly { readonly here: QueryHere; readonly goneId: string | undefined }[];
  readonly onlyThere: readonly QueryThere[];
  /** Entries that cannot be used, with the query on the service that they are about, if it is known. */
  readonly held: readonly { readonly entry: HeldEntry; readonly there: QueryThere | undefined }[];
}

/** Names and IDs of a file in earlier commits. */
export interface Earlier {
  readonly names: readonly string[];
  readonly ids: readonly string[];
}

/**
 * Pairs files without an ID by their earlier IDs and names. A push from another clone may have created the query
 * without committing the ID, or a merge may have lost it.
 */
export function pairByHistory(
  pairs: Pairs,
  earlierOf: (query: Pick<QueryHere, 'file'>) => Earlier | undefined,
): Pairs {
  const free = new Map(pairs.onlyThere.map((query) => [query.id, query]));
  const found: Pair[] = [];
  const take = (earlier: Earlier | undefined) => {
    if (earlier === undefined) return undefined;
    const byName = new Map([...free.values()].map((query) => [nameKeyOf(query.draft.name), query]));
    const there = [
      ...earlier.ids.map((id) => free.get(id)),
      ...earlier.names.map((name) => byName.get(nameKeyOf(name))),
    ].find((each) => each !== undefined);
    if (there !== undefined) free.delete(there.id);
    return there;
  };
  const held = pairs.held.map(({ entry, there }) => ({
    entry,
    there: there ?? (entry.file === undefined ? undefined : take(earlierOf({ file: entry.file }))),
  }));
  const onlyHere = pairs.onlyHere.filter(({ here, goneId }) => {
    const there = goneId === undefined ? take(earlierOf(here)) : undefined;
    if (there === undefined) return true;
    found.push({ here, there, isByName: true });
    return false;
  });
  return { pairs: [...pairs.pairs, ...found], onlyHere, onlyThere: [...free.values()], held };
}

export function pairQueries(
  { queries: here, held }: { readonly queries: readonly QueryHere[]; readonly held: readonly HeldEntry[] },
  there: readonly QueryThere[],
  service: string,
): Pairs {
  const byId = new Map(there.map((query) => [query.id, query]));
  const own = new Set(here.map(({ ids }) => ids[service]));
  const heldThere = new Map<HeldEntry, QueryThere>();
  for (const entry of held) {
    const id = entry.ids[service];
    const found = id === undefined || own.has(id) ? undefined : byId.get(id);
    if (found !== undefined) heldThere.set(entry, found);
  }
  for (const { id } of heldThere.values()) byId.delete(id);
  const pairs: Pair[] = [];
  const left: { here: QueryHere; goneId: string | undefined }[] = [];
  for (const query of here) {
    const id = query.ids[service];
    const found = id === undefined ? undefined : byId.get(id);
    if (found === undefined) left.push({ here: query, goneId: id });
    else {
      byId.delete(found.id);
      pairs.push({ here: query, there: found, isByName: false });
    }
  }
  const byName = new Map([...byId.values()].map((query) => [nameKeyOf(query.draft.name), query]));
  const onlyHere: { here: QueryHere; goneId: string | undefined }[] = [];
  for (const query of left) {
    const found = byName.get(nameKeyOf(query.here.draft.name));
    if (found === undefined) onlyHere.push(query);
    else {
      byName.delete(nameKeyOf(found.draft.name));
      byId.delete(found.id);
      pairs.push({ here: query.here, there: found, isByName: true });
    }
  }
  const leftByName = new Map([...byId.values()].map((query) => [nameKeyOf(query.draft.name), query]));
  for (const entry of held) {
    const found = entry.name === undefined ? undefined : leftByName.get(nameKeyOf(entry.name));
    if (found === undefined || heldThere.has(entry)) continue;
    heldThere.set(entry, found);
    byId.delete(found.id);
  }
  return {
    pairs,
    onlyHere,
    onlyThere: [...byId.values()],
    held: held.map((entry) => ({ entry, there: heldThere.get(entry) })),
  };
}
