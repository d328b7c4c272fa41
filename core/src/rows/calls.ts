/** Context of a call on rows, for caller and implementation. */

export interface CallOptions {
  /** Stops the call at its next pause: it rejects with an AbortError. */
  readonly signal?: AbortSignal | undefined;
  /** Rows processed so far. */
  readonly onProgress?: ((rows: number) => void) | undefined;
  /** Why it takes a long time; reported by the source of the rows, not by the operation. */
  readonly onNote?: ((note: string) => void) | undefined;
}

export type Pause = () => Promise<void>;

export interface CallContext {
  /** Yields to other calls; rejects if the call was stopped. */
  readonly pause: Pause;
  readonly progress: (rows: number) => void;
}

/** @param check throws if the call must stop for a reason without a signal. */
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
