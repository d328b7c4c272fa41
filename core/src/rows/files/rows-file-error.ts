/** Thrown if a file contains no readable rows. The message states why and where. */
export class RowsFileError extends Error {
  override readonly name = 'RowsFileError';
}
