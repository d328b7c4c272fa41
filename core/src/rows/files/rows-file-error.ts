/** A file does not hold rows that can be read: why, and where. */
export class RowsFileError extends Error {
  override readonly name = 'RowsFileError';
}
