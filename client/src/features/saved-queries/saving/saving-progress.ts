/** The progress of a save in the status bar. The editor shows it after a moment, so quick saves show none. */
import * as vscode from 'vscode';
import { withProgress } from '#client/ui/shown/progress.ts';

export async function whileSaving<T>(name: string, work: () => Promise<T>): Promise<T> {
  return await withProgress(
    { location: vscode.ProgressLocation.Window, title: vscode.l10n.t('Saving "{0}"...', name) },
    work,
  );
}
