/** Shows that the language server has stopped and will not be restarted, until it runs again. */
import * as vscode from 'vscode';
import { DisposableStore, type DisposableLike } from '#base/disposables.ts';
import { commands } from '#client/contributions.ts';
import { showErrorMessage } from '#client/ui/shown/notifications.ts';
import { createLanguageStatusItem } from '#client/ui/shown/status-items.ts';
import { languageId } from '#server/protocol.ts';

/** Shows a notification once, and an entry in the language status until the server is back. */
export class GoneServer implements DisposableLike {
  readonly #shown = new DisposableStore();
  #item: vscode.LanguageStatusItem | undefined;

  tell(): void {
    if (this.#item !== undefined) return;
    const item = createLanguageStatusItem('identityQueries.serverStatus', { language: languageId });
    this.#item = this.#shown.add(item);
    item.name = vscode.l10n.t('Language Server');
    item.severity = vscode.LanguageStatusSeverity.Error;
    item.text = vscode.l10n.t('Language server stopped');
    item.detail = vscode.l10n.t('queries are not checked');
    item.command = { command: commands.languageRestart, title: vscode.l10n.t('Restart') };
    void this.#offerRestart();
  }

  isBack(): void {
    this.#item?.dispose();
    this.#item = undefined;
  }

  dispose(): void {
    this.#shown.dispose();
  }

  async #offerRestart(): Promise<void> {
    const restart = vscode.l10n.t('Restart Language Server');
    const showLog = vscode.l10n.t('Show Log');
    const chosen = await showErrorMessage(
      vscode.l10n.t(
        'The language server of Identity Queries stopped. Restart it to get checks and completion back.',
      ),
      restart,
      showLog,
    );
    // The commands report their own failures.
    if (chosen === restart) await vscode.commands.executeCommand(commands.languageRestart);
    if (chosen === showLog) await vscode.commands.executeCommand(commands.logShow);
  }
}
