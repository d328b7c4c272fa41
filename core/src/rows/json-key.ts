/** Equality of JSON values, as PostgreSQL's jsonb has it, from their texts. */
import { ExactNumber, parseJson, scalarText } from '#api/client/json.ts';
import { canonicalJson } from './canonical-json.ts';
import { decimalKey, equalDecimals } from './decimal.ts';

/** Returns the same text for equal values, however their numbers, blanks and members are written; invalid JSON as it is. */
export function jsonKey(text: string): string {
  // True, false, null and most texts are written in one way.
  if (/^(?:[tfn"][^\\]*)$/.test(text)) return text.trimEnd();
  try {
    return canonicalJson(parseJson(text), (value) =>
      value instanceof ExactNumber ? numberKey(value) : scalarText(value),
    );
  } catch {
    // A file may contain anything in this column, so invalid JSON is compared as text.
    return text;
  }
}

/** Returns the same text for equal numbers, such as 1.0 and 1. */
function numberKey(exact: ExactNumber): string | undefined {
  const nearest = exact.toNumber();
  return equalDecimals(String(nearest), exact.text) ? scalarText(nearest) : decimalKey(exact.text);
}
