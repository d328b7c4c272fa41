/** Which collections the service of the current connection has: one over a database says it, others have all. */
import type { ServiceClient } from '#api/client/client.ts';
import { errorName } from '#base/errors.ts';
import type { Logger } from '#base/logger.ts';

export class ServedCollections {
  readonly #log: Logger;
  readonly #onChange: (names: ReadonlySet<string> | undefined) => void;
  #client: ServiceClient | undefined;
  #isAsked = false;

  /** @param onChange called with undefined if all may exist */
  constructor(log: Logger, onChange: (names: ReadonlySet<string> | undefined) => void) {
    this.#log = log;
    this.#onChange = onChange;
  }

  /** Asks each client once, and again if that failed. Never rejects. */
  async follow(client: ServiceClient | undefined): Promise<void> {
    if (client !== this.#client) {
      this.#client = client;
      this.#isAsked = false;
      this.#onChange(undefined);
    }
    if (client === undefined || this.#isAsked) return;
    this.#isAsked = true;
    try {
      const server = await client.models.server();
      if (client === this.#client && server !== undefined) this.#onChange(new Set(server.collections));
    } catch (error) {
      this.#log.warn(`the collections of the service were not read: ${errorName(error)}`);
      if (client === this.#client) this.#isAsked = false;
    }
  }
}
