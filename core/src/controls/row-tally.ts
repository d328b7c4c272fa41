/** Counts rows as they arrive and computes exact sums of their columns. Keeps no rows. */
import { scalarText } from '#api/client/json.ts';
import type { Aggregate, Condition } from '#server/language/text/control-directives.ts';
import { canonicalJson } from '../rows/canonical-json.ts';
import { DecimalSum } from '../rows/decimal-sum.ts';
import { compareDecimal, isDecimal } from '../rows/decimal.ts';

/** Decimal places for averages. Thresholds have fewer. */
const thresholdPlaces = 50;

/** Thrown if an aggregate cannot process a cell. The error does not contain the cell's value. */
export class NotANumberError extends Error {
  readonly column: string;

  constructor(column: string) {
    super(`a value of the column ${column} is not a number`);
    this.name = 'NotANumberError';
    this.column = column;
  }
}

export interface TalliedColumn {
  readonly aggregate: Aggregate;
  readonly column: string;
  /** Index of the column in a row. */
  readonly index: number;
}

export class RowTally {
  readonly #columns: readonly { readonly of: TalliedColumn; readonly state: AggregateState }[];
  rows = 0;

  constructor(columns: readonly TalliedColumn[]) {
    this.#columns = columns.map((of) => ({ of, state: new AggregateState(of) }));
  }

  /**
   * Adds a row.
   * @throws NotANumberError
   */
  add(row: readonly unknown[]): void {
    this.rows += 1;
    for (const { of, state } of this.#columns) state.add(row[of.index]);
  }

  /**
   * Returns the value of a measure as a decimal; undefined if there are no values or they are too large to add exactly.
   */
  valueOf(measure: Condition['measure']): string | undefined {
    if (measure.kind === 'rows') return String(this.rows);
    const { aggregate, column } = measure;
    return this.#columns.find(({ of }) => of.aggregate === aggregate && of.column === column.name)?.state
      .value;
  }
}

/** The state of one aggregate. NULL is ignored, as in SQL. */
class AggregateState {
  readonly #of: TalliedColumn;
  readonly #sum = new DecimalSum();
  readonly #different = new Set<string>();
  #count = 0;
  #extreme: string | undefined;

  constructor(of: TalliedColumn) {
    this.#of = of;
  }

  add(value: unknown): void {
    if (value === null || value === undefined) return;
    this.#count += 1;
    switch (this.#of.aggregate) {
      case 'count':
        break;
      case 'distinct':
        this.#different.add(typeof value === 'string' ? value : canonicalJson(value));
        break;
      case 'sum':
      case 'avg':
        this.#sum.addText(this.#number(value));
        break;
      case 'min':
      case 'max': {
        const number = this.#number(value);
        const order = this.#extreme === undefined ? 0 : compareDecimal(number, this.#extreme);
        if (this.#extreme === undefined || (this.#of.aggregate === 'min' ? order < 0 : order > 0))
          this.#extreme = number;
        break;
      }
      default:
        this.#of.aggregate satisfies never;
    }
  }

  get value(): string | undefined {
    switch (this.#of.aggregate) {
      case 'count':
        return String(this.#count);
      case 'distinct':
        return String(this.#different.size);
      case 'sum':
        return this.#sum.isExact ? this.#sum.sum : undefined;
      case 'avg':
        // A rounded average could end up on the other side of the threshold.
        return this.#sum.isExact ? this.#sum.averageBeyond(thresholdPlaces) : undefined;
      case 'min':
      case 'max':
        return this.#extreme;
      default:
        return this.#of.aggregate satisfies never;
    }
  }

  /**
   * Returns a cell as a number.
   * @throws NotANumberError, since a threshold must never pass because of a value that is not a number.
   */
  #number(value: unknown): string {
    const text = typeof value === 'string' ? value : scalarText(value);
    if (typeof value === 'boolean' || text === undefined || !isDecimal(text))
      throw new NotANumberError(this.#of.column);
    return text;
  }
}
