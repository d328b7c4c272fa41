/**
 * Functions that the user accepted on a connection, even though they do not belong to PostgreSQL or a known extension.
 * Stored in the editor's local storage, so that the question is asked only once.
 */
import type { KeyValueStore } from '#base/key-value-store.ts';
import type { CalledPart } from '#server/protocol.ts';

const storageKey = 'identityQueries.acceptedFunctions';
const connectionsMax = 100;
const functionsMax = 500;

export interface AcceptedFunction {
  readonly connectionKey: string;
  /** The `kind` of the CalledPart, or `column`. */
  readonly kind: string;
  readonly name: string;
  /** The name in the storage format. */
  readonly stored: string;
}

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

  /** Returns all accepted functions, newest first. */
  list(): readonly AcceptedFunction[] {
    return [...this.#read()].reverse().flatMap(([connectionKey, names]) =>
      names.toReversed().map((stored) => {
        const [kind = '', ...name] = stored.split(' ');
        return { connectionKey, kind, name: name.join(' '), stored };
      }),
    );
  }

  /** Removes accepted functions, so that the question is asked again. */
  async forget(functions: readonly AcceptedFunction[]): Promise<void> {
    const left = [...this.#read()].map(([key, names]) => {
      const gone = new Set(functions.flatMap((each) => (each.connectionKey === key ? [each.stored] : [])));
      return [key, names.filter((name) => !gone.has(name))] as const;
    });
    await this.#store.update(storageKey, Object.fromEntries(left.filter(([, names]) => names.length > 0)));
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

/** The kind distinguishes a type, or a column that is not there, from a function with the same name. */
const nameOf = ({ kind, name, isColumn }: CalledPart): string => `${isColumn ? 'column' : kind} ${name}`;
