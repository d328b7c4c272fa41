/** Client secrets: in the editor's secret storage, and nowhere else. */
import type { SecretStorage } from 'vscode';
import { secretKeyOf, type ConnectionProfile } from './connection-profile.ts';

export class SecretStore {
  readonly #storage: SecretStorage;
  /** Secrets that last as long as the window: of the sandbox and of the process environment. */
  readonly #transient = new Map<string, string>();

  constructor(storage: SecretStorage) {
    this.#storage = storage;
  }

  async get(profile: ConnectionProfile): Promise<string | undefined> {
    const key = secretKeyOf(profile);
    return this.#transient.get(key) ?? (await this.#storage.get(key));
  }

  async set(profile: ConnectionProfile, secret: string): Promise<void> {
    await this.#storage.store(secretKeyOf(profile), secret);
  }

  async delete(profile: ConnectionProfile): Promise<void> {
    await this.#storage.delete(secretKeyOf(profile));
  }

  /** Keeps a secret in memory only. */
  setTransient(profile: ConnectionProfile, secret: string): void {
    this.#transient.set(secretKeyOf(profile), secret);
  }
}
