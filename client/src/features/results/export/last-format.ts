/** The format that rows were exported to last, which is offered first. */
import type * as vscode from 'vscode';
import { fileFormats, type FileFormat } from '#core/rows/files/file-formats.ts';

const stateKey = 'results.lastFormat';

export class LastFormat {
  readonly #state: vscode.Memento;

  constructor(state: vscode.Memento) {
    this.#state = state;
  }

  get value(): FileFormat | undefined {
    const kept = this.#state.get<unknown>(stateKey);
    return fileFormats.find((format) => format === kept);
  }

  keep(format: FileFormat): void {
    void this.#state.update(stateKey, format);
  }
}
