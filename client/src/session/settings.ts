/** Reads the session's settings into a frozen object. Invalid settings are omitted and reported. */
import * as vscode from 'vscode';
import type { AnswerOf } from '#core/connections/folder-entry.ts';
import { settings, settingsSection } from '../contributions.ts';
import { readConnections, type ConnectionSettings } from './connection-settings.ts';

export interface Settings extends ConnectionSettings {
  readonly clientAuthentication: 'basic' | 'body';
}

/** @param answerOf returns the user's answers for folder connections; by default there are none. */
export function readSettings(answerOf: AnswerOf = () => undefined): Settings {
  const configuration = vscode.workspace.getConfiguration(settingsSection);
  return Object.freeze({
    ...readConnections(answerOf),
    clientAuthentication:
      configuration.get<unknown>(settings.clientAuthentication) === 'body' ? 'body' : 'basic',
  });
}
