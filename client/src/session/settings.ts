/** Reads the settings of the session to one frozen object; what does not fit is left out and reported. */
import * as vscode from 'vscode';
import { settings, settingsSection } from '../contributions.ts';
import { readConnections, type ConnectionSettings } from './connection-settings.ts';

export interface Settings extends ConnectionSettings {
  readonly clientAuthentication: 'basic' | 'body';
}

export function readSettings(): Settings {
  const configuration = vscode.workspace.getConfiguration(settingsSection);
  return Object.freeze({
    ...readConnections(),
    clientAuthentication:
      configuration.get<unknown>(settings.clientAuthentication) === 'body' ? 'body' : 'basic',
  });
}
