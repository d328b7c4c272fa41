/** The last outcome of a saved query that is a control, and that outcome's age, as a row badge and as text. */
import * as vscode from 'vscode';
import type { Outcome } from '#core/controls/control-result.ts';
import { outcomeText, type LastOutcome } from '#core/controls/outcome-messages.ts';

/** Stored outcomes by key: the ID of a saved query, or another key. */
export interface QueryOutcomes {
  readonly get: (key: string) => LastOutcome | undefined;
  readonly onDidChange: vscode.Event<string>;
}

export function describeOutcome(last: LastOutcome): string {
  return vscode.l10n.t('Control: {0}', outcomeText(last));
}

const badges: Readonly<Record<Outcome, readonly [badge: string, colour: string]>> = {
  pass: ['\u2713', 'testing.iconPassed'],
  warn: ['W', 'list.warningForeground'],
  fail: ['\u2717', 'testing.iconFailed'],
  waived: ['\u2013', 'testing.iconSkipped'],
  error: ['?', 'testing.iconErrored'],
};

export function outcomeDecoration(last: LastOutcome): vscode.FileDecoration {
  const [badge, colour] = badges[last.outcome];
  return new vscode.FileDecoration(badge, describeOutcome(last), new vscode.ThemeColor(colour));
}
