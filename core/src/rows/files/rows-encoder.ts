/** The formats of files, what they are told, and what each of them is for whoever writes rows. */
import type { FileFormat } from './file-formats.ts';
import type { ColumnKind } from '../column-kind.ts';
import type { Chunk } from '../packed-rows.ts';
import type { CellRow, TextOptions } from './text-writer.ts';

export interface FileColumn {
  readonly name: string;
  /** PostgreSQL's name of the type. */
  readonly type: string;
  readonly kind: ColumnKind;
}

export interface FileOptions extends Omit<TextOptions, 'format' | 'withHeaders'> {
  readonly format: FileFormat;
  /** A path where nothing is yet. */
  readonly path: string;
  /** Whether CSV begins with a byte order mark, by which Excel knows UTF-8. */
  readonly byteOrderMark: boolean;
}

/** Makes the bytes of a format. What each call answers follows on what earlier ones answered. */
export interface RowsEncoder {
  /** Cells whose text the format cannot hold whole. */
  readonly cutCells?: number;
  start(): (string | Uint8Array)[];
  rows(rows: readonly CellRow[]): (string | Uint8Array)[];
  /** The same for packed rows, where the format takes them faster so. */
  readonly packed?: (chunk: Chunk) => Uint8Array[];
  /** As a TextWriter's. */
  readonly grow?: (names: readonly string[]) => void;
  end(): (string | Uint8Array)[];
}

export interface FinishedFile {
  readonly sizeBytes: number;
  readonly rowCount: number;
  /** Cells whose text the format could not hold whole. */
  readonly cutCells: number;
  /** Columns that came after the format had written its columns, so that the file does not hold them. */
  readonly leftOutColumns?: readonly string[];
}
