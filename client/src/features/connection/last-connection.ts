/** Remembers which connection was used, first for the workspace, then for the user. */
import type { Memento } from 'vscode';

const key = 'identityQueries.lastConnection';

export class LastConnection {
  readonly #workspace: Memento;
  readonly #user: Memento;

  constructor(workspace: Memento, user: Memento) {
    this.#workspace = workspace;
    this.#user = user;
  }

  /** The name of the connection, or undefined when there was none or the person left it. */
  get(): string | undefined {
    const value = this.#workspace.get<unknown>(key) ?? this.#user.get<unknown>(key);
    return typeof value === 'string' && value !== '' ? value : undefined;
  }

  async set(name: string | undefined): Promise<void> {
    await this.#workspace.update(key, name ?? '');
    if (name !== undefined) await this.#user.update(key, name);
  }
}
