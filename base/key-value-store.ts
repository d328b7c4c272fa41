/** The part of the editor's storage API (`Memento`) that is used here. */
export interface KeyValueStore {
  get(key: string): unknown;
  update(key: string, value: unknown): PromiseLike<void>;
}
