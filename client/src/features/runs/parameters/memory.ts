/** The last values of each query's parameters, kept in the editor's own storage on this machine. */

export interface RememberedValue {
  readonly text: string;
  readonly isNull: boolean;
}

/** What of the editor's storage is needed. */
export interface KeyValueStore {
  get(key: string): unknown;
  update(key: string, value: unknown): Thenable<void>;
}

/** By query, then by parameter, the newest value first. */
type StoredMemory = Readonly<Record<string, Readonly<Record<string, readonly RememberedValue[]>>>>;

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

  #read(): StoredMemory {
    const stored = this.#store.get(storageKey);
    return isStoredMemory(stored) ? stored : {};
  }
}

/** Checked on reading: an older or newer version of the extension may have written it. */
function isStoredMemory(value: unknown): value is StoredMemory {
  return (
    isRecord(value) &&
    Object.values(value).every(
      (query) =>
        isRecord(query) &&
        Object.values(query).every((values) => Array.isArray(values) && values.every(isRememberedValue)),
    )
  );
}

function isRememberedValue(value: unknown): value is RememberedValue {
  return isRecord(value) && typeof value['text'] === 'string' && typeof value['isNull'] === 'boolean';
}

function isRecord(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
