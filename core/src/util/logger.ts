/**
 * The logger for code below the editor API. Lines contain a verb, the object, times and IDs; never secrets, SQL or
 * values.
 */
export interface Logger {
  debug(message: string): void;
  info(message: string): void;
  warn(message: string): void;
  error(message: string): void;
}
