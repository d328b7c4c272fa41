/**
 * Keeps query text out of the editor's log when a handler fails. Error messages quote the text, so only an error's name
 * and stack frames are logged.
 */
import { ResponseError, type RemoteConsole } from 'vscode-languageserver/node';
import { stackOf } from '#base/shown-text/stack-of.ts';

export interface Guard {
  /**
   * Returns the handler's result, or null if the handler failed. Rethrows a ResponseError, which is a deliberate
   * response.
   */
  <T>(what: string, answer: () => Promise<T>): Promise<T | null>;
  <T>(what: string, answer: () => T): T | null;
}

export function createGuard(console: RemoteConsole): Guard {
  const failed = (what: string, error: unknown): null => {
    if (error instanceof ResponseError) throw error;
    console.error(`${what} failed: ${stackOf(error)}`);
    return null;
  };
  return <T>(what: string, answer: () => T): T | null => {
    try {
      const result = answer();
      return result instanceof Promise
        ? (result.catch((error: unknown) => failed(what, error)) as T) // T is a promise here, and may resolve to null
        : result;
    } catch (error) {
      return failed(what, error);
    }
  };
}
