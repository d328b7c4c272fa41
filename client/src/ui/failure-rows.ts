/** What views show of a failed connection or an unavailable service: a short message, and rows with the remedies. */
import * as vscode from 'vscode';
import type { FailureAction } from '#core/failures/failure.ts';
import { commands } from '../contributions.ts';
import type { MessageNode } from './message-node.ts';
import { forView } from './short-failure.ts';

const icons: ReadonlyMap<string, string> = new Map([
  [commands.connectionUpdateSecret, 'key'],
  [commands.connectionEdit, 'edit'],
  [commands.connectionRetry, 'refresh'],
  [commands.connectionTest, 'pulse'],
]);

interface Failing {
  readonly state: { readonly kind: string; readonly reason?: string };
  /** Why the service is away, in full and in short, while earlier data are shown. */
  readonly away: { readonly reason: string; readonly short: string } | undefined;
}

/**
 * Returns the message of a view: at most two or three lines, so that its rows stay in sight.
 * @param hasEarlier whether the view shows earlier data of a failed connection
 */
export function failureMessage({ state, away }: Failing, hasEarlier = false): string | undefined {
  const earlier = vscode.l10n.t('You are seeing earlier data.');
  if (state.kind === 'failed' && state.reason !== undefined)
    return hasEarlier ? `${forView(state.reason)} ${earlier}` : forView(state.reason);
  return away === undefined ? undefined : `${away.short} ${earlier}`;
}

/** Returns the message of a view whose refresh failed. */
export function notRefreshed(short: string): string {
  return vscode.l10n.t('Not refreshed: you are seeing earlier data. {0}', short);
}

/**
 * Returns rows with the remedies for a failed connection, in the order of its notification.
 * @param reason the whole explanation, for the tooltips.
 * @param actions remedies other than connecting again
 */
export function failureRows(reason: string, actions: readonly FailureAction[]): MessageNode[] {
  const again = { title: vscode.l10n.t('Connect Again'), command: commands.connectionRetry };
  return [...actions, again].map((action) => rowOf(reason, action));
}

/** Returns rows with remedies for a service that is away while earlier data are shown. */
export function awayRows(reason: string): MessageNode[] {
  return [
    { title: vscode.l10n.t('Connect Again'), command: commands.connectionRetry },
    { title: vscode.l10n.t('Test Connection'), command: commands.connectionTest },
  ].map((action) => rowOf(reason, action));
}

function rowOf(reason: string, action: FailureAction): MessageNode {
  const { title, command } = action;
  return {
    kind: 'message',
    icon: icons.get(command) ?? 'gear',
    text: title,
    tooltip: `${title}\n${reason}`,
    command: { title, command, arguments: [...(action.arguments ?? [])] },
  };
}
