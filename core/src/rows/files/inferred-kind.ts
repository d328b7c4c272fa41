/** Infers what the texts of a column without a type are, from all of them. */
import type { ColumnKind } from '../column-kind.ts';
import { timeKey } from '../timestamps.ts';

/** Digits with leading zeros are a name, such as a postal code, and not a number. */
const number = /^-?(?:(?:0|[1-9]\d*)(?:\.\d+)?|\.\d+)(?:[eE][+-]?\d+)?$|^(?:NaN|-?Infinity)$/;
const tests: readonly (readonly [ColumnKind, (text: string) => boolean])[] = [
  ['number', (text) => number.test(text)],
  ['time', (text) => timeKey(text) !== undefined],
  ['boolean', (text) => /^(?:true|false|TRUE|FALSE|True|False|t|f)$/.test(text)],
];

export class InferredKind {
  #left = tests;
  #hasText = false;

  add(rows: readonly (readonly unknown[])[], column: number): void {
    for (const row of rows) {
      const value = row[column];
      // Values of JSON have types of their own.
      if (value === null || value === undefined) continue;
      if (typeof value !== 'string') this.#left = [];
      else this.#left = this.#left.filter(([, test]) => test(value));
      this.#hasText = true;
      if (this.#left.length === 0) return;
    }
  }

  /** Undefined if nothing is inferred. */
  get kind(): ColumnKind | undefined {
    return this.#hasText ? this.#left[0]?.[0] : undefined;
  }
}
