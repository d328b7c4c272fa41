/** Matches queries in a folder with those on the service, first by ID, then by name. Pure. */
import type { Draft } from '#core/saved-queries/merge-drafts.ts';
import { nameKeyOf } from '#core/saved-queries/known-query.ts';

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
export function pairByHistory(pairs: Pairs, earlierOf: (here: QueryHere) => Earlier | undefined): Pairs {
  const free = new Map(pairs.onlyThere.map((query) => [query.id, query]));
  const found: Pair[] = [];
  const onlyHere = pairs.onlyHere.filter(({ here, goneId }) => {
    const earlier = goneId === undefined ? earlierOf(here) : undefined;
    if (earlier === undefined) return true;
    const byName = new Map([...free.values()].map((query) => [nameKeyOf(query.draft.name), query]));
    const there = [
      ...earlier.ids.map((id) => free.get(id)),
      ...earlier.names.map((name) => byName.get(nameKeyOf(name))),
    ].find((each) => each !== undefined);
    if (there === undefined) return true;
    free.delete(there.id);
    found.push({ here, there, isByName: true });
    return false;
  });
  return { pairs: [...pairs.pairs, ...found], onlyHere, onlyThere: [...free.values()] };
}

export function pairQueries(
  here: readonly QueryHere[],
  there: readonly QueryThere[],
  service: string,
): Pairs {
  const byId = new Map(there.map((query) => [query.id, query]));
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
  return { pairs, onlyHere, onlyThere: [...byId.values()] };
}
