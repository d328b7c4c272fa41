/** What became of each connection of a run on several, in words. */
import { t } from '#base/texts.ts';
import { rowCountText } from '#base/words/row-count.ts';
import type { PartOutcome, SeveralRuns } from './several-runs.ts';

export function outcomeWords({ state, rowCount }: PartOutcome): string {
  const rows = rowCountText(rowCount);
  switch (state.kind) {
    case 'complete':
      return rows;
    case 'at-limit':
      return t('{0}, the limit', rows);
    case 'short':
      return t('{0}, and the service reports more', rows);
    case 'perhaps-short':
      return state.areValuesUnknown === true
        ? t('{0}, and the service does not show whether it uses the values of parameters', rows)
        : t('{0}, and the service does not tell whether there are more', rows);
    case 'failed':
    case 'lost':
      return rowCount === 0 ? t('failed') : t('failed after {0}', rows);
    case 'waiting':
      return t('not asked');
    case 'reading':
    case 'stopped':
      return rowCount === 0 ? t('stopped') : t('stopped after {0}', rows);
    default:
      return state satisfies never;
  }
}

/** Says which columns some connections lack, and which have different types. */
export function shapeNotes({ missing, mixed }: Pick<SeveralRuns, 'missing' | 'mixed'>): readonly string[] {
  return [
    ...missing.map(({ column, connections }) =>
      t('No column "{0}" on {1}: NULL there means that it was not asked.', column, connections.join(', ')),
    ),
    ...mixed.map(({ column, types }) =>
      t(
        'The column "{0}" is text here, since its types differ: {1}.',
        column,
        types.map(({ connection, type }) => `${connection} ${type}`).join(', '),
      ),
    ),
  ];
}
