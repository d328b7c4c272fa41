/** Writes the audit record of a confirmation to a file that the user chooses. */
import path from 'node:path';
import * as vscode from 'vscode';
import { showInformationMessage } from '#client/ui/shown/notifications.ts';
import { writeChosenFile } from '#client/ui/write-target.ts';
import { auditJson, auditMarkdown } from '#core/changes/audit-record.ts';
import type { Confirmation } from '#core/changes/change.ts';
import { operationWords, stateWords } from './change-labels.ts';

export async function exportAudit(
  confirmation: Confirmation,
  target: vscode.Uri | undefined,
): Promise<vscode.Uri | undefined> {
  const uri = target ?? (await chooseFile(confirmation));
  if (uri === undefined) return undefined;
  const text =
    path.posix.extname(uri.path) === '.md'
      ? auditMarkdown(confirmation, {
          title: operationWords(confirmation.kind).title,
          state: (state) => stateWords(state).text,
        })
      : auditJson(confirmation);
  await writeChosenFile(uri, new TextEncoder().encode(text));
  const open = vscode.l10n.t('Open');
  void showInformationMessage(
    vscode.l10n.t('The audit record is in {0}.', path.posix.basename(uri.path)),
    open,
  ).then((chosen) => {
    if (chosen === open) void vscode.commands.executeCommand('vscode.open', uri);
  });
  return uri;
}

async function chooseFile(confirmation: Confirmation): Promise<vscode.Uri | undefined> {
  const folder = vscode.workspace.workspaceFolders?.[0]?.uri;
  const day = new Date(confirmation.confirmedAt).toISOString().slice(0, 10);
  const name = `${confirmation.kind}-${day}.json`;
  return await vscode.window.showSaveDialog({
    title: vscode.l10n.t('Export Audit Record'),
    filters: { JSON: ['json'], Markdown: ['md'] },
    ...(folder === undefined ? {} : { defaultUri: vscode.Uri.joinPath(folder, name) }),
  });
}
