/** Numbers in the language of the texts around them. */
import { locale } from '../texts.ts';

/** @param digits after the decimal point; by default at most three, as needed */
export function numberText(value: number, digits?: number): string {
  return value.toLocaleString(
    locale(),
    digits === undefined ? {} : { minimumFractionDigits: digits, maximumFractionDigits: digits },
  );
}
