/** Options and context of a call that processes rows. */

export interface CallOptions {
  /** Stops the call at its next pause. The call then rejects with an AbortError. */
  readonly signal?: AbortSignal | undefined;
  /** Called with the number of rows processed so far. */
  readonly onProgress?: ((rows: number) => void) | undefined;
  /** Called with the reason for a delay. The row source, not the operation, reports delays. */
  readonly onNote?: ((note: string) => void) | undefined;
}

export type Pause = () => Promise<void>;

export interface CallContext {
  /** Yields to other calls. Rejects if the call was stopped. */
  readonly pause: Pause;
  readonly progress: (rows: number) => void;
}

/** @param check throws if the call must stop for a reason other than `signal`. */
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
