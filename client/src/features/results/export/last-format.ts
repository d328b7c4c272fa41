/** The format that rows were exported to last, which is offered first. */
import type * as vscode from 'vscode';
import { formatChoices, type FormatChoice } from '#core/rows/files/file-formats.ts';

const stateKey = 'results.lastFormat';

export class LastFormat {
  readonly #state: vscode.Memento;

  constructor(state: vscode.Memento) {
    this.#state = state;
  }

  get value(): FormatChoice | undefined {
    const kept = this.#state.get<unknown>(stateKey);
    return formatChoices.find((choice) => choice === kept);
  }

  keep(choice: FormatChoice): void {
    void this.#state.update(stateKey, choice);
  }
}
