/** The notifications of a failed connection, loaded on first use. */
import * as vscode from 'vscode';
import { commands } from '#client/contributions.ts';
import type { ConnectionState, Session } from '#client/session/session.ts';
import { showConnectionError } from '#client/ui/shown/notifications.ts';
import type { FailureAction } from '#core/failures/failure.ts';

export async function show(
  state: Extract<ConnectionState, { kind: 'failed' }>,
  session: Session,
): Promise<void> {
  const said = vscode.l10n.t('Not connected to {0}. {1}', state.profile.name, state.reason);
  await offer(said, state.actions, () => {
    const now = session.state;
    return now.kind === 'failed' && now.reason === state.reason && now.profile.name === state.profile.name;
  });
}

/** Shows that the service is still unavailable after a request to connect again. */
export async function showAway(session: Session, reason: string): Promise<void> {
  const test = { title: vscode.l10n.t('Test Connection'), command: commands.connectionTest };
  const said = vscode.l10n.t('The service is not available. You are seeing earlier data. {0}', reason);
  await offer(said, [test], () => session.unreachable !== undefined);
}

/** @param isStillSo whether the message still applies: the notification may have been open for a long time. */
async function offer(
  message: string,
  remedies: readonly FailureAction[],
  isStillSo: () => boolean,
): Promise<void> {
  const actions = [...remedies, { title: vscode.l10n.t('Connect Again'), command: commands.connectionRetry }];
  const chosen = await showConnectionError(message, ...actions.map(({ title }) => title));
  const action = actions.find(({ title }) => title === chosen);
  if (action === undefined || !isStillSo()) return;
  await vscode.commands.executeCommand(action.command, ...(action.arguments ?? []));
}
