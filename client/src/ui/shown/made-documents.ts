/** Read-only documents with texts that are made here, kept while they are open. */
import * as vscode from 'vscode';
import { DisposableStore } from '#base/disposables.ts';
import { forFileName } from '#base/shown-text/for-places.ts';
import { registerTextDocumentContentProvider } from './content-providers.ts';

export class MadeDocuments implements vscode.TextDocumentContentProvider, vscode.Disposable {
  readonly #scheme: string;
  readonly #goneText: () => string;
  readonly #disposables = new DisposableStore();
  readonly #changed = this.#disposables.add(new vscode.EventEmitter<vscode.Uri>());
  readonly #texts = new Map<string, string>();
  #count = 0;

  readonly onDidChange = this.#changed.event;

  /** @param goneText the text of a document of an earlier window; it may throw instead. */
  constructor(scheme: string, goneText: () => string) {
    this.#scheme = scheme;
    this.#goneText = goneText;
    this.#disposables.add(registerTextDocumentContentProvider(scheme, this));
    this.#disposables.add(
      vscode.workspace.onDidCloseTextDocument(({ uri }) => {
        if (uri.scheme === scheme) this.#texts.delete(uri.toString());
      }),
    );
  }

  provideTextDocumentContent(uri: vscode.Uri): string {
    return this.#texts.get(uri.toString()) ?? this.#goneText();
  }

  /** @param name name of the document, with its extension. */
  add(name: string, text: string): vscode.Uri {
    this.#count += 1;
    const path = `/${this.#count}/${forFileName(name).replace(/[/\\]/g, '-')}`;
    const uri = vscode.Uri.from({ scheme: this.#scheme, path });
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
