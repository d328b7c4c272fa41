/**
 * The view's arrangement: grouping and sort order are stored per user, while the filter lasts until the window closes.
 */
import * as vscode from 'vscode';
import type { KeyValueStore } from '#base/key-value-store.ts';
import { groupings, sortings, type Arrangement } from '#core/saved-queries/arrange-queries.ts';

const key = 'identityQueries.savedQueriesArrangement';

export class ArrangementStore implements vscode.Disposable {
  readonly #memento: KeyValueStore;
  readonly #onDidChange = new vscode.EventEmitter<void>();
  #value: Arrangement;

  readonly onDidChange = this.#onDidChange.event;

  constructor(memento: KeyValueStore) {
    this.#memento = memento;
    this.#value = { ...remembered(memento), filter: '' };
  }

  get value(): Arrangement {
    return this.#value;
  }

  set(change: Partial<Arrangement>): void {
    this.#value = { ...this.#value, ...change };
    const { grouping, sorting } = this.#value;
    if (change.grouping !== undefined || change.sorting !== undefined)
      void this.#memento.update(key, { grouping, sorting });
    this.#onDidChange.fire();
  }

  dispose(): void {
    this.#onDidChange.dispose();
  }
}

function remembered(memento: KeyValueStore): Omit<Arrangement, 'filter'> {
  const value = memento.get(key);
  const fields =
    typeof value === 'object' && value !== null ? (value as Partial<Record<string, unknown>>) : {}; // checked below
  return {
    grouping: groupings.find((each) => each === fields['grouping']) ?? 'prefix',
    sorting: sortings.find((each) => each === fields['sorting']) ?? 'name',
  };
}
