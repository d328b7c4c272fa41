/** Infers what the texts of a column without a type are, from all of them. */
import { ExactNumber } from '#api/client/json.ts';
import type { ColumnKind } from '../column-kind.ts';
import { specialNumber } from '../decimal.ts';
import { timeKey } from '../timestamps.ts';

/**
 * Digits with leading zeros, or with only an `e` between them, are a name, such as a postal code or the beginning of a
 * digest, and not a number: programs that write numbers with exponents write a sign or a decimal point.
 */
const digits = /^-?(?:(?:0|[1-9]\d*)(?:[eE][+-]\d+)?|(?:0|[1-9]\d*)?\.\d+(?:[eE][+-]?\d+)?)$/;
const tests: readonly (readonly [ColumnKind, (text: string) => boolean])[] = [
  ['number', (text) => digits.test(text) || specialNumber(text) !== undefined],
  ['time', (text) => timeKey(text) !== undefined],
  ['boolean', (text) => /^(?:true|false|TRUE|FALSE|True|False|t|f)$/.test(text)],
];

export class InferredKind {
  #left = tests;
  #hasText = false;
  #hasDigits = false;
  #hasNumbers = false;

  add(rows: readonly (readonly unknown[])[], column: number): void {
    for (const row of rows) {
      const value = row[column];
      if (value === null || value === undefined) continue;
      if (typeof value === 'string') {
        this.#left = this.#left.filter(([, test]) => test(value));
        this.#hasText = true;
        this.#hasDigits ||= digits.test(value);
      } else if (typeof value === 'number' || value instanceof ExactNumber) this.#hasNumbers = true;
      else this.#left = []; // other values of JSON have types of their own
      if (this.#left.length === 0) return;
    }
  }

  /** Undefined if nothing is inferred. */
  get kind(): ColumnKind | undefined {
    const kind = this.#hasText ? this.#left[0]?.[0] : undefined;
    // Beside numbers, JSON has texts only for NaN and the infinities.
    return this.#hasNumbers && (this.#hasDigits || kind !== 'number') ? undefined : kind;
  }
}
