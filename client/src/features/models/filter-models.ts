/** Filters the Models view while the user types; Escape restores the previous filter. */
import * as vscode from 'vscode';
import { DisposableStore } from '#base/disposables.ts';
import { createInputBox } from '#client/ui/shown/prompts.ts';

/** @param apply filters the view by a string's words; '' clears the filter. */
export async function askFilter(current: string, apply: (text: string) => void): Promise<void> {
  const disposables = new DisposableStore();
  const input = disposables.add(createInputBox());
  try {
    input.title = vscode.l10n.t('Filter Models');
    input.prompt = vscode.l10n.t(
      'Show rows whose name, table or model contains every word. Leave empty to show all.',
    );
    input.placeholder = vscode.l10n.t('accounts mail');
    input.value = current;
    await new Promise<void>((resolve) => {
      let isAccepted = false;
      disposables.add(input.onDidChangeValue(apply));
      disposables.add(
        input.onDidAccept(() => {
          isAccepted = true;
          input.hide();
        }),
      );
      disposables.add(
        input.onDidHide(() => {
          if (!isAccepted) apply(current);
          resolve();
        }),
      );
      input.show();
    });
  } finally {
    disposables.dispose();
  }
}
