/** Looks up a job by ID, including a colleague's, and shows it as received from the service. */
import * as vscode from 'vscode';
import type { ServiceClient } from '#api/client/client.ts';
import { indentedJson } from '#api/client/json.ts';
import { namingFailure } from '#client/ui/naming-failure.ts';
import { withProgress } from '#client/ui/shown/progress.ts';

export async function openJobById(client: ServiceClient, given: string): Promise<string | undefined> {
  const id = given.trim();
  if (id === '') return undefined;
  const job = await namingFailure(
    (reason) => vscode.l10n.t('The job "{0}" could not be read: {1}', id, reason),
    () =>
      withProgress(
        { location: vscode.ProgressLocation.Window, title: vscode.l10n.t('Reading the job') },
        () => client.jobs.read(id),
      ),
  );
  const content = `${indentedJson(job)}\n`;
  const document = await vscode.workspace.openTextDocument({ language: 'json', content });
  await vscode.window.showTextDocument(document, { preview: true });
  return id;
}
