/** Handles secrets in settings files: rejects them, and moves them to secret storage on request. */
import * as vscode from 'vscode';
import { commands } from '#client/contributions.ts';
import type { SettingProblem } from '#client/session/connection-settings.ts';
import { takeSecretsOut } from '#client/session/connection-settings.ts';
import type { SecretStore } from '#client/session/secrets.ts';
import { showWarningMessage } from '#client/ui/shown/notifications.ts';
import { parseConnection } from '#core/connections/parse-connection.ts';

/** Shows each problem with the configured connections once. */
export class SettingProblemsReport {
  readonly #shown = new Set<string>();

  show(problems: readonly SettingProblem[]): void {
    const messages = new Set(problems.map(({ message }) => message));
    for (const message of this.#shown) if (!messages.has(message)) this.#shown.delete(message);
    for (const problem of problems) {
      if (this.#shown.has(problem.message)) continue;
      this.#shown.add(problem.message);
      void showProblem(problem);
    }
  }
}

async function showProblem({ message, holdsSecret }: SettingProblem): Promise<void> {
  const move = vscode.l10n.t('Move to Secret Storage');
  const open = vscode.l10n.t('Open Settings');
  const chosen = await showWarningMessage(message, ...(holdsSecret ? [move, open] : [open]));
  if (chosen === move) await vscode.commands.executeCommand(commands.connectionMoveSecrets);
  if (chosen === open)
    await vscode.commands.executeCommand('workbench.action.openSettings', 'identityQueries.connections');
}

/** @returns the number of stored secrets, and how many of them belong to incomplete connections. */
export async function moveSecrets(secrets: SecretStore): Promise<{ moved: number; incomplete: number }> {
  let moved = 0;
  let incomplete = 0;
  await takeSecretsOut(async ({ entry, secret }) => {
    const parsed = parseConnection(entry, new Set());
    if (secret === undefined) return true;
    if (parsed.kind === 'problem') {
      incomplete += 1;
      return false;
    }
    await secrets.set(parsed.profile, secret);
    moved += 1;
    return true;
  });
  return { moved, incomplete };
}
