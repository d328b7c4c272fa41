/** Interrupts long-running synchronous work in this thread, which would block all other responses. */
import { createContext, Script } from 'node:vm';

export class TooSlowError extends Error {
  constructor(limitMs: number) {
    super(`ended after ${limitMs} ms`);
    this.name = 'TooSlowError';
  }
}

/**
 * Returns the result of the work, or throws TooSlowError after the timeout. Interrupted work does not run its `finally`
 * blocks, so it must change only its own state.
 */
export type WithinTime = <T>(limitMs: number, work: () => T) => T;

export function createTimeLimit(): WithinTime {
  const context = createContext({ work: (): unknown => undefined });
  // The engine can interrupt any loop or regular expression inside this script.
  const script = new Script('work()');
  return <T>(limitMs: number, work: () => T): T => {
    context['work'] = work;
    try {
      return script.runInContext(context, { timeout: limitMs }) as T; // the return value of `work`
    } catch (error) {
      throw isTimeout(error) ? new TooSlowError(limitMs) : error;
    } finally {
      context['work'] = undefined;
    }
  };
}

/** The error was created in the other context, so it is not an instance of this context's `Error`. */
function isTimeout(error: unknown): boolean {
  return (
    typeof error === 'object' &&
    error !== null &&
    'code' in error &&
    error.code === 'ERR_SCRIPT_EXECUTION_TIMEOUT'
  );
}
