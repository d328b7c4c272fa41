/**
 * The logger for code that does not depend on the editor's API. Messages contain a verb, the object, times and IDs, but
 * never secrets, SQL, values, headers or bodies.
 */
export interface Logger {
  debug(message: string): void;
  info(message: string): void;
  warn(message: string): void;
  error(message: string): void;
}

export const silentLogger: Logger = {
  debug: () => undefined,
  info: () => undefined,
  warn: () => undefined,
  error: () => undefined,
};
