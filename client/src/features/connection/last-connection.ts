/** Remembers which connection was used, first for the workspace, then for the user. */
import type { Memento } from 'vscode';
import type { ConnectionProfile } from '../../../../core/src/connections/connection-profile.ts';

const key = 'identityQueries.lastConnection';
/** The last one that is not the sandbox: what to switch back to. */
const realKey = 'identityQueries.lastRealConnection';
/** Stands for the sandbox, whatever it is called in the language of the editor. */
const sandbox = '\u0000sandbox';

export type Remembered = { readonly kind: 'sandbox' } | { readonly kind: 'named'; readonly name: string };

export class LastConnection {
  readonly #workspace: Memento;
  readonly #user: Memento;

  constructor(workspace: Memento, user: Memento) {
    this.#workspace = workspace;
    this.#user = user;
  }

  /** Undefined when there was none or the person left it. */
  get(): Remembered | undefined {
    const value = this.#workspace.get<unknown>(key) ?? this.#user.get<unknown>(key);
    if (typeof value !== 'string' || value === '') return undefined;
    return value === sandbox ? { kind: 'sandbox' } : { kind: 'named', name: value };
  }

  /** The name of the last connection that was not the sandbox. */
  get real(): string | undefined {
    const value = this.#workspace.get<unknown>(realKey) ?? this.#user.get<unknown>(realKey);
    return typeof value === 'string' ? value : undefined;
  }

  /** A connection of the process environment is not remembered: it is there, or it is not. */
  async set(profile: ConnectionProfile | undefined): Promise<void> {
    const value =
      profile?.source === 'sandbox' ? sandbox : profile?.source === 'settings' ? profile.name : '';
    await this.#workspace.update(key, value);
    if (value !== '') await this.#user.update(key, value);
    if (profile !== undefined && profile.source !== 'sandbox') {
      await this.#workspace.update(realKey, profile.name);
      await this.#user.update(realKey, profile.name);
    }
  }
}
