/** What code below the editor API needs of a log. Lines hold a verb, the thing, times and ids; never secrets, SQL or values. */
export interface Logger {
  debug(message: string): void;
  info(message: string): void;
  warn(message: string): void;
  error(message: string): void;
}
