/** Says a number of rows. */
import { locale, t } from '../texts.ts';
import { isSingular } from '../translate.ts';
import { numberText } from './number-text.ts';

/** @returns `1 row` or `12,000 rows`, in the language of the texts. */
export function rowCountText(rows: number): string {
  return t(isSingular(rows, locale()) ? '{0} row' : '{0} rows', numberText(rows));
}
