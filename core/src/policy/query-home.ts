/**
 * A saved query belongs to the connection that keeps it. On another one it runs only once the user has decided so for
 * that pair of connections: its rows would otherwise pass as those of the query's own service.
 */
import type { KeyValueStore } from '#base/key-value-store.ts';

/** The connection that a saved query belongs to. */
export interface QueryHome {
  /** The connection's current name, or its last one. */
  readonly connection: string;
  /** Whether that connection is the current one. */
  readonly isHere: boolean;
}

const storageKey = 'identityQueries.queriesElsewhere';
const pairsMax = 200;

/** Pairs of connections for which the user decided that queries of the first one run on the second one. */
export class QueriesElsewhere {
  readonly #store: KeyValueStore;

  constructor(store: KeyValueStore) {
    this.#store = store;
  }

  /** Returns the connection to ask about before a query runs on the current one; undefined if it may run. */
  heldBy(home: QueryHome | undefined, current: string): string | undefined {
    if (home === undefined || home.isHere) return undefined;
    return this.#read().includes(pairOf(home.connection, current)) ? undefined : home.connection;
  }

  async accept(home: string, current: string): Promise<void> {
    const pair = pairOf(home, current);
    const others = this.#read().filter((each) => each !== pair);
    await this.#store.update(storageKey, [...others, pair].slice(-pairsMax));
  }

  #read(): readonly string[] {
    const value = this.#store.get(storageKey);
    return Array.isArray(value) ? value.filter((each) => typeof each === 'string') : [];
  }
}

const pairOf = (home: string, current: string) => JSON.stringify([home, current]);

/** Returns the connection whose text ran elsewhere; undefined if it ran at home, or belongs to none. */
export function foreignHomeOf(home: QueryHome | undefined): string | undefined {
  return home === undefined || home.isHere ? undefined : home.connection;
}
