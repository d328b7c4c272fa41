/**
 * Bounds what following the names of one statement may cost. Common tables that read the one before twice double their
 * columns each, and a text of a kilobyte would fill the memory: what is past a limit counts as unknown, which silences
 * questions about it. The limits count, and do not measure time, so that every machine finds the same.
 */

/** Columns in one place. PostgreSQL takes at most 1,664 in a SELECT list. */
export const columnsMax = 10_000;
/** Columns in all places together, which is what they take of memory. */
const columnsInAllMax = 1_000_000;
/** Names compared with names. */
const comparisonsMax = 10_000_000;
/** Names compared letter by letter with a mistyped one. Past it nothing is suggested, which leaves nothing unchecked. */
const suggestionsMax = 200_000;

/** What it takes to go into a query, in comparisons. */
export const queryCost = 100;

export type ExpansionProblem = 'columns' | 'comparisons';

export class ExpansionLimit {
  #columns = 0;
  #comparisons = 0;
  #suggestions = 0;
  #problem: ExpansionProblem | undefined;

  /** The first limit that was reached. */
  get problem(): ExpansionProblem | undefined {
    return this.#problem;
  }

  /** Whether a list of so many columns may be made. */
  takes(size: number): boolean {
    this.#columns += Math.min(size, columnsMax);
    if (size > columnsMax || this.#columns > columnsInAllMax) {
      this.#problem ??= 'columns';
      return false;
    }
    return true;
  }

  /** Counts comparisons; false when there were too many. What is given is asked only while there are not. */
  compares(count: () => number): boolean {
    if (this.#comparisons <= comparisonsMax) {
      this.#comparisons += count();
    }
    if (this.#comparisons > comparisonsMax) {
      this.#problem ??= 'comparisons';
      return false;
    }
    return true;
  }

  /** Whether a mistyped name may be compared with so many. */
  suggests(count: number): boolean {
    this.#suggestions += count;
    return this.#suggestions <= suggestionsMax;
  }
}
