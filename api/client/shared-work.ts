/** Work that several callers wait for at once: one of them does it. */
import { unlessAborted } from './abort.ts';
import { UserAbort } from './errors.ts';

export class SharedWork<Done> {
  #running: Promise<Done> | undefined;

  /** Does the work, or waits for who does it; does it after all where that one was stopped by its own caller. */
  async done(work: () => Promise<Done>, signal: AbortSignal | undefined): Promise<Done> {
    for (;;) {
      const running = this.#running;
      if (running === undefined) {
        this.#running = work().finally(() => (this.#running = undefined));
        return await this.#running;
      }
      try {
        return await unlessAborted(running, signal);
      } catch (error) {
        if (!(error instanceof UserAbort) || signal?.aborted === true) throw error;
      }
    }
  }
}
