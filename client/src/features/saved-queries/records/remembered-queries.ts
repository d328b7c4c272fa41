/**
 * Remembers which queries this user marked as favorites, opened or created, per connection and across windows and
 * restarts. Stores IDs but no text. If a service has no list, the view shows these queries.
 */
import * as vscode from 'vscode';
import type { KeyValueStore } from '#base/key-value-store.ts';

/** The remembered IDs of one connection, newest first. */
interface Memory {
  readonly favourites: readonly string[];
  readonly recent: readonly string[];
  readonly created: readonly string[];
}

const keyPrefix = 'identityQueries.rememberedQueries.';
const kept = { favourites: 1_000, recent: 30, created: 500 } as const;

export class RememberedQueries implements vscode.Disposable {
  readonly #memento: KeyValueStore;
  readonly #connectionKey: () => string | undefined;
  readonly #onDidChange = new vscode.EventEmitter<readonly string[]>();

  /** Fires with the IDs of queries whose place among favorites, recent or created queries changed. */
  readonly onDidChange = this.#onDidChange.event;

  /**
   * @param connectionKey returns the key of the current connection, which does not depend on its name; undefined if
   * there is none.
   */
  constructor(memento: KeyValueStore, connectionKey: () => string | undefined) {
    this.#memento = memento;
    this.#connectionKey = connectionKey;
  }

  /** Returns the favorites in the order in which they were marked. */
  favourites(): readonly string[] {
    return this.#read().favourites.toReversed();
  }

  isFavourite(queryId: string): boolean {
    return this.#read().favourites.includes(queryId);
  }

  /** Returns recently opened queries, newest first. */
  recent(): readonly string[] {
    return this.#read().recent;
  }

  /** Returns all remembered IDs without duplicates. */
  ids(): readonly string[] {
    const { favourites, recent, created } = this.#read();
    return [...new Set([...favourites, ...recent, ...created])];
  }

  noteOpened(queryId: string): void {
    const memory = this.#read();
    if (memory.recent[0] === queryId) return;
    this.#write({ ...memory, recent: withFirst(memory.recent, queryId, kept.recent) }, [queryId]);
  }

  noteCreated(queryId: string): void {
    const memory = this.#read();
    this.#write({ ...memory, created: withFirst(memory.created, queryId, kept.created) }, [queryId]);
  }

  setFavourite(queryId: string, isFavourite: boolean): void {
    const memory = this.#read();
    const others = memory.favourites.filter((id) => id !== queryId);
    const favourites = isFavourite ? withFirst(others, queryId, kept.favourites) : others;
    this.#write({ ...memory, favourites }, [queryId]);
  }

  clearRecent(): void {
    const memory = this.#read();
    this.#write({ ...memory, recent: [] }, memory.recent);
  }

  /** Forgets a query that no longer exists. */
  forget(queryId: string): void {
    const memory = this.#read();
    const without = (ids: readonly string[]) => ids.filter((id) => id !== queryId);
    if (!this.ids().includes(queryId)) return;
    this.#write(
      {
        favourites: without(memory.favourites),
        recent: without(memory.recent),
        created: without(memory.created),
      },
      [queryId],
    );
  }

  dispose(): void {
    this.#onDidChange.dispose();
  }

  /** Parses the stored value on every read, since another window or version may have written it. */
  #read(): Memory {
    const key = this.#connectionKey();
    const value = key === undefined ? undefined : this.#memento.get(keyPrefix + key);
    const fields =
      typeof value === 'object' && value !== null ? (value as Partial<Record<string, unknown>>) : {}; // checked below
    return {
      favourites: idsOf(fields['favourites']),
      recent: idsOf(fields['recent']),
      created: idsOf(fields['created']),
    };
  }

  #write(memory: Memory, changed: readonly string[]): void {
    const key = this.#connectionKey();
    if (key === undefined) return;
    void this.#memento.update(keyPrefix + key, memory);
    this.#onDidChange.fire(changed);
  }
}

function idsOf(value: unknown): readonly string[] {
  return Array.isArray(value)
    ? value.filter((id: unknown): id is string => typeof id === 'string' && id !== '')
    : [];
}

function withFirst(ids: readonly string[], first: string, count: number): readonly string[] {
  return [first, ...ids.filter((id) => id !== first)].slice(0, count);
}
