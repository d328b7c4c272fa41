/** Incremental CSV parser (RFC 4180) that accepts any line ending. Each field records whether it was quoted. */

export interface CsvField {
  readonly text: string;
  readonly isQuoted: boolean;
}

export class CsvReader {
  readonly #separator: string;
  #text = '';
  #isQuoted = false;
  /** `quoted` is inside quotes, `closing` is after a quote within quotes, and `plain` is everything else. */
  #state: 'plain' | 'quoted' | 'closing' = 'plain';
  #row: CsvField[] = [];
  #hasContent = false;
  /** Number of fields in the first row. */
  #width: number | undefined;
  #skipsLineFeed = false;

  constructor(separator: string) {
    this.#separator = separator;
  }

  /** Whether the text so far ends inside quotes. */
  get isOpen(): boolean {
    return this.#state === 'quoted';
  }

  /**
   * Parses the next piece.
   * @returns the rows that it completes.
   */
  push(piece: string): CsvField[][] {
    const rows: CsvField[][] = [];
    for (let index = 0; index < piece.length; index += 1) {
      const character = piece[index] ?? '';
      if (this.#skipsLineFeed) {
        this.#skipsLineFeed = false;
        if (character === '\n') continue;
      }
      if (this.#state === 'quoted') {
        if (character === '"') this.#state = 'closing';
        else {
          const end = piece.indexOf('"', index);
          const stop = end < 0 ? piece.length : end;
          this.#text += piece.slice(index, stop);
          index = stop - 1;
        }
        continue;
      }
      if (this.#state === 'closing' && character === '"') {
        this.#text += '"';
        this.#state = 'quoted';
        continue;
      }
      this.#state = 'plain';
      if (character === this.#separator) this.#endField();
      else if (character === '\n' || character === '\r') {
        this.#skipsLineFeed = character === '\r';
        this.#endRow(rows);
      } else if (character === '"' && this.#text === '' && !this.#isQuoted) {
        this.#state = 'quoted';
        this.#isQuoted = true;
        this.#hasContent = true;
      } else {
        const start = index;
        while (index + 1 < piece.length && !this.#isSpecial(piece[index + 1] ?? '')) index += 1;
        this.#text += piece.slice(start, index + 1);
        this.#hasContent = true;
      }
    }
    return rows;
  }

  /** Returns the last row, if no line ending followed it. */
  end(): CsvField[][] {
    const rows: CsvField[][] = [];
    if (this.#hasContent) this.#endRow(rows);
    return rows;
  }

  #isSpecial(character: string): boolean {
    return character === this.#separator || character === '\n' || character === '\r';
  }

  #endField(): void {
    this.#row.push({ text: this.#text, isQuoted: this.#isQuoted });
    this.#text = '';
    this.#isQuoted = false;
    this.#hasContent = true;
  }

  #endRow(rows: CsvField[][]): void {
    // An empty line is not a row, unless rows have a single field.
    if (this.#hasContent || this.#width === 1) {
      this.#endField();
      this.#width ??= this.#row.length;
      rows.push(this.#row);
    }
    this.#row = [];
    this.#hasContent = false;
  }
}
