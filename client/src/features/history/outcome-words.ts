/** How a run ended, in words. */
import * as vscode from 'vscode';
import type { RunRecord } from '../runs/index.ts';

export function outcomeWords(run: RunRecord): string {
  switch (run.outcome) {
    case 'rows': {
      const count = (run.rowCount ?? 0).toLocaleString('en-US');
      const duration = durationWords(run.ms);
      if (run.hasMore === true) return vscode.l10n.t('{0} rows and more in {1}', count, duration);
      return run.rowCount === 1
        ? vscode.l10n.t('1 row in {0}', duration)
        : vscode.l10n.t('{0} rows in {1}', count, duration);
    }
    case 'failed':
      return run.code === undefined
        ? vscode.l10n.t('failed after {0}', durationWords(run.ms))
        : vscode.l10n.t('failed after {0}: {1}', durationWords(run.ms), run.code);
    case 'cancelled':
      return vscode.l10n.t('cancelled after {0}', durationWords(run.ms));
    default:
      return run.outcome satisfies never;
  }
}

function durationWords(ms: number): string {
  return ms < 1_000 ? `${ms} ms` : `${(ms / 1_000).toFixed(1)} s`;
}
