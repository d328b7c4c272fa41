/** Every command goes through here: its outcome is presented the same way wherever it was started. */
import * as vscode from 'vscode';
import { AuthError } from '../../../api/client/errors.ts';
import { commands, type CommandId } from '../contributions.ts';
import type { Logger } from '../../../core/src/util/logger.ts';
import { ExpectedError, failureOf, type FailureAction } from '../../../core/src/util/failure.ts';
import { failureDetailsOf } from '../../../core/src/util/failure-details.ts';
import { showDetailsAction } from './failure-details.ts';
import { stackOf } from '../../../core/src/util/stack-of.ts';
import { showErrorMessage } from './shown/notifications.ts';

/** Arguments come from outside (palette, trees, other extensions): handlers take `unknown` and parse. */
export type CommandHandler = (...args: readonly unknown[]) => unknown;

export function registerCommand(log: Logger, id: CommandId, handler: CommandHandler): vscode.Disposable {
  return vscode.commands.registerCommand(id, async (...args: readonly unknown[]) => {
    try {
      return await handler(...args);
    } catch (error) {
      void presentFailure(log, id, error);
      return undefined;
    }
  });
}

/**
 * Shows a failure once, as a notification with its next steps, and resolves when the person has answered it.
 * @param what the command or activity, for the log.
 */
export async function presentFailure(log: Logger, what: string, error: unknown): Promise<void> {
  const failure = failureOf(error);
  switch (failure.kind) {
    case 'cancelled':
      return;
    case 'expected': {
      // The session has failed over it, and says so itself, once (session.ts).
      if (error instanceof AuthError && error.at !== 'forbidden') return;
      if (error instanceof ExpectedError && error.isToldElsewhere) return;
      log.warn(`${what} failed: ${error instanceof Error ? error.name : typeof error}`);
      const details = failureDetailsOf(error);
      const actions = details === undefined ? [] : [showDetailsAction(details)];
      await offer(failure.message, [...failure.actions, ...actions]);
      return;
    }
    case 'unexpected':
      log.error(`${what} failed unexpectedly: ${stackOf(error)}`);
      await offer(vscode.l10n.t('Identity Queries: {0}', failure.message), [
        { title: vscode.l10n.t('Show Log'), command: commands.logShow },
      ]);
      return;
    default:
      failure satisfies never;
  }
}

async function offer(message: string, actions: readonly FailureAction[]): Promise<void> {
  const chosen = await showErrorMessage(message, ...actions.map((action) => action.title));
  const action = actions.find((candidate) => candidate.title === chosen);
  if (action !== undefined) await vscode.commands.executeCommand(action.command, ...(action.arguments ?? []));
}
