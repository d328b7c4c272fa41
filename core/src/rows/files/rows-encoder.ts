/** Options of file formats, and the interface of their encoders. */
import type { ColumnKind } from '../column-kind.ts';
import type { Chunk } from '../packed-rows.ts';
import type { FileFormat } from './file-formats.ts';
import type { CellRow, TextOptions } from './text-writer.ts';

export interface FileColumn {
  readonly name: string;
  /** PostgreSQL's name for the type. */
  readonly type: string;
  readonly kind: ColumnKind;
}

export interface FileOptions extends Omit<TextOptions, 'format' | 'withHeaders'> {
  readonly format: FileFormat;
  /** A path at which no file exists. */
  readonly path: string;
  /** Whether CSV starts with a byte order mark, so that Excel recognizes UTF-8. */
  readonly byteOrderMark: boolean;
}

/** A column with values that are none of its type, which are texts in another column of the file. */
export interface OddColumn {
  readonly name: string;
  readonly texts: string;
}

/** Encodes rows in a file format. The outputs of successive calls are concatenated. */
export interface RowsEncoder {
  /** Number of cells truncated because they were too long for the format. */
  readonly cutCells?: number;
  readonly oddColumns?: readonly OddColumn[];
  /** Letters of the columns whose numbers must become text, although rows with some are already written. */
  readonly lateTexts?: readonly string[];
  start(): (string | Uint8Array)[];
  rows(rows: readonly CellRow[]): (string | Uint8Array)[];
  /** Like `rows`, for packed rows. Undefined if the format has no faster path. */
  readonly packed?: (chunk: Chunk) => Uint8Array[];
  /** Sets the columns of later rows; see `TextWriter.grow`. */
  readonly grow?: (names: readonly string[]) => void;
  end(): (string | Uint8Array)[];
}

export interface FinishedFile {
  readonly sizeBytes: number;
  readonly rowCount: number;
  /** Number of cells truncated because they were too long for the format. */
  readonly cutCells: number;
  readonly oddColumns?: readonly OddColumn[];
  /** Names of columns missing from the file, since they arrived after the header was written. */
  readonly leftOutColumns?: readonly string[];
}
