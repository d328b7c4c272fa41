/**
 * Bounds the cost of resolving one statement's names. CTEs that each read the previous one twice double their
 * columns, and a kilobyte of text would fill the memory: beyond a limit everything counts as unknown,
 * which reports nothing. The limits are counts, not times, so every machine gets the same result.
 */

/** Maximum columns in one place. PostgreSQL takes at most 1,664 in a SELECT list. */
export const columnsMax = 10_000;
/** Maximum columns in all places together: they take the memory. */
const columnsInAllMax = 1_000_000;
/** Name comparisons. */
const comparisonsMax = 10_000_000;
/** Fuzzy comparisons with a mistyped name. Beyond it nothing is suggested, but everything is still checked. */
const suggestionsMax = 200_000;

/** Cost of entering a query, in comparisons. */
export const queryCost = 100;

export type ExpansionProblem = 'columns' | 'comparisons';

export class ExpansionLimit {
  #columns = 0;
  #comparisons = 0;
  #suggestions = 0;
  #problem: ExpansionProblem | undefined;

  /** The first exceeded limit. */
  get problem(): ExpansionProblem | undefined {
    return this.#problem;
  }

  /** Whether a list of this many columns is within the limit. */
  takes(size: number): boolean {
    this.#columns += Math.min(size, columnsMax);
    if (size > columnsMax || this.#columns > columnsInAllMax) {
      this.#problem ??= 'columns';
      return false;
    }
    return true;
  }

  /** Counts comparisons; false when exceeded. Evaluates its argument only below the limit. */
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

  /** Whether a mistyped name may be compared with this many names. */
  suggests(count: number): boolean {
    this.#suggestions += count;
    return this.#suggestions <= suggestionsMax;
  }
}
