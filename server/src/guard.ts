/**
 * Keeps what goes wrong inside a handler from the editor's log as far as it could tell of the text: of an error only
 * its name and its stack's frames are logged, since messages quote what was being read.
 */
import { ResponseError, type RemoteConsole } from 'vscode-languageserver/node';

/** An error's name and frames, without its message. */
export function describeError(error: unknown): string {
  if (!(error instanceof Error)) {
    return typeof error;
  }
  const { stack = '', message } = error;
  // The message comes first, and a line of it may look like a frame.
  const at = message === '' ? -1 : stack.indexOf(message);
  const frames = (at < 0 ? stack : stack.slice(at + message.length))
    .split('\n')
    .filter((line) => /^\s+at /.test(line));
  return [error.name, ...frames].join('\n');
}

export interface Guard {
  /** What the handler answers; null where it failed. An error meant as an answer passes. */
  <T>(what: string, answer: () => Promise<T>): Promise<T | null>;
  <T>(what: string, answer: () => T): T | null;
}

export function createGuard(console: RemoteConsole): Guard {
  const failed = (what: string, error: unknown): null => {
    if (error instanceof ResponseError) {
      throw error;
    }
    console.error(`${what} failed: ${describeError(error)}`);
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
