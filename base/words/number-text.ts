/** Formats numbers in the language of the surrounding text. */
import { locale } from '../texts.ts';

/** @param digits number of digits after the decimal point; by default at most three, as needed. */
export function numberText(value: number, digits?: number): string {
  return value.toLocaleString(
    locale(),
    digits === undefined ? {} : { minimumFractionDigits: digits, maximumFractionDigits: digits },
  );
}
