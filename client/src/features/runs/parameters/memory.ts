/** The last values of each query's parameters, kept in the editor's own storage on this machine. */
import { Type, type Static } from 'typebox';
import { Value } from 'typebox/value';

export interface RememberedValue {
  readonly text: string;
  readonly isNull: boolean;
}

/** What of the editor's storage is needed. */
export interface KeyValueStore {
  get(key: string): unknown;
  update(key: string, value: unknown): Thenable<void>;
}

/** Checked on reading: an older or newer version of the extension may have written it. */
const StoredMemory = Type.Record(
  Type.String(),
  Type.Record(Type.String(), Type.Array(Type.Object({ text: Type.String(), isNull: Type.Boolean() }))),
);

const storageKey = 'identityQueries.parameterValues';
const queriesMax = 200;
const valuesMax = 10;
/** Longer values are not kept: storage is read at every start. */
const charsMax = 10_000;

export class ParameterMemory {
  readonly #store: KeyValueStore;
  readonly #isOn: () => boolean;

  constructor(store: KeyValueStore, isOn: () => boolean) {
    this.#store = store;
    this.#isOn = isOn;
  }

  /** The values of one parameter, the newest first. */
  recent(query: string, parameter: string): readonly RememberedValue[] {
    return this.#isOn() ? (this.#read()[query]?.[parameter] ?? []) : [];
  }

  async remember(query: string, values: Readonly<Record<string, RememberedValue>>): Promise<void> {
    if (!this.#isOn()) return;
    const { [query]: known = {}, ...others } = this.#read();
    const entries = Object.entries(values)
      .filter(([, value]) => value.text.length <= charsMax)
      .map(([name, value]) => {
        const before = known[name] ?? [];
        const rest = before.filter((one) => one.text !== value.text || one.isNull !== value.isNull);
        return [name, [value, ...rest].slice(0, valuesMax)] as const;
      });
    const kept = Object.entries(others).slice(1 - queriesMax);
    await this.#store.update(
      storageKey,
      Object.fromEntries([...kept, [query, { ...known, ...Object.fromEntries(entries) }]]),
    );
  }

  async forget(query: string): Promise<void> {
    const { [query]: _forgotten, ...others } = this.#read();
    await this.#store.update(storageKey, others);
  }

  async forgetAll(): Promise<void> {
    await this.#store.update(storageKey, undefined);
  }

  #read(): Static<typeof StoredMemory> {
    const stored = this.#store.get(storageKey);
    return Value.Check(StoredMemory, stored) ? stored : {};
  }
}
