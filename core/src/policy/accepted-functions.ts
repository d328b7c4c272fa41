/**
 * Functions that neither PostgreSQL nor a known extension brings, and that a person has run on a connection all the
 * same: asked about once. Kept in the editor's own storage on this machine.
 */
import type { CalledPart } from '../../../server/src/protocol.ts';
import type { KeyValueStore } from '../parameters/memory.ts';

const storageKey = 'identityQueries.acceptedFunctions';
const connectionsMax = 100;
const functionsMax = 500;

export class AcceptedFunctions {
  readonly #store: KeyValueStore;

  constructor(store: KeyValueStore) {
    this.#store = store;
  }

  has(connectionKey: string, part: CalledPart): boolean {
    return this.#read().get(connectionKey)?.includes(nameOf(part)) === true;
  }

  async accept(connectionKey: string, parts: readonly CalledPart[]): Promise<void> {
    const added = parts.map(nameOf).filter((name, index, names) => names.indexOf(name) === index);
    if (added.length === 0) return;
    const all = this.#read();
    const known = (all.get(connectionKey) ?? []).filter((name) => !added.includes(name));
    all.delete(connectionKey);
    all.set(connectionKey, [...known, ...added].slice(-functionsMax));
    await this.#store.update(storageKey, Object.fromEntries([...all].slice(-connectionsMax)));
  }

  #read(): Map<string, readonly string[]> {
    const value = this.#store.get(storageKey);
    if (typeof value !== 'object' || value === null || Array.isArray(value)) return new Map();
    return new Map(
      Object.entries(value).flatMap(([key, names]: [string, unknown]) =>
        Array.isArray(names) ? [[key, names.filter((name) => typeof name === 'string')] as const] : [],
      ),
    );
  }
}

/** A type and a function may have one name, and are two things. */
const nameOf = ({ kind, name }: CalledPart): string => `${kind} ${name}`;
