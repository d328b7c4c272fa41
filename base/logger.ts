/**
 * The logger for code that does not depend on the editor's API. Messages contain a verb, the object, times and IDs, but
 * never secrets, SQL or values.
 */
export interface Logger {
  debug(message: string): void;
  info(message: string): void;
  warn(message: string): void;
  error(message: string): void;
}
