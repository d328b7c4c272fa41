/** The format and the folder that rows were exported to last, which are offered first. */
import * as vscode from 'vscode';
import { formatChoices, type FormatChoice } from '#core/rows/files/file-formats.ts';

const stateKey = 'results.lastFormat';
const folderKey = 'results.lastFolder';

export class LastFormat {
  readonly #state: vscode.Memento;

  constructor(state: vscode.Memento) {
    this.#state = state;
  }

  get value(): FormatChoice | undefined {
    const kept = this.#state.get<unknown>(stateKey);
    return formatChoices.find((choice) => choice === kept);
  }

  get folder(): vscode.Uri | undefined {
    const kept = this.#state.get<unknown>(folderKey);
    return typeof kept === 'string' ? vscode.Uri.file(kept) : undefined;
  }

  keep(choice: FormatChoice, file: vscode.Uri): void {
    void this.#state.update(stateKey, choice);
    if (file.scheme === 'file') void this.#state.update(folderKey, vscode.Uri.joinPath(file, '..').fsPath);
  }
}
