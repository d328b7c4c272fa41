/** Looks up a job by ID, including a colleague's, and shows it as received from the service. */
import * as vscode from 'vscode';
import type { ServiceClient } from '#api/client/client.ts';
import { indentedJson } from '#api/client/json.ts';
import { namingFailure } from '#client/ui/naming-failure.ts';
import { withProgress } from '#client/ui/shown/progress.ts';
import { showInputBox } from '#client/ui/shown/prompts.ts';

/** @param known the ID, if the caller has it; otherwise the user is asked. @returns undefined if no ID was entered. */
export async function openJobById(
  client: ServiceClient,
  known: string | undefined,
): Promise<string | undefined> {
  const given =
    known ??
    (await showInputBox({
      title: vscode.l10n.t('Open Job by ID'),
      prompt: vscode.l10n.t('The ID of a job of the service'),
      validateInput: (text) => (text.trim() === '' ? vscode.l10n.t('Enter an ID.') : undefined),
    }));
  const id = given?.trim();
  if (id === undefined || id === '') return undefined;
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
