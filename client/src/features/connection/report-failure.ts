/**
 * Shows one notification per failure, if the user requested the connection or the secret stopped working. If the
 * service is unavailable when a window opens, only the status bar and the views show it.
 */
import * as vscode from 'vscode';
import { commands } from '../../contributions.ts';
import type { ConnectionProfile } from '../../../../core/src/connections/connection-profile.ts';
import type { ConnectionState, Session } from '../../session/session.ts';
import type { FailureAction } from '../../../../core/src/util/failure.ts';
import { DisposableStore, type DisposableLike } from '../../../../core/src/util/disposables.ts';
import { showErrorMessage } from '../../ui/shown/notifications.ts';

export interface FailureReport extends DisposableLike {
  /** Reports the outcome of the next connection attempt with this profile. */
  askedFor(profile: ConnectionProfile): void;
}

export function reportFailures(session: Session): FailureReport {
  let asked: ConnectionProfile | undefined;
  let before: ConnectionState['kind'] | undefined;
  const disposables = new DisposableStore();
  disposables.add(
    session.onDidChangeState((state) => {
      // If the state was already failed, only the profile's display settings changed.
      const isKnown = before === 'failed' && state.kind === 'failed';
      before = state.kind;
      if (state.kind === 'connecting' || isKnown) return;
      const isAsked = state.kind === 'failed' && state.profile === asked;
      asked = undefined;
      if (state.kind === 'failed' && (isAsked || state.isAuthFailure)) void show(state, session);
    }),
  );
  disposables.add(
    session.onDidChangeReach(() => {
      const isAsked = asked !== undefined;
      asked = undefined;
      if (isAsked && session.unreachable !== undefined) void showAway(session, session.unreachable);
    }),
  );
  return {
    askedFor(profile) {
      asked = profile;
    },
    dispose: () => disposables.dispose(),
  };
}

async function show(state: Extract<ConnectionState, { kind: 'failed' }>, session: Session): Promise<void> {
  const said = vscode.l10n.t('Not connected to {0}. {1}', state.profile.name, state.reason);
  await offer(said, state.actions, () => {
    const now = session.state;
    return now.kind === 'failed' && now.reason === state.reason && now.profile.name === state.profile.name;
  });
}

/** Shows that the service is still unavailable after a request to connect again. */
async function showAway(session: Session, reason: string): Promise<void> {
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
  const chosen = await showErrorMessage(message, ...actions.map(({ title }) => title));
  const action = actions.find(({ title }) => title === chosen);
  if (action === undefined || !isStillSo()) return;
  await vscode.commands.executeCommand(action.command, ...(action.arguments ?? []));
}
