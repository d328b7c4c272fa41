/** Stores the user's answers about connections from this workspace's folders, in a place that no folder can change. */
import * as vscode from 'vscode';
import { DisposableStore, type DisposableLike } from '#base/disposables.ts';
import type { FolderAnswer } from '#core/connections/connection-profile.ts';

const storedUnder = 'identityQueries.folderAnswers';
/** Maximum number of answers. Each change to an entry needs a new answer; answers for earlier versions are dropped. */
const maxAnswers = 200;

export class FolderAnswers implements DisposableLike {
  readonly #memento: vscode.Memento;
  readonly #disposables = new DisposableStore();
  readonly #onDidChange = this.#disposables.add(new vscode.EventEmitter<void>());

  readonly onDidChange = this.#onDidChange.event;

  /** @param memento the workspace state, since the same path on another machine is a different folder. */
  constructor(memento: vscode.Memento) {
    this.#memento = memento;
  }

  of(digest: string): FolderAnswer | undefined {
    return this.#read().findLast(([known]) => known === digest)?.[1];
  }

  async set(digest: string, answer: FolderAnswer): Promise<void> {
    const others = this.#read().filter(([known]) => known !== digest);
    await this.#memento.update(storedUnder, [...others, [digest, answer]].slice(-maxAnswers));
    this.#onDidChange.fire();
  }

  dispose(): void {
    this.#disposables.dispose();
  }

  #read(): readonly (readonly [digest: string, answer: FolderAnswer])[] {
    const value = this.#memento.get<unknown>(storedUnder);
    return Array.isArray(value) ? value.filter(isAnswer) : [];
  }
}

function isAnswer(value: unknown): value is [string, FolderAnswer] {
  return (
    Array.isArray(value) &&
    value.length === 2 &&
    typeof value[0] === 'string' &&
    (value[1] === 'allowed' || value[1] === 'refused')
  );
}
