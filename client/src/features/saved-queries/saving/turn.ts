/** One turn at an open query, in which the service is asked, or the text is changed together with where it comes from. */
import type { SavedQuery } from '../../../../../api/contract/saved-queries.ts';
import {
  afterUndo,
  step,
  type MergeLabelsOf,
  type SaveState,
} from '../../../../../core/src/saved-queries/save-machine.ts';

/** What happened to a text while a turn was under way; it counts after what the turn leaves. */
export type Meanwhile =
  | { readonly kind: 'undone'; readonly text: string }
  | { readonly kind: 'filled'; readonly before: string; readonly record: SavedQuery };

export class Turn {
  readonly #labels: MergeLabelsOf;
  readonly #meanwhile: Meanwhile[] = [];
  /** From where it started; then what it leaves. */
  state: SaveState;

  constructor(state: SaveState, labels: MergeLabelsOf) {
    this.state = state;
    this.#labels = labels;
  }

  /** @returns what would be left if the turn ended now. */
  note(change: Meanwhile): SaveState {
    this.#meanwhile.push(change);
    return this.#after();
  }

  /** What happened so far is no longer to be told again. */
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
