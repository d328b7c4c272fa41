/**
 * Bounds the cost of resolving a statement's names. If each CTE reads the previous one twice, the columns double each
 * time, and a kilobyte of text could exhaust memory. Beyond a limit, everything counts as unknown, so nothing is
 * reported. The limits are counts rather than durations, so that every machine gets the same result.
 */

/** Maximum number of columns in one list. PostgreSQL allows at most 1,664 in a SELECT list. */
export const columnsMax = 10_000;
/** Maximum total number of columns in all lists, which determines the memory used. */
const columnsInAllMax = 1_000_000;
/** Maximum number of name comparisons. */
const comparisonsMax = 10_000_000;
/**
 * Maximum number of fuzzy comparisons for mistyped names. Beyond that, there are no more suggestions, but everything is
 * still checked.
 */
const suggestionsMax = 200_000;

/** Cost of entering a query, counted as comparisons. */
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

  /** Counts the columns of a list, and returns whether they are within the limits. */
  takes(size: number): boolean {
    this.#columns += Math.min(size, columnsMax);
    if (size > columnsMax || this.#columns > columnsInAllMax) {
      this.#problem ??= 'columns';
      return false;
    }
    return true;
  }

  /** Counts comparisons, and returns false once the limit is exceeded. Calls `count` only below the limit. */
  compares(count: () => number): boolean {
    if (this.#comparisons <= comparisonsMax) this.#comparisons += count();
    if (this.#comparisons > comparisonsMax) {
      this.#problem ??= 'comparisons';
      return false;
    }
    return true;
  }

  /** Counts fuzzy comparisons, and returns whether they are within the limit. */
  suggests(count: number): boolean {
    this.#suggestions += count;
    return this.#suggestions <= suggestionsMax;
  }
}
