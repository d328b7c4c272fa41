/** Describes a failed run or read for the panel: core's message with an editor command that may help. */
import * as vscode from 'vscode';
import type { SqlPosition } from '#api/client/errors.ts';
import { failureDetailsOf } from '#core/failures/failure-details.ts';
import { ExpectedError } from '#core/failures/failure.ts';
import type { RunFailure } from '#core/failures/run-failure.ts';
import { isMissingList } from '#core/records/records-source.ts';
import { explainFailure, type FailureHelp } from '#core/runs/explain-failure.ts';
import type { TextPosition } from '#core/runs/source-positions.ts';
import { commands, settings, settingsSection } from '../contributions.ts';

/** @param locate maps a position in the sent text to the document. */
export function failureWithStep(
  error: unknown,
  locate: (position: SqlPosition) => TextPosition | undefined,
): RunFailure {
  const { help, ...failure } = explainFailure(error, locate);
  return {
    ...failure,
    nextStep: help === undefined ? stepOf(error) : nextStep(help),
    details: failureDetailsOf(error),
  };
}

/** Explains why records could not be read, with the remedy. */
export function explainRecordsFailure(error: unknown, what: string): RunFailure {
  const failure = failureWithStep(error, () => ({ line: 0, character: 0 }));
  return isMissingList(error)
    ? {
        ...failure,
        message: vscode.l10n.t(
          'This service has no list of {0}. Open single records by their global ID.',
          what,
        ),
        nextStep: {
          title: vscode.l10n.t('Open Record by Global ID...'),
          command: commands.openById,
          argument: 'record',
        },
        isLasting: true,
      }
    : failure;
}

/** Returns the first remedy of an expected failure. */
export function stepOf(error: unknown): RunFailure['nextStep'] {
  const [action] = error instanceof ExpectedError ? error.actions : [];
  return action && { title: action.title, command: action.command, argument: action.arguments?.[0] };
}

function nextStep(help: FailureHelp): NonNullable<RunFailure['nextStep']> {
  return {
    'change-time-limit': settingStep(vscode.l10n.t('Change the Time Limit...'), settings.runTimeLimitSeconds),
    'change-binding': settingStep(vscode.l10n.t('Change the Setting...'), settings.connections),
    'renew-secret': {
      title: vscode.l10n.t('Enter Client Secret...'),
      command: commands.connectionUpdateSecret,
    },
    'test-connection': { title: vscode.l10n.t('Test Connection'), command: commands.connectionTest },
    'check-connection': { title: vscode.l10n.t('Switch Connection...'), command: commands.connectionConnect },
    'read-log': { title: vscode.l10n.t('Show Log'), command: commands.logShow },
  }[help];
}

function settingStep(title: string, setting: string) {
  return { title, command: 'workbench.action.openSettings', argument: `${settingsSection}.${setting}` };
}
