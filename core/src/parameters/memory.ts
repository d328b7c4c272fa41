/**
 * The last parameter values and the named value sets of each query, per connection, in the editor's local storage.
 * Values of an unnamed draft are kept only in memory, because a later draft may get the same name.
 */
import type { KeyValueStore } from '#base/key-value-store.ts';
import { isFlag, isText, listOf, optional, recordOf, shapeOf } from '#base/values/shapes.ts';

/** The user's input for one parameter. */
export interface RememberedValue {
  readonly text: string;
  readonly isNull: boolean;
  /** Whether an empty string or list is intended. */
  readonly isEmpty?: boolean | undefined;
}

export interface ValueSet {
  readonly name: string;
  readonly values: Readonly<Record<string, RememberedValue>>;
}

export interface MemoryKey {
  /** Undefined while disconnected, when nothing is stored. */
  readonly connection: string | undefined;
  readonly query: string;
  /** Whether the values are kept only in memory. */
  readonly isVolatile?: boolean | undefined;
}

interface StoredQuery {
  /** Values by parameter, newest first. */
  readonly recent: Readonly<Record<string, readonly RememberedValue[]>>;
  readonly sets: readonly ValueSet[];
}

type StoredMemory = Readonly<Record<string, StoredQuery>>;

const storageKey = 'identityQueries.parameterValues';
const queriesMax = 200;
const valuesMax = 10;
const setsMax = 50;
/** Longer values are not stored, because the storage is read at every startup. */
const charsMax = 10_000;
const nothing: StoredQuery = { recent: {}, sets: [] };

export class ParameterMemory {
  readonly #store: KeyValueStore;
  readonly #isOn: () => boolean;
  readonly #drafts = new Map<string, StoredQuery>();

  constructor(store: KeyValueStore, isOn: () => boolean) {
    this.#store = store;
    this.#isOn = isOn;
  }

  /** Returns the recent values of one parameter, newest first. */
  recent(key: MemoryKey, parameter: string): readonly RememberedValue[] {
    return this.#isOn() ? valuesOf(this.#entry(key), parameter) : [];
  }

