/** Converts a connection test's report for display on the connection form's page. */
import * as vscode from 'vscode';
import { forMessage } from '#base/shown-text/for-places.ts';
import { commands } from '#client/contributions.ts';
import { commandUri } from '../test-report/report-html.ts';
import type { Report } from '../test-report/report.ts';
import type { TestOutcome } from './form-state.ts';

/** Commands that links in a test report may run. The form makes the other commands unnecessary. */
export const linkedCommands: readonly string[] = [
  commands.connectionCopyReport,
  commands.networkUpdatePassphrase,
  'workbench.action.openSettings',
];

export function testOutcome({ summary, hasFailed, rows, secretOrigin }: Report): TestOutcome {
  return {
    summary: forMessage(summary),
    hasFailed,
    secretOrigin: forMessage(secretOrigin),
    steps: rows.map(({ actions, ...row }) => ({
      ...row,
      target: forMessage(row.target),
      text: forMessage(row.text),
      actions: actions
        .filter(({ command }) => linkedCommands.includes(command))
        .map((action) => ({ title: action.title, href: commandUri(action) })),
    })),
    copy: {
      title: vscode.l10n.t('Copy Report'),
      href: commandUri({ title: '', command: commands.connectionCopyReport }),
    },
  };
}
