/** The different texts of a column, numbered in order of appearance. Each cell is read only once. */
import { textAt, type ChartSource } from './chart-cells.ts';

export class NumberedTexts {
  /** The text of each number; null for NULL. */
  readonly texts: (string | null)[] = [];
  readonly #source: ChartSource;
  readonly #column: number;
  readonly #numbers = new Map<string | null, number>();
  /** For each row, its number plus one, or 0 if the row has not been read. */
  readonly #read: Uint32Array<ArrayBuffer>;

  constructor(source: ChartSource, column: number) {
    this.#source = source;
    this.#column = column;
    this.#read = new Uint32Array(source.rowCount);
  }

  at(row: number): number {
    const read = this.#read[row] ?? 0;
    if (read > 0) return read - 1;
    const text = textAt(this.#source, row, this.#column);
    let number = this.#numbers.get(text);
    if (number === undefined) {
      number = this.texts.push(text) - 1;
      this.#numbers.set(text, number);
    }
    this.#read[row] = number + 1;
    return number;
  }
}
