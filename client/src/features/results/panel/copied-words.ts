/** The short confirmation shown after a copy. */
import type { Translate } from '#base/translate.ts';

export function copiedWords(
  {
    rows,
    columns,
    withNames,
  }: { readonly rows: number; readonly columns: number; readonly withNames: boolean },
  { language, translate: t }: { readonly language: string; readonly translate: Translate },
): string {
  const what = cellWords();
  return withNames ? t('Copied {0} with column names', what) : t('Copied {0}', what);

  function cellWords(): string {
    if (rows === 1 && columns === 1) return t('1 cell');
    const rowWords = rows === 1 ? t('1 row') : t('{0} rows', rows.toLocaleString(language));
    const columnWords = columns === 1 ? t('1 column') : t('{0} columns', columns.toLocaleString(language));
    return `${rowWords} × ${columnWords}`;
  }
}
