/** Formats the outcome of a run. */
import { t } from '#base/texts.ts';
import { numberText } from '#base/words/number-text.ts';
import { rowCountText } from '#base/words/row-count.ts';
import type { RunRecord } from './run-record.ts';

export function outcomeWords(run: RunRecord): string {
  switch (run.outcome) {
    case 'rows': {
      const count = run.rowCount ?? 0;
      const duration = durationWords(run.ms);
      const rows = rowCountText(count);
      return run.hasMore === true
        ? t('{0} and more in {1}', rows, duration)
        : t('{0} in {1}', rows, duration);
    }
    case 'failed':
      return run.code === undefined
        ? t('failed after {0}', durationWords(run.ms))
        : t('failed after {0}: {1}', durationWords(run.ms), run.code);
    case 'cancelled':
      return t('cancelled after {0}', durationWords(run.ms));
    default:
      return run.outcome satisfies never;
  }
}

function durationWords(ms: number): string {
  return ms < 1_000 ? `${ms} ms` : `${numberText(ms / 1_000, 1)} s`;
}
