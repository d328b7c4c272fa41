/** Reads the session's settings into one frozen object; omits and reports invalid ones. */
import * as vscode from 'vscode';
import { settings, settingsSection } from '../contributions.ts';
import { readConnections, type ConnectionSettings } from './connection-settings.ts';
import type { AnswerOf } from '../../../core/src/connections/folder-entry.ts';

export interface Settings extends ConnectionSettings {
  readonly clientAuthentication: 'basic' | 'body';
}

/** @param answerOf answers to folder connections; none by default. */
export function readSettings(answerOf: AnswerOf = () => undefined): Settings {
  const configuration = vscode.workspace.getConfiguration(settingsSection);
  return Object.freeze({
    ...readConnections(answerOf),
    clientAuthentication:
      configuration.get<unknown>(settings.clientAuthentication) === 'body' ? 'body' : 'basic',
  });
}
