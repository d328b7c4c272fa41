/** A file does not contain readable rows: the reason and the place. */
export class RowsFileError extends Error {
  override readonly name = 'RowsFileError';
}
