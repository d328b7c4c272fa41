/** The settings for a run, read when it starts. */
import * as vscode from 'vscode';
import { limits } from '#api/contract/limits.ts';
import { settings, settingsSection } from '#client/contributions.ts';

export interface RunSettings {
  readonly isProofRequired: boolean;
  /** `whenNeeded` skips the form if all values are known. By default, a person sees what is sent, and Enter runs it. */
  readonly askParameters: 'always' | 'whenNeeded';
  /** Infinity for no limit. */
  readonly timeLimitMs: number;
  readonly pageSize: number;
  readonly rowLimit: number;
}

export function readRunSettings(): RunSettings {
  const configuration = vscode.workspace.getConfiguration(settingsSection);
  const seconds = configuration.get<unknown>(settings.runTimeLimitSeconds);
  return {
    isProofRequired: configuration.get<unknown>(settings.runRequireReadOnlyProof) !== false,
    askParameters:
      configuration.get<unknown>(settings.runAskParameters) === 'whenNeeded' ? 'whenNeeded' : 'always',
    timeLimitMs: seconds === 0 ? Infinity : bounded(seconds, 300, 86_400) * 1_000,
    pageSize: bounded(
      configuration.get(settings.resultsPageSize),
      limits.executePageSizeDefault,
      limits.executePageSizeMax,
    ),
    rowLimit: bounded(configuration.get(settings.resultsRowLimit), 1_000_000, 10_000_000),
  };
}

export function isRemembering(): boolean {
  const configuration = vscode.workspace.getConfiguration(settingsSection);
  return configuration.get<unknown>(settings.runRememberParameters) !== false;
}

function bounded(value: unknown, fallback: number, max: number): number {
  return typeof value === 'number' && value >= 1 ? Math.min(Math.floor(value), max) : fallback;
}
