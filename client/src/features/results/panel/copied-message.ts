/** The short confirmation shown after a copy. */
import { isSingular, type Translate } from '#base/translate.ts';

export function copiedWords(
  {
    rows,
    columns,
    withNames,
    hasTimes = false,
  }: {
    readonly rows: number;
    readonly columns: number;
    readonly withNames: boolean;
    /** Whether times were written in UTC, without their zone. */
    readonly hasTimes?: boolean;
  },
  { language, translate: t }: { readonly language: string; readonly translate: Translate },
): string {
  const what = cellWords();
  const words = withNames ? t('Copied {0} with column names', what) : t('Copied {0}', what);
  return hasTimes ? t('{0}, times in UTC', words) : words;

  function cellWords(): string {
    if (rows === 1 && columns === 1) return t('1 cell');
    const [rowCount, columnCount] = [rows.toLocaleString(language), columns.toLocaleString(language)];
    const rowWords = t(isSingular(rows, language) ? '{0} row' : '{0} rows', rowCount);
    const columnWords = t(isSingular(columns, language) ? '{0} column' : '{0} columns', columnCount);
    return `${rowWords} × ${columnWords}`;
  }
}
