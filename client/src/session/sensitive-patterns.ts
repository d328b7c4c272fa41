/** The person's own patterns of sensitive columns: those of the settings, then those of the connection. */
import * as vscode from 'vscode';
import { isText } from '#base/values/shapes.ts';
import { settings, settingsSection } from '#client/contributions.ts';
import type { ConnectionProfile } from '#core/connections/connection-profile.ts';

export function sensitivePatterns({
  sensitiveColumns = [],
}: Pick<ConnectionProfile, 'sensitiveColumns'>): readonly string[] {
  const patterns = vscode.workspace
    .getConfiguration(settingsSection)
    .get<unknown>(settings.aiSensitiveColumns);
  return [...(Array.isArray(patterns) ? patterns.filter(isText) : []), ...sensitiveColumns];
}
