/**
 * The view's arrangement: grouping and sort order are stored per user, while the filter lasts until the window closes.
 */
import * as vscode from 'vscode';
import type { KeyValueStore } from '#base/key-value-store.ts';
import { contextKeys } from '#client/contributions.ts';
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
    const wasFiltered = this.#value.filter.trim() !== '';
    this.#value = { ...this.#value, ...change };
    const { grouping, sorting, filter } = this.#value;
    const isFiltered = filter.trim() !== '';
    if (change.grouping !== undefined || change.sorting !== undefined)
      void this.#memento.update(key, { grouping, sorting });
    if (isFiltered !== wasFiltered)
      void vscode.commands.executeCommand('setContext', contextKeys.savedQueriesFiltered, isFiltered);
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
