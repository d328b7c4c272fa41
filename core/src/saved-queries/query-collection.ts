/**
 * The known records of one connection, sorted by name, and the differences after a reload. Records that were read or
 * written during a reload are newer than the list, so they take precedence.
 */
import type { SavedQuery, SavedQuerySummary } from '#api/contract/saved-queries.ts';
import { nameKeyOf, nameOrder, withoutText, type KnownQuery } from './known-query.ts';
import { QueryTexts } from './query-texts.ts';

export interface CollectionChange {
  /** IDs of queries whose record changed but whose place did not. */
  readonly changed: readonly string[];
  /** Whether queries were added, removed or renamed. */
  readonly isOrderChanged: boolean;
}

export class QueryCollection {
  readonly texts: QueryTexts;
  readonly #queries = new Map<string, KnownQuery>();
  /** Sorted by name; undefined if outdated. */
  #ordered: KnownQuery[] | undefined;
  #names: Set<string> | undefined;
  /** IDs of queries that changed since a reload began; undefined if none is running. */
  #touched: Set<string> | undefined;

  constructor(texts = new QueryTexts()) {
    this.texts = texts;
  }

  get size(): number {
    return this.#queries.size;
  }

  /** Returns the records sorted by name in natural order. The array is reused until something changes. */
  list(): readonly KnownQuery[] {
    this.#ordered ??= [...this.#queries.values()].sort((a, b) => nameOrder.compare(a.name, b.name));
    return this.#ordered;
  }

  get(queryId: string): KnownQuery | undefined {
    return this.#queries.get(queryId);
  }

  /** Returns whether a known query has this name, compared as the service compares names. */
  hasName(name: string): boolean {
    this.#names ??= new Set([...this.#queries.values()].map((query) => nameKeyOf(query.name)));
    return this.#names.has(nameKeyOf(name));
  }

  /** Adds a record that was read or written, unless a newer one is known. */
  put(query: SavedQuery): CollectionChange {
    const { query_id: queryId } = query;
    const before = this.#queries.get(queryId);
    if (before !== undefined && before.version > query.version) return unchanged;
    this.#touched?.add(queryId);
    this.texts.set(queryId, query.version, query.query_string);
    const known = withoutText(query);
    if (before !== undefined && isSameRecord(before, known)) return unchanged;
    this.#queries.set(queryId, known);
    return this.#noteChange(before, known);
  }

  remove(queryId: string): CollectionChange {
    this.#touched?.add(queryId);
    this.texts.delete(queryId);
    if (!this.#queries.delete(queryId)) return unchanged;
    this.#forgetOrder();
    return { changed: [], isOrderChanged: true };
  }

  /** Starts a reload. Later changes take precedence over the list. */
  beginReading(): void {
    this.#touched = new Set();
  }

  /** Adds a page of the list. */
  putListed(queries: readonly SavedQuerySummary[]): CollectionChange {
    const changed: string[] = [];
    let isOrderChanged = false;
    for (const query of queries) {
      const { query_id: queryId } = query;
      if (this.#touched?.has(queryId) === true) continue;
      if (query.query_string !== undefined) this.texts.set(queryId, query.version, query.query_string);
      const before = this.#queries.get(queryId);
      const known = withoutText(query);
      if (before !== undefined && isSameRecord(before, known)) continue;
      this.#queries.set(queryId, known);
      this.#ordered = undefined;
      if (before?.name === known.name) changed.push(queryId);
      else {
        this.#forgetOrder();
        isOrderChanged = true;
      }
    }
    return { changed, isOrderChanged };
  }

  /** Ends a reload by removing the queries that are missing from the list. */
  endReading(listed: ReadonlySet<string>): CollectionChange {
    let isOrderChanged = false;
    for (const queryId of this.#queries.keys()) {
      if (listed.has(queryId) || this.#touched?.has(queryId) === true) continue;
      this.#queries.delete(queryId);
      this.texts.delete(queryId);
      isOrderChanged = true;
    }
    this.#touched = undefined;
    if (isOrderChanged) this.#forgetOrder();
    return { changed: [], isOrderChanged };
  }

  clear(): void {
    this.#queries.clear();
    this.texts.clear();
    this.#touched = undefined;
    this.#forgetOrder();
  }

  /** Replaces the record in the sorted list if its name is unchanged, which avoids sorting again. */
  #noteChange(before: KnownQuery | undefined, after: KnownQuery): CollectionChange {
    if (before?.name !== after.name) {
      this.#forgetOrder();
      return { changed: [], isOrderChanged: true };
    }
    const at = this.#ordered?.indexOf(before) ?? -1;
    if (this.#ordered !== undefined && at >= 0) this.#ordered = this.#ordered.with(at, after);
    return { changed: [after.query_id], isOrderChanged: false };
  }

  #forgetOrder(): void {
    this.#ordered = undefined;
    this.#names = undefined;
  }
}

const unchanged: CollectionChange = { changed: [], isOrderChanged: false };

/** A version is immutable, but a restored backup may reuse its number, so other fields are compared too. */
function isSameRecord(a: KnownQuery, b: KnownQuery): boolean {
  return (
    a.version === b.version &&
    a.name === b.name &&
    a.model === b.model &&
    (a.description ?? '') === (b.description ?? '') &&
    a.last_modified_at === b.last_modified_at
  );
}
