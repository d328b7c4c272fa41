/** Read-only documents for evidence reports and for statements that are run again; kept while open. */
import * as vscode from 'vscode';
import { DisposableStore } from '#base/disposables.ts';
import { forFileName } from '#base/shown-text/for-places.ts';
import { registerTextDocumentContentProvider } from '#client/ui/shown/content-providers.ts';

const scheme = 'identity-query-evidence';

export class EvidenceDocuments implements vscode.TextDocumentContentProvider, vscode.Disposable {
  readonly #disposables = new DisposableStore();
  readonly #changed = this.#disposables.add(new vscode.EventEmitter<vscode.Uri>());
  readonly #texts = new Map<string, string>();
  #count = 0;

  readonly onDidChange = this.#changed.event;

  constructor() {
    this.#disposables.add(registerTextDocumentContentProvider(scheme, this));
    this.#disposables.add(
      vscode.workspace.onDidCloseTextDocument(({ uri }) => {
        if (uri.scheme === scheme) this.#texts.delete(uri.toString());
      }),
    );
  }

  provideTextDocumentContent(uri: vscode.Uri): string {
    const text = this.#texts.get(uri.toString());
    if (text === undefined)
      throw new Error(vscode.l10n.t('This report is no longer available. Verify the evidence again.'));
    return text;
  }

  /** @param name name of the document, with its extension. */
  add(name: string, text: string): vscode.Uri {
    this.#count += 1;
    const uri = vscode.Uri.from({
      scheme,
      path: `/${this.#count}/${forFileName(name).replace(/[/\\]/g, '-')}`,
    });
    this.#texts.set(uri.toString(), text);
    return uri;
  }

  change(uri: vscode.Uri, text: string): void {
    this.#texts.set(uri.toString(), text);
    this.#changed.fire(uri);
  }

  dispose(): void {
    this.#disposables.dispose();
  }
}
