/** Reads the settings of the session to one frozen object; what does not fit is left out and reported. */
import * as vscode from 'vscode';
import { settings, settingsSection } from '../contributions.ts';
import { readConnections, type ConnectionSettings } from './connection-settings.ts';
import type { AnswerOf } from '../../../core/src/connections/folder-entry.ts';

export interface Settings extends ConnectionSettings {
  readonly clientAuthentication: 'basic' | 'body';
}

/** @param answerOf what was said to the connections of folders; without it, nothing was. */
export function readSettings(answerOf: AnswerOf = () => undefined): Settings {
  const configuration = vscode.workspace.getConfiguration(settingsSection);
  return Object.freeze({
    ...readConnections(answerOf),
    clientAuthentication:
      configuration.get<unknown>(settings.clientAuthentication) === 'body' ? 'body' : 'basic',
  });
}
