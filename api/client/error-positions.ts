/**
 * Whether lines and columns of a service's errors count from 0 or 1, which the specification leaves open (assumption
 * `parse-error`). Learned once per client, from a mistake whose place is known.
 */
import type { RejectedError } from './errors.ts';
import { countOf } from './requests/error-of-response.ts';

/** The mistake is at line 1, column 8. */
const mistake = { text: 'SELECT )', line: 1, column: 8 };

interface Bases {
  readonly line: number;
  readonly column: number;
}

export class ErrorPositions {
  #learning: Promise<Bases | undefined> | undefined;

  /**
   * Sets the position of the error to what it is when counted from 1.
   * @param ask sends a query; returns its refusal, undefined if it was not refused.
   */
  async settle(
    error: RejectedError,
    ask: (text: string) => Promise<RejectedError | undefined>,
  ): Promise<void> {
    const told = toldBy(error);
    if (told === undefined) return;
    this.#learning ??= ask(mistake.text).then(basesOf);
    try {
      const bases = await this.#learning;
      if (bases === undefined) return;
      error.position = {
        line: Math.max(1, told.line + 1 - bases.line),
        column: Math.max(1, told.column + 1 - bases.column),
      };
    } catch {
      this.#learning = undefined; // the query's own error is what counts
    }
  }
}

function basesOf(refusal: RejectedError | undefined): Bases | undefined {
  const told = refusal === undefined ? undefined : toldBy(refusal);
  if (told === undefined) return undefined;
  const bases = { line: told.line + 1 - mistake.line, column: told.column + 1 - mistake.column };
  const isBase = (base: number) => base === 0 || base === 1;
  return isBase(bases.line) && isBase(bases.column) ? bases : undefined;
}

function toldBy({ details }: RejectedError): Bases | undefined {
  const [line, column] = [countOf(details?.['line']), countOf(details?.['column'])];
  return line === undefined || column === undefined ? undefined : { line, column };
}
