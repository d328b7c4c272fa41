/** Thrown if a file contains no readable rows. The message states the reason and the place. */
export class RowsFileError extends Error {
  override readonly name = 'RowsFileError';
}
