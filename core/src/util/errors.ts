/** Predicates for foreign errors. */

/** The loggable part of a failure: its message may contain an address, SQL or a value. */
export function errorName(error: unknown): string {
  return error instanceof Error ? error.name : 'error';
}

/** Whether a file or folder was missing. */
export function isMissingFile(error: unknown): boolean {
  return error instanceof Error && 'code' in error && error.code === 'ENOENT';
}
