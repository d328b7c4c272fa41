/** Code lenses that come before those of other providers on the same line. */
import * as vscode from 'vscode';
import { savedQueryScheme } from '#server/protocol.ts';

export class LeadingLenses implements vscode.Disposable {
  readonly #lensesOf: (document: vscode.TextDocument) => vscode.CodeLens[];
  #registered: vscode.Disposable | undefined;

  constructor(lensesOf: (document: vscode.TextDocument) => vscode.CodeLens[]) {
    this.#lensesOf = lensesOf;
    this.refresh();
  }

  /** Registers the provider again, since the editor puts the latest one first. */
  refresh(): void {
    this.#registered?.dispose();
    this.#registered = vscode.languages.registerCodeLensProvider(
      { scheme: savedQueryScheme },
      { provideCodeLenses: (document) => this.#lensesOf(document) },
    );
  }

  dispose(): void {
    this.#registered?.dispose();
  }
}
