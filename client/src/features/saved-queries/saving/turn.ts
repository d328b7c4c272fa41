/** One turn at an open query: a request, or a change of the text with its base. */
import type { SavedQuery } from '../../../../../api/contract/saved-queries.ts';
import {
  afterUndo,
  step,
  type MergeLabelsOf,
  type SaveState,
} from '../../../../../core/src/saved-queries/save-machine.ts';

/** Text events during a turn; applied after its result. */
export type Meanwhile =
  | { readonly kind: 'undone'; readonly text: string }
  | { readonly kind: 'filled'; readonly before: string; readonly record: SavedQuery };

export class Turn {
  readonly #labels: MergeLabelsOf;
  readonly #meanwhile: Meanwhile[] = [];
  /** From its start; then its result. */
  state: SaveState;

  constructor(state: SaveState, labels: MergeLabelsOf) {
    this.state = state;
    this.#labels = labels;
  }

  /** @returns the result if the turn ended now. */
  note(change: Meanwhile): SaveState {
    this.#meanwhile.push(change);
    return this.#after();
  }

  /** Earlier events are not repeated. */
  catchUp(): SaveState {
    this.state = this.#after();
    this.#meanwhile.length = 0;
    return this.state;
  }

  #after(): SaveState {
    return this.#meanwhile.reduce<SaveState>((from, change) => {
      if (change.kind === 'undone') return afterUndo(from, [change.text]);
      return step(from, change, this.#labels)?.state ?? from;
    }, this.state);
  }
}
