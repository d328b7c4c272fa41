/** Describes outcomes in words: the expected and the actual result, without row values. */
import { locale, t } from '#base/texts.ts';
import { isSingular } from '#base/translate.ts';
import { ageText } from '#base/words/age-text.ts';
import { numberText } from '#base/words/number-text.ts';
import type { Outcome } from './control-result.ts';
import type { JudgedRows } from './control-rows.ts';
import type { Control } from './control.ts';

export function outcomeMessage(
  { rules }: Pick<Control, 'rules'>,
  { outcome, rows, judged, population }: JudgedRows & { readonly population?: string | undefined },
): string {
  // Counts of waived and known rows cover only what was read, so they stand beside the number of rows read.
  const isPart = rows.waived + rows.known > 0 && !rows.isAll;
  const asides = [
    ...(rows.waived > 0 ? [t('{0} waived', numberText(rows.waived))] : []),
    ...(rows.known > 0 ? [t('{0} known', numberText(rows.known))] : []),
    ...(isPart && rows.total !== undefined && rows.total > rows.read
      ? [t('of {0} rows in all', numberText(rows.total))]
      : []),
  ];
  const { total, ...read } = rows;
  const rowsFound = foundWords(
    rules.statusColumn !== undefined,
    isPart || total === undefined ? read : { ...read, total },
  );
  const found =
    population === undefined ? rowsFound : t('{0} of a population of {1}', rowsFound, countText(population));
  const beside = asides.length === 0 ? '' : ` (${asides.join(', ')})`;
  if (outcome === 'pass' || outcome === 'waived') return t('{0}{1}.', found, beside);
  const { by } = judged;
  // An explicit rule such as `rows > 5` is clearer than the expectation.
  return by !== undefined && !(by === rules.errorIf && rules.isExpectation)
    ? t('{0}{1}: {2}.', found, beside, by.text)
    : t('{0}{1}; expected: {2}.', found, beside, rules.expected);
}

/** Formats a count, which may be too large for a number. */
function countText(count: string): string {
  return Number.isSafeInteger(Number(count)) ? numberText(Number(count)) : count;
}

function foundWords(
  isByStatus: boolean,
  { read, isAll, total }: Pick<JudgedRows['rows'], 'read' | 'isAll' | 'total'>,
): string {
  const number = total ?? read;
  const isLeast = total === undefined && !isAll;
  const isOne = isSingular(number, locale());
  const words = isByStatus
    ? t(isOne ? '{0} row in alarm' : '{0} rows in alarm', numberText(number))
    : t(isOne ? '{0} row' : '{0} rows', numberText(number));
  return isLeast
    ? t('At least {0}', words)
    : number === 0
      ? isByStatus
        ? t('No rows in alarm')
        : t('No rows')
      : words;
}

export interface LastOutcome {
  readonly outcome: Outcome;
  /** Milliseconds since 1970. */
  readonly at: number;
  /** The number of rows that it found, if known. */
  readonly rows?: number;
}

/** Returns text such as `Warning, 6 rows, 3 hours ago`. The number of rows is left out of a pass and of an error. */
export function outcomeText({ outcome, at, rows }: LastOutcome): string {
  const isFine = outcome === 'pass' || outcome === 'error' || rows === undefined;
  const found = isFine ? '' : `${foundWords(false, { read: rows, isAll: true })}, `;
  return `${outcomeWord(outcome)}, ${found}${ageText(at, Date.now(), locale())}`;
}

export function outcomeWord(outcome: Outcome): string {
  return {
    pass: t('Pass'),
    warn: t('Warning'),
    fail: t('Failed'),
    waived: t('Waived'),
    error: t('Error'),
  }[outcome];
}
