/**
 * Keeps query text out of the editor's log when a handler fails: only the name and stack frames of an error are logged,
 * since messages quote the text.
 */
import { ResponseError, type RemoteConsole } from 'vscode-languageserver/node';
import { stackOf } from '../../core/src/shown-text/stack-of.ts';

export interface Guard {
  /** The handler's result; null if it failed. An error meant as a response passes. */
  <T>(what: string, answer: () => Promise<T>): Promise<T | null>;
  <T>(what: string, answer: () => T): T | null;
}

export function createGuard(console: RemoteConsole): Guard {
  const failed = (what: string, error: unknown): null => {
    if (error instanceof ResponseError) {
      throw error;
    }
    console.error(`${what} failed: ${stackOf(error)}`);
    return null;
  };
  return <T>(what: string, answer: () => T): T | null => {
    try {
      const result = answer();
      return result instanceof Promise
        ? (result.catch((error: unknown) => failed(what, error)) as T) // T is a promise here, whose value may be null
        : result;
    } catch (error) {
      return failed(what, error);
    }
  };
}
