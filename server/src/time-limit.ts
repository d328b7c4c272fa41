/** Ends work in this thread that takes too long, wherever in it that is: nobody else is answered meanwhile. */
import { createContext, Script } from 'node:vm';

export class TooSlowError extends Error {
  constructor(limitMs: number) {
    super(`ended after ${limitMs} ms`);
    this.name = 'TooSlowError';
  }
}

/** Does the work, or throws TooSlowError. Work that is ended runs no `finally`: what it changes must be its own. */
export type WithinTime = <T>(limitMs: number, work: () => T) => T;

export function createTimeLimit(): WithinTime {
  const context = createContext({ work: (): unknown => undefined });
  // The engine itself interrupts what a script calls, in any loop and any regular expression.
  const script = new Script('work()');
  return <T>(limitMs: number, work: () => T): T => {
    context['work'] = work;
    try {
      return script.runInContext(context, { timeout: limitMs }) as T; // what `work` returned
    } catch (error) {
      throw isTimeout(error) ? new TooSlowError(limitMs) : error;
    } finally {
      context['work'] = undefined;
    }
  };
}

/** The engine's own error belongs to the other context, and is no `Error` of this one. */
function isTimeout(error: unknown): boolean {
  return (
    typeof error === 'object' &&
    error !== null &&
    'code' in error &&
    error.code === 'ERR_SCRIPT_EXECUTION_TIMEOUT'
  );
}
