/** Formats numbers and durations as text. */
import { isSingular } from '#panel-protocol/panel-texts.ts';
import { language, t } from './l10n.ts';

const wholeNumber = new Intl.NumberFormat(language);

export function number(value: number): string {
  return wholeNumber.format(value);
}

export function rowCountWords(value: number): string {
  return t(isSingular(value, language) ? '{0} row' : '{0} rows', number(value));
}

/** Formats a duration: `87 ms`, `1.24 s`, `2 min 5 s`. */
export function duration(ms: number): string {
  if (ms < 1_000) return t('{0} ms', Math.round(ms));
  if (ms < 60_000) return t('{0} s', fraction(ms / 1_000, ms < 10_000 ? 2 : 1));
  return t('{0} min {1} s', Math.floor(ms / 60_000), Math.floor((ms % 60_000) / 1_000));
}

/** Formats a running time in tenths of a second, to avoid flicker. */
export function elapsedWords(ms: number): string {
  return ms < 60_000 ? t('{0} s', fraction(Math.floor(ms / 100) / 10, 1)) : duration(ms);
}

function fraction(value: number, digits: number): string {
  return value.toLocaleString(language, { minimumFractionDigits: digits, maximumFractionDigits: digits });
}
