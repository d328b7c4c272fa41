/**
 * Shows one notification per failure, if the user requested the connection or the secret stopped working. If the
 * service is unavailable when a window opens, only the status bar and the views show it.
 */
import * as vscode from 'vscode';
import { commands } from '../../contributions.ts';
import type { ConnectionProfile } from '../../../../core/src/connections/connection-profile.ts';
import type { ConnectionState, Session } from '../../session/session.ts';
import type { FailureAction } from '../../../../core/src/util/failure.ts';
import type { DisposableLike } from '../../../../core/src/util/disposables.ts';
import { showErrorMessage } from '../../ui/shown/notifications.ts';

export interface FailureReport extends DisposableLike {
  /** Reports the outcome of the next connection attempt with this profile. */
  askedFor(profile: ConnectionProfile): void;
}

export function reportFailures(session: Session): FailureReport {
  let asked: ConnectionProfile | undefined;
  let before: ConnectionState['kind'] | undefined;
  const listener = session.onDidChangeState((state) => {
    // If the state was already failed, only the profile's display settings changed.
    const isKnown = before === 'failed' && state.kind === 'failed';
    before = state.kind;
    if (state.kind === 'connecting' || isKnown) return;
    const isAsked = state.kind === 'failed' && state.profile === asked;
    asked = undefined;
    if (state.kind === 'failed' && (isAsked || state.isAuthFailure)) void show(state, session);
  });
  return {
    askedFor(profile) {
      asked = profile;
    },
    dispose() {
      listener.dispose();
    },
  };
}

async function show(state: Extract<ConnectionState, { kind: 'failed' }>, session: Session): Promise<void> {
  const again: FailureAction = {
    title: vscode.l10n.t('Connect Again'),
    command: commands.connectionRetry,
  };
  const actions = [...state.actions, again];
  const chosen = await showErrorMessage(
    vscode.l10n.t('Not connected to {0}. {1}', state.profile.name, state.reason),
    ...actions.map(({ title }) => title),
  );
  const action = actions.find(({ title }) => title === chosen);
  // The notification may have been open for a long time, so check that it still applies.
  const now = session.state;
  const isStillSo =
    now.kind === 'failed' && now.reason === state.reason && now.profile.name === state.profile.name;
  if (action === undefined || !isStillSo) return;
  const values: readonly unknown[] = action.arguments ?? [];
  await vscode.commands.executeCommand(action.command, ...values);
}
