/**
 * Keeps one language server running. A server that exits is restarted, unless it exits too often: the user is then
 * notified and can restart it. Each start uses a new client, because the library's own restarts show messages without
 * actions and may leave an unusable client behind.
 */
import type { LanguageClient } from 'vscode-languageclient/node';
import type { DisposableLike } from '#base/disposables.ts';
import type { Logger } from '#base/logger.ts';
import { CrashCount } from './crash-count.ts';
import type { GoneServer } from './gone-server.ts';

export interface ServerLifeDependencies {
  /**
   * Creates a client without starting it. @param onEnded called when its server has exited and the client is unusable.
   */
  readonly create: (onEnded: () => void) => Promise<LanguageClient>;
  /** Sends a restarted server the state of the previous one. */
  readonly tellAgain: (client: LanguageClient) => Promise<void>;
  readonly gone: GoneServer;
  readonly log: Logger;
}

const stopTimeoutMs = 2_000;

export class ServerLife implements DisposableLike {
  readonly #deps: ServerLifeDependencies;
  #crashes = new CrashCount();
  #isStopped = false;
  #client: Promise<LanguageClient>;

  constructor(deps: ServerLifeDependencies) {
    this.#deps = deps;
    this.#client = this.#start({ isAgain: false });
  }

  /** Returns the current client: resolves when its server responds, rejects if it fails to start. */
  get client(): Promise<LanguageClient> {
    return this.#client;
  }

  async restart(): Promise<void> {
    await this.#end();
    this.#crashes = new CrashCount();
    this.#client = this.#start({ isAgain: true });
    await this.#client;
  }

  /** Stops the server within two seconds. */
  async dispose(): Promise<void> {
    this.#isStopped = true;
    await this.#end();
  }

  #start(how: { readonly isAgain: boolean }): Promise<LanguageClient> {
    const starting = this.#started(how);
    starting.catch((error: unknown) => {
      this.#deps.log.error(
        `language server did not start: ${error instanceof Error ? error.message : String(error)}`,
      );
    });
    return starting;
  }

  async #started({ isAgain }: { readonly isAgain: boolean }): Promise<LanguageClient> {
    const { create, tellAgain, gone } = this.#deps;
    let isOver = false;
    // A server that exits while starting is reported twice.
    const end = () => {
      if (!isOver) this.#goOn();
      isOver = true;
    };
    try {
      const client = await create(end);
      await client.start();
      gone.isBack();
      if (isAgain) await tellAgain(client);
      return client;
    } catch (error) {
      end();
      throw error;
    }
  }

  /** Called when the server process has exited unexpectedly. */
  #goOn(): void {
    if (this.#isStopped) return;
    if (this.#crashes.isTooMany(performance.now())) this.#deps.gone.tell();
    else this.#client = this.#start({ isAgain: true });
  }

  async #end(): Promise<void> {
    // A failed start was already logged and does not need to be stopped.
    const client = await this.#client.catch(() => undefined);
    try {
      await client?.dispose(stopTimeoutMs);
    } catch (error) {
      this.#deps.log.warn(
        `language server did not stop: ${error instanceof Error ? error.name : typeof error}`,
      );
    }
  }
}
