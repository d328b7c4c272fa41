/** Equality of JSON values, as PostgreSQL's jsonb has it, from their texts. */
import { ExactNumber, parseJson, scalarText } from '#api/client/json.ts';
import { canonicalJson } from './canonical-json.ts';
import { withoutTrailingZeros } from './decimal-sum.ts';
import { equalDecimals } from './decimal.ts';

/** Returns the same text for equal values, however their numbers, blanks and members are written; invalid JSON as it is. */
export function jsonKey(text: string): string {
  // True, false, null and most texts are written in one way.
  if (/^(?:[tfn"][^\\]*)$/.test(text)) return text.trimEnd();
  try {
    return canonicalJson(parseJson(text), (value) =>
      scalarText(value instanceof ExactNumber ? canonicalNumber(value) : value),
    );
  } catch {
    // A file may contain anything in this column, so invalid JSON is compared as text.
    return text;
  }
}

/** Normalizes a number, so that equal values such as 1.0 and 1 have the same text. */
function canonicalNumber(exact: ExactNumber): ExactNumber | number {
  const nearest = exact.toNumber();
  if (equalDecimals(String(nearest), exact.text)) return nearest;
  return /[eE]/.test(exact.text) || !exact.text.includes('.')
    ? exact
    : new ExactNumber(withoutTrailingZeros(exact.text));
}
