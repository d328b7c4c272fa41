/** What a call on rows is given by whoever makes it, and by whoever carries it out. */

export interface CallOptions {
  /** Stops the call at its next pause: it rejects with an AbortError. */
  readonly signal?: AbortSignal | undefined;
  /** Rows that are done. */
  readonly onProgress?: ((rows: number) => void) | undefined;
  /** Why it takes its time; said of the source of the rows, not of what is done with them. */
  readonly onNote?: ((note: string) => void) | undefined;
}

export type Pause = () => Promise<void>;

export interface CallContext {
  /** Lets others be answered; rejects when the call was stopped. */
  readonly pause: Pause;
  readonly progress: (rows: number) => void;
}

/** @param check throws where the call is not to go on, for a reason that no signal tells. */
export function contextOf(
  { signal, onProgress = () => undefined }: Pick<CallOptions, 'signal' | 'onProgress'> = {},
  check: () => void = () => undefined,
): CallContext {
  return {
    pause: async () => {
      await new Promise((resolve) => setImmediate(resolve));
      check();
      signal?.throwIfAborted();
    },
    progress: onProgress,
  };
}
