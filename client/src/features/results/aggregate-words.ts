/** Formats statistics of the selected cells. Numbers are written in full, since users select cells to add them up. */
import type { Translate } from '../../../../core/src/util/translate.ts';
import type { Aggregate } from '../../../../core/src/rows/rows.ts';

/** Longer values would crowd the status bar. */
const shortCharsMax = 24;

/** `short` fits on one line; `all` has one fact per line. */
export function aggregateWords(
  { cells, nulls, distinct, numbers, min, max }: Aggregate,
  { language, translate }: { readonly language: string; readonly translate: Translate },
): { readonly short: string; readonly all: readonly string[] } {
  const whole = new Intl.NumberFormat(language);
  const facts: { readonly text: string; readonly isShort: boolean }[] = [];
  const add = (isShort: boolean, message: string, value: string) =>
    facts.push({ text: translate(message, value), isShort });
  if (numbers !== undefined) {
    add(true, 'Sum: {0}', numbers.sum);
    if (numbers.average !== undefined) add(true, 'Average: {0}', numbers.average);
  }
  if (min !== undefined && max !== undefined) {
    const isShort = numbers !== undefined || min.length + max.length <= 2 * shortCharsMax;
    add(isShort, 'Min: {0}', min);
    add(isShort, 'Max: {0}', max);
  }
  add(true, 'Count: {0}', whole.format(cells));
  add(true, 'Distinct: {0}', distinct === undefined ? translate('many') : whole.format(distinct));
  if (nulls > 0) add(true, 'NULL: {0}', whole.format(nulls));
  return {
    short: facts
      .filter(({ isShort, text }) => isShort && text.length <= 2 * shortCharsMax)
      .map(({ text }) => text)
      .join('   '),
    all: facts.map(({ text }) => text),
  };
}
