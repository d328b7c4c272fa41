/** What is asked of errors that others throw. */

/** What a log line may say of a failure: its message may hold an address, SQL or a value. */
export function errorName(error: unknown): string {
  return error instanceof Error ? error.name : 'error';
}

/** Whether a file or folder was not there. */
export function isMissingFile(error: unknown): boolean {
  return error instanceof Error && 'code' in error && error.code === 'ENOENT';
}
