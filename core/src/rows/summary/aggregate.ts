/** Computes statistics for cells: count, distinct values, sum, minimum and maximum. */
import type { ColumnKind } from '../column-kind.ts';
import { compareDecimal } from '../decimal.ts';
import { DecimalSum } from '../decimal-sum.ts';
import type { Aggregate } from '../rows.ts';
import { compareTexts } from '../sort/folded-texts.ts';
import { DistinctValues } from './distinct-values.ts';
import { epochMicroseconds } from '../timestamps.ts';

/** Aggregates cells one by one. `kind` is the kind of all columns, or undefined if they differ. */
export class Aggregation {
  readonly #kind: ColumnKind | undefined;
  readonly #compare: ((a: string, b: string) => number) | undefined;
  readonly #distinct = new DistinctValues();
  readonly #sum = new DecimalSum();
  #cells = 0;
  #nulls = 0;
  #min: string | undefined;
  #max: string | undefined;

  constructor(kinds: readonly ColumnKind[]) {
    this.#kind = new Set(kinds).size === 1 ? kinds[0] : undefined;
    this.#compare = comparisonOf(this.#kind);
  }

  /** @param isNumber whether the value arrived as a number or its column is numeric. */
  add(text: string | undefined, isNumber: boolean): void {
    this.#cells += 1;
    if (text === undefined) {
      this.#nulls += 1;
      return;
    }
    if (isNumber) this.#addNumber(text);
    this.#distinct.add(text);
    if (this.#compare === undefined) return;
    if (this.#min === undefined || this.#compare(text, this.#min) < 0) this.#min = text;
    if (this.#max === undefined || this.#compare(text, this.#max) > 0) this.#max = text;
  }

  #addNumber(text: string): void {
    // A double represents up to fifteen digits exactly.
    if (text.length <= 15 && /^-?\d+$/.test(text)) this.#sum.addDouble(Number(text));
    else this.#sum.addText(text);
  }

  get result(): Aggregate {
    const { count } = this.#sum;
    const distinct = this.#distinct.result;
    return {
      cells: this.#cells,
      nulls: this.#nulls,
      distinct: distinct.isMore ? undefined : distinct.count,
      numbers: count === 0 ? undefined : { count, sum: this.#sum.sum, average: this.#sum.average },
      min: this.#min,
      max: this.#max,
    };
  }
}

/** Returns the comparison for a column kind. Undefined for JSON and booleans, whose minimum is not useful. */
export function comparisonOf(kind: ColumnKind | undefined): ((a: string, b: string) => number) | undefined {
  switch (kind) {
    case 'number':
      return compareNumbers;
    case 'time':
      return (a, b) => (a === b ? 0 : epochMicroseconds(a) - epochMicroseconds(b));
    case 'text':
      return compareTexts;
    case 'boolean':
    case 'json':
    case undefined:
      return undefined;
    default:
      return kind satisfies never;
  }
}

function compareNumbers(a: string, b: string): number {
  return a.length <= 15 && b.length <= 15 && !/[a-z]/i.test(a + b)
    ? Number(a) - Number(b)
    : compareDecimal(a, b);
}
