/** Formats a comparison as Markdown for a ticket: the two sides, the counts, and the visible rows. */
import * as vscode from 'vscode';
import { escapeMarkdownName } from '#base/words/markdown.ts';
import { locale } from '#client/ui/locale.ts';
import { setStatusBarMessage } from '#client/ui/shown/notifications.ts';
import { ExpectedError } from '#core/failures/failure.ts';
import type { ComparedSide, Result } from '../results/index.ts';

/** More rows would be too many for a ticket; the user can export them instead. */
const rowsMax = 500;

export async function copySummary({ state, data, shownColumns, header }: Result): Promise<void> {
  if (state.kind !== 'rows' || state.comparison === undefined || data === undefined)
    throw new ExpectedError(vscode.l10n.t('The comparison is not ready yet.'));
  const { before, after, counts, keys, notes } = state.comparison;
  const rows = Math.min(rowsMax, state.viewRowCount);
  const table =
    rows === 0
      ? ''
      : await data.ask('copy', {
          range: { firstRow: 0, lastRow: rows - 1, columns: shownColumns },
          options: {
            format: 'markdown',
            withHeaders: true,
            nullText: 'NULL',
            guardFormulas: false,
            tableName: '',
          },
        });
  const keyNames = keys.map((key) => state.columns[key]?.name ?? '').join(', ');
  const left = state.viewRowCount - rows;
  const lines = [
    `### ${escapeMarkdownName(vscode.l10n.t('Comparison of {0}', header.title))}`,
    '',
    `- **${vscode.l10n.t('Before')}:** ${sideText(before)}`,
    `- **${vscode.l10n.t('After')}:** ${sideText(after)}`,
    `- **${vscode.l10n.t('Matched by')}:** ${keyNames === '' ? vscode.l10n.t('whole rows') : escapeMarkdownName(keyNames)}`,
    `- **${vscode.l10n.t(
      '{0} added, {1} removed, {2} changed, {3} unchanged',
      counts.added.toLocaleString(locale()),
      counts.removed.toLocaleString(locale()),
      counts.changed.toLocaleString(locale()),
      counts.unchanged.toLocaleString(locale()),
    )}**`,
    ...notes.map((note) => `- ${escapeMarkdownName(note)}`),
    '',
    table,
    ...(left > 0
      ? [
          '',
          left === 1
            ? vscode.l10n.t('1 more row is not listed here.')
            : vscode.l10n.t('{0} more rows are not listed here.', left.toLocaleString(locale())),
        ]
      : []),
  ];
  await vscode.env.clipboard.writeText(`${lines.join('\n').trimEnd()}\n`);
  setStatusBarMessage(vscode.l10n.t('The comparison was copied as Markdown'), 4_000);
}

function sideText({ title, facts, warning }: ComparedSide): string {
  return [title, ...facts, ...(warning === undefined ? [] : [warning])].map(escapeMarkdownName).join(' · ');
}
