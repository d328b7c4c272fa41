/** Tells once what a login over the user's own database can do beyond reading, and what is no boundary there. */
import * as vscode from 'vscode';
import type { ServiceClient } from '#api/client/client.ts';
import type { KeyValueStore } from '#base/key-value-store.ts';
import { showDocument } from '#client/ui/show-document.ts';
import { showWarningMessage } from '#client/ui/shown/notifications.ts';
import type { ConnectionProfile } from '#core/connections/connection-profile.ts';
import { tellOnce } from './told-notes.ts';

/** Shows nothing if the same was shown before. @throws ApiError */
export async function tellLoginNotes(
  client: ServiceClient,
  { name, localKey = '' }: ConnectionProfile,
  globalState: KeyValueStore,
): Promise<void> {
  const warnings = (await client.models.server())?.warnings ?? [];
  if (!(await tellOnce(globalState, localKey, warnings))) return;
  const show = vscode.l10n.t('Show');
  const [only = ''] = warnings;
  const chosen = await showWarningMessage(
    warnings.length === 1
      ? only
      : vscode.l10n.t('There are {0} things to know about the database role of {1}.', warnings.length, name),
    ...(warnings.length === 1 ? [] : [show]),
  );
  if (chosen !== show) return;
  const lines = warnings.map((line) => `- ${line}`);
  const content = [vscode.l10n.t('About the database role of {0}:', name), '', ...lines, ''].join('\n');
  await showDocument(await vscode.workspace.openTextDocument({ content, language: 'plaintext' }), undefined);
}
