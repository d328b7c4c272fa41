/** Rows with the remedies for a failed connection, in the order of its notification. The view's message explains it. */
import * as vscode from 'vscode';
import { commands } from '../contributions.ts';
import type { FailureAction } from '../../../core/src/util/failure.ts';
import type { MessageNode } from './message-node.ts';

const icons: ReadonlyMap<string, string> = new Map([
  [commands.connectionUpdateSecret, 'key'],
  [commands.connectionEdit, 'edit'],
  [commands.connectionRetry, 'refresh'],
  [commands.connectionTest, 'pulse'],
]);

/** @param actions remedies other than connecting again */
export function failureRows(actions: readonly FailureAction[]): MessageNode[] {
  const again = { title: vscode.l10n.t('Connect Again'), command: commands.connectionRetry };
  return [...actions, again].map(rowOf);
}

function rowOf(action: FailureAction): MessageNode {
  const { title, command } = action;
  return {
    kind: 'message',
    icon: icons.get(command) ?? 'gear',
    text: title,
    command: { title, command, arguments: [...(action.arguments ?? [])] },
  };
}
