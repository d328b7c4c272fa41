/**
 * The known records of one connection, in the order of their names, and what changed when they are read again. Records
 * that were read or written while a list was being read are newer than the list, so they win over it.
 */
import type { SavedQuery, SavedQuerySummary } from '../../../api/contract/saved-queries.ts';
import { nameKeyOf, nameOrder, withoutText, type KnownQuery } from './known-query.ts';
import { QueryTexts } from './query-texts.ts';

export interface CollectionChange {
  /** Queries whose record changed and whose place did not. */
  readonly changed: readonly string[];
  /** Whether queries came, went or have another name. */
  readonly isOrderChanged: boolean;
}

export class QueryCollection {
  readonly texts: QueryTexts;
  readonly #queries = new Map<string, KnownQuery>();
  /** In the order of names; undefined while it must be made anew. */
  #ordered: KnownQuery[] | undefined;
  #names: Set<string> | undefined;
  /** Ids that were put or removed since a reading of the list began. */
  #touched: Set<string> | undefined;

  constructor(texts = new QueryTexts()) {
    this.texts = texts;
  }

  get size(): number {
    return this.#queries.size;
  }

  /** By name, as people sort. The same array until something changes. */
  list(): readonly KnownQuery[] {
    this.#ordered ??= [...this.#queries.values()].sort((a, b) => nameOrder.compare(a.name, b.name));
    return this.#ordered;
  }

  get(queryId: string): KnownQuery | undefined {
    return this.#queries.get(queryId);
  }

  /** Whether a known query has this name, as the service compares names. */
  hasName(name: string): boolean {
    this.#names ??= new Set([...this.#queries.values()].map((query) => nameKeyOf(query.name)));
    return this.#names.has(nameKeyOf(name));
  }

  /** Takes in a record that was read or written. Older than the known one: nothing happens. */
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

  /** From now on, what is put or removed is newer than the list that is about to be read. */
  beginReading(): void {
    this.#touched = new Set();
  }

  /** Takes in a part of the list that is being read. */
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

  /** The list was read to its end: what it did not hold is gone. */
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

  /** The order of names stays where only other fields changed, so the sorted list is corrected and not sorted again. */
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

/** A version never changes, but the service may be restored from a copy, so the fields are compared. */
function isSameRecord(a: KnownQuery, b: KnownQuery): boolean {
  return (
    a.version === b.version &&
    a.name === b.name &&
    a.model === b.model &&
    (a.description ?? '') === (b.description ?? '') &&
    a.last_modified_at === b.last_modified_at
  );
}
