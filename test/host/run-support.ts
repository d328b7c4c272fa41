/** Helpers for the run tests: starting runs, their results, and their settings. */
import * as vscode from 'vscode';
import { commands } from '#client/contributions.ts';
import type { ResultState, ResultView } from '#panel-protocol/messages.ts';
import { until } from './support.ts';

export const executePath = '/v1/query/execute';

/** Returns the result that the user most likely means. */
export async function current(): Promise<ResultView | undefined> {
  return await vscode.commands.executeCommand<ResultView | undefined>(commands.resultsCurrent);
}

/** Waits until the current result is in a given state, and returns it. */
export async function stateOf<Kind extends ResultState['kind']>(
  kind: Kind,
): Promise<Extract<ResultState, { kind: Kind }>> {
  let seen: ResultState | undefined;
  await until(`the result is ${kind}`, async () => {
    seen = (await current())?.state;
    return seen?.kind === kind;
  });
  return seen as Extract<ResultState, { kind: Kind }>; // its kind was just compared
}

export const run = () => vscode.commands.executeCommand(commands.queryRun);

export async function configure(setting: string, value: unknown): Promise<void> {
  await vscode.workspace
    .getConfiguration('identityQueries')
    .update(setting, value, vscode.ConfigurationTarget.Global);
}

export function runProblems(document: vscode.TextDocument): vscode.Diagnostic[] {
  return vscode.languages.getDiagnostics(document.uri).filter((one) => one.source === 'Identity service');
}

/** Applies settings while the work runs. */
export async function withSettings(
  values: Readonly<Record<string, unknown>>,
  work: () => Promise<void>,
): Promise<void> {
  for (const [setting, value] of Object.entries(values)) await configure(setting, value);
  try {
    await work();
  } finally {
    for (const setting of Object.keys(values)) await configure(setting, undefined);
  }
}