  /** Stores the values of a run, except long ones. The caller omits secrets. */
  async remember(key: MemoryKey, values: Readonly<Record<string, RememberedValue>>): Promise<void> {
    if (!this.#isOn()) return;
    await this.#change(key, (before) => {
      const entries = Object.entries(values)
        .filter(([, value]) => value.text.length <= charsMax)
        .map(([name, value]) => {
          const rest = valuesOf(before, name).filter((one) => !isSameValue(one, value));
          return [name, [value, ...rest].slice(0, valuesMax)] as const;
        });
      return { ...before, recent: { ...before.recent, ...Object.fromEntries(entries) } };
    });
  }

  /** Returns the value sets of a query, in the order in which they were first saved. */
  sets(key: MemoryKey): readonly ValueSet[] {
    return this.#entry(key).sets;
  }

  /**
   * Saves a value set, replacing any with the same name. The user requests this explicitly, so it works even if run
   * values are not stored.
   */
  async saveSet(key: MemoryKey, set: ValueSet): Promise<void> {
    await this.#change(key, (before) => {
      const at = before.sets.findIndex((one) => one.name === set.name);
      const sets = at < 0 ? [...before.sets, set] : before.sets.with(at, set);
      return { ...before, sets: sets.slice(-setsMax) };
    });
  }

  async deleteSet(key: MemoryKey, name: string): Promise<void> {
    await this.#change(key, (before) => ({
      ...before,
      sets: before.sets.filter((one) => one.name !== name),
    }));
  }

  /**
   * Forgets the recent values of one query on one connection, but keeps its value sets.
   * @returns whether there were any recent values.
   */
  async forget(key: MemoryKey): Promise<boolean> {
    const hadAny = Object.keys(this.#entry(key).recent).length > 0;
    await this.#change(key, (before) => ({ ...before, recent: {} }));
    return hadAny;
  }

  /** Forgets all recent values, and all value sets if `withSets` is true. */
  async forgetAll({ withSets } = { withSets: false }): Promise<void> {
    const keptSets = (entry: StoredQuery): StoredQuery => ({ recent: {}, sets: withSets ? [] : entry.sets });
    for (const [key, entry] of this.#drafts) this.#drafts.set(key, keptSets(entry));
    await this.#write(() =>
      Object.fromEntries(
        Object.entries(this.#read())
          .map(([key, entry]) => [key, keptSets(entry)] as const)
          .filter(([, entry]) => entry.sets.length > 0),
      ),
    );
  }

  /**
   * Copies the values of a query to the key under which it was saved. Values that already exist there take precedence.
   */
  async carryOver(from: MemoryKey, to: MemoryKey): Promise<void> {
    const source = this.#entry(from);
    if (storedKey(from) === storedKey(to) || source === nothing) return;
    await this.#change(to, (present) => ({
      recent: { ...source.recent, ...present.recent },
      sets: [
        ...source.sets.filter(({ name }) => !present.sets.some((set) => set.name === name)),
        ...present.sets,
      ],
    }));
  }

  /** Forgets the values of a closed draft. */
  forgetDraft(query: string): void {
    for (const key of this.#drafts.keys()) if (key.endsWith(`\n${query}`)) this.#drafts.delete(key);
  }

  #entry(key: MemoryKey): StoredQuery {
    const stored = key.isVolatile === true ? this.#drafts.get(storedKey(key)) : this.#read()[storedKey(key)];
    return stored ?? nothing;
  }

  async #change(key: MemoryKey, change: (before: StoredQuery) => StoredQuery): Promise<void> {
    if (key.isVolatile === true) {
      this.#drafts.set(storedKey(key), change(this.#entry(key)));
      return;
    }
    if (key.connection === undefined) return;
    await this.#write(() => {
      const id = storedKey(key);
      const { [id]: before = nothing, ...others } = this.#read();
      const next = change(before);
      const isEmpty = Object.keys(next.recent).length === 0 && next.sets.length === 0;
      // Inserted last, because the first entries are dropped first.
      return { ...newest(others, queriesMax - 1), ...(isEmpty ? {} : { [id]: next }) };
    });
  }

  /** Reads and changes synchronously, because the storage reflects an update at once and persists it later. */
  async #write(next: () => StoredMemory): Promise<void> {
    const memory = next();
    await this.#store.update(storageKey, Object.keys(memory).length === 0 ? undefined : memory);
  }

  #read(): StoredMemory {
    const stored = this.#store.get(storageKey);
    return isStoredMemory(stored) ? stored : {};
  }
}

function storedKey({ connection = '', query }: MemoryKey): string {
  return `${connection}\n${query}`;
}

/** A parameter can be named `constructor`, so inherited members are ignored. */
function valuesOf({ recent }: StoredQuery, parameter: string): readonly RememberedValue[] {
  return (Object.hasOwn(recent, parameter) ? recent[parameter] : undefined) ?? [];
}

function newest(memory: StoredMemory, count: number): StoredMemory {
  const entries = Object.entries(memory);
  const excess = entries.length - count;
  if (excess <= 0) return memory;
  // Queries with named value sets are not dropped.
  const withoutSets = entries.filter(([, entry]) => entry.sets.length === 0).slice(0, excess);
  const dropped = new Set(withoutSets.map(([key]) => key));
  return Object.fromEntries(entries.filter(([key]) => !dropped.has(key)));
}

function isSameValue(a: RememberedValue, b: RememberedValue): boolean {
  return a.text === b.text && a.isNull === b.isNull && (a.isEmpty ?? false) === (b.isEmpty ?? false);
}

const isRememberedValue = shapeOf<RememberedValue>({
  ...{ text: isText, isNull: isFlag, isEmpty: optional(isFlag) },
});
const isStoredQuery = shapeOf<StoredQuery>({
  recent: recordOf(listOf(isRememberedValue)),
  sets: listOf(shapeOf<ValueSet>({ name: isText, values: recordOf(isRememberedValue) })),
});

/** Validates the stored data, which another version of the extension may have written. */
function isStoredMemory(value: unknown): value is StoredMemory {
  return recordOf(isStoredQuery)(value);
}
