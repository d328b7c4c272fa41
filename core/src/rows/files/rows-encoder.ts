/** The file formats, their options, and their interface for writers. */
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
  /** A path without an existing file. */
  readonly path: string;
  /** Whether CSV starts with a byte order mark, so that Excel recognizes UTF-8. */
  readonly byteOrderMark: boolean;
}

/** Encodes a format. The outputs of successive calls are concatenated. */
export interface RowsEncoder {
  /** Cells too long for the format. */
  readonly cutCells?: number;
  start(): (string | Uint8Array)[];
  rows(rows: readonly CellRow[]): (string | Uint8Array)[];
  /** The same for packed rows, if the format has a faster path. */
  readonly packed?: (chunk: Chunk) => Uint8Array[];
  /** As a TextWriter's. */
  readonly grow?: (names: readonly string[]) => void;
  end(): (string | Uint8Array)[];
}

export interface FinishedFile {
  readonly sizeBytes: number;
  readonly rowCount: number;
  /** Cells that were too long for the format. */
  readonly cutCells: number;
  /** Columns that arrived after the format had written its header, so the file lacks them. */
  readonly leftOutColumns?: readonly string[];
}
