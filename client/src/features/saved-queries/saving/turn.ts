/** One turn of an open query: a request, or a change to the text and its base. */
import type { SavedQuery } from '#api/contract/saved-queries.ts';
import {
  afterUndo,
  step,
  type MergeLabelsOf,
  type SaveState,
  type UndoWay,
} from '#core/saved-queries/save-machine.ts';

/** Changes to the text during a turn, applied to its result. */
export type Meanwhile =
  | { readonly kind: 'undone'; readonly text: string; readonly way: UndoWay }
  | { readonly kind: 'filled'; readonly before: string; readonly record: SavedQuery };

export class Turn {
  readonly #labels: MergeLabelsOf;
  readonly #meanwhile: Meanwhile[] = [];
  /** The state at the start of the turn, and later its result. */
  state: SaveState;

  constructor(state: SaveState, labels: MergeLabelsOf) {
    this.state = state;
    this.#labels = labels;
  }

  /** Records a change. @returns the state that would result if the turn ended now. */
  note(change: Meanwhile): SaveState {
    this.#meanwhile.push(change);
    return this.#after();
  }

  /** Applies the noted changes to the state, each only once. */
  catchUp(): SaveState {
    this.state = this.#after();
    this.#meanwhile.length = 0;
    return this.state;
  }

  #after(): SaveState {
    return this.#meanwhile.reduce<SaveState>((from, change) => {
      if (change.kind === 'undone') return afterUndo(from, [change.text], change.way);
      return step(from, change, this.#labels)?.state ?? from;
    }, this.state);
  }
}
