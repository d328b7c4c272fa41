/**
 * The texts that undo goes back to in a draft. The editor cannot move its undo history to another document, so the
 * query that a draft becomes gets its history from here. Steps end at words and lines, as in the editor.
 */

/** One replaced range; the offset is the same before and after the change. */
export interface DraftChange {
  readonly offset: number;
  readonly removed: number;
  readonly text: string;
}

/** Maximum number of steps. Each is one edit of the new document before it is shown. */
const stepsMax = 40;
/** Maximum number of characters of all steps. */
const charsMax = 1_000_000;

export class DraftSteps {
  readonly #earlier: string[] = [];
  #present: string;
  #last: DraftChange | undefined;

  constructor(present: string) {
    this.#present = present;
  }

  /** Earlier texts, oldest first, without the present one. */
  get earlier(): readonly string[] {
    return this.#earlier;
  }

  /** Called after each change of the text. */
  note(present: string, changes: readonly DraftChange[]): void {
    if (present === this.#present) return;
    const [change] = changes;
    const isOne = changes.length === 1 && change !== undefined;
    if (!isOne || this.#last === undefined || !isContinued(this.#last, change)) this.#push(this.#present);
    this.#present = present;
    this.#last = isOne ? change : undefined;
  }

  /** Called after an undo, which removes steps instead of adding one. */
  noteUndo(present: string): void {
    const at = this.#earlier.lastIndexOf(present);
    if (at >= 0) this.#earlier.length = at;
    this.#present = present;
    this.#last = undefined;
  }

  #push(text: string): void {
    this.#earlier.push(text);
    let chars = this.#earlier.reduce((sum, { length }) => sum + length, 0);
    while (this.#earlier.length > stepsMax || chars > charsMax) chars -= this.#earlier.shift()?.length ?? 0;
  }
}

/** Returns whether a change belongs to the same step as the one before it. */
function isContinued(last: DraftChange, next: DraftChange): boolean {
  const isTyped = last.removed === 0 && next.removed === 0 && next.offset === last.offset + last.text.length;
  if (isTyped) {
    const isNewWord = /\s$/.test(last.text) && /^\S/.test(next.text);
    return !isNewWord && !/[\r\n]/.test(last.text + next.text);
  }
  const isErased = last.text === '' && next.text === '';
  return isErased && (next.offset === last.offset || next.offset + next.removed === last.offset);
}
