/** Computes statistics for cells: count, distinct values, sum, minimum and maximum. */
import { CommonCurrency, type Amount } from '../amounts.ts';
import type { TypedColumn } from '../column-kind.ts';
import { DecimalSum } from '../decimal-sum.ts';
import { orderOf, ownOrderOf, type TypeOrder } from '../order/type-order.ts';
import type { Aggregate } from '../rows.ts';
import { DistinctValues } from './distinct-values.ts';

/** Aggregates cells one by one. Columns with different orders have no least and no greatest value. */
export class Aggregation {
  readonly #order: TypeOrder | undefined;
  readonly #compare: ((a: string, b: string) => number) | undefined;
  readonly #distinct = new DistinctValues();
  readonly #sum = new DecimalSum();
  #cells = 0;
  #nulls = 0;
  readonly #currency = new CommonCurrency();
  #min: string | undefined;
  #max: string | undefined;

  constructor(columns: readonly TypedColumn[]) {
    const orders = new Set(columns.map(({ type, kind }) => orderOf(type, kind)));
    const [first] = columns;
    this.#order = orders.size === 1 ? [...orders][0] : undefined;
    this.#compare = this.#order === undefined || first === undefined ? undefined : comparisonOf(first);
  }

  /** @param number whether the value arrived as a number or its column is numeric; or the amount of money that it is */
  add(text: string | undefined, number: boolean | Amount): void {
    this.#cells += 1;
    if (text === undefined) {
      this.#nulls += 1;
      return;
    }
    const value = typeof number === 'object' ? this.#currency.numberOf(number) : number ? text : undefined;
    if (value !== undefined) this.#sum.addText(value);
    this.#distinct.add(this.#order?.identityOf(text) ?? text);
    if (this.#compare === undefined) return;
    if (this.#min === undefined || this.#compare(text, this.#min) < 0) this.#min = text;
    if (this.#max === undefined || this.#compare(text, this.#max) > 0) this.#max = text;
  }

  get result(): Aggregate {
    const { count } = this.#sum;
    const distinct = this.#distinct.result;
    return {
      cells: this.#cells,
      nulls: this.#nulls,
      distinct: distinct.isMore ? undefined : distinct.count,
      numbers:
        count === 0 || this.#currency.mixed !== undefined
          ? undefined
          : {
              count,
              sum: this.#sum.sum,
              average: this.#sum.average,
              isAverageRounded: this.#sum.isAverageRounded,
            },
      ...(this.#currency.mixed === undefined ? {} : { mixedAmounts: this.#currency.mixed }),
      min: this.#min,
      max: this.#max,
    };
  }
}

/** Returns the order of a column; undefined for JSON and booleans, whose minimum is not useful. */
function comparisonOf({ type, kind }: TypedColumn): ((a: string, b: string) => number) | undefined {
  const own = ownOrderOf(type);
  if (own !== undefined) return own.compare;
  return kind === 'boolean' || kind === 'json' ? undefined : orderOf(type, kind).compare;
}
