/** Helpers for unknown errors. */

/** Returns the part of an error that can be logged. The message may contain an address, SQL or a value. */
export function errorName(error: unknown): string {
  return error instanceof Error ? error.name : 'error';
}

/** The message may contain an address, SQL or a value. */
export function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}

/** Returns whether the error means that a file or folder is missing. */
export function isMissingFile(error: unknown): boolean {
  return error instanceof Error && 'code' in error && error.code === 'ENOENT';
}

/** Returns whether a path leads nowhere: something on it is missing, or no folder. */
export function isMissingPath(error: unknown): boolean {
  return isMissingFile(error) || (error instanceof Error && 'code' in error && error.code === 'ENOTDIR');
}
