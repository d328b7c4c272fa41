/**
 * Streams rows into a file, with bounded memory for any number of rows. Large encoders are loaded lazily. Runs in the
 * worker; the caller chooses the path and decides what happens to the file.
 */
import { open } from 'node:fs/promises';
import type { Chunk } from '../packed-rows.ts';
import { CsvBytes } from './csv-bytes.ts';
import type { FileColumn, FileOptions, FinishedFile, RowsEncoder } from './rows-encoder.ts';
import { createTextWriter } from './serialize.ts';
import type { CellRow, TextFormat } from './text-writer.ts';
import { widenRows } from './widen-rows.ts';

export interface RowsFile {
  write(rows: readonly CellRow[]): Promise<void>;
  /** Writes packed rows. Undefined if the format needs unpacked cells. */
  readonly writePacked?: (chunk: Chunk) => Promise<void>;
  /**
   * Adds columns for later rows.
   * @returns false if the format has already written its header.
   */
  grow(columns: readonly FileColumn[]): boolean;
  finish(): Promise<FinishedFile>;
  /** Closes the file, even if it is incomplete. No-op after `finish`. */
  close(): Promise<void>;
}

export async function openRowsFile(columns: readonly FileColumn[], options: FileOptions): Promise<RowsFile> {
  const encoder = await createRowsEncoder(columns, options);
  const handle = await open(options.path, 'wx', 0o600);
  const names = columns.map(({ name }) => name);
  let sizeBytes = 0;
  let rowCount = 0;
  let isClosed = false;
  const put = async (pieces: readonly (string | Uint8Array)[]) => {
    for (const piece of pieces) {
      if (piece.length === 0) continue;
      const bytes = typeof piece === 'string' ? Buffer.from(piece, 'utf8') : piece;
      await handle.appendFile(bytes);
      sizeBytes += bytes.length;
    }
  };
  const close = async () => {
    if (isClosed) return;
    isClosed = true;
    await handle.close();
  };
  try {
    await put(encoder.start());
  } catch (error) {
    await close();
    throw error;
  }
  const headBytes = sizeBytes;
  const steps: { readonly at: number; readonly columns: number }[] = [];
  const { format, path } = options;
  return {
    write: async (rows) => {
      await put(encoder.rows(rows));
      rowCount += rows.length;
    },
    ...(encoder.packed === undefined
      ? {}
      : {
          writePacked: async (chunk) => {
            await put(encoder.packed?.(chunk) ?? []);
            rowCount += chunk.rowCount;
          },
        }),
    grow: (more) => {
      const isSeparated = format === 'csv' || format === 'tsv';
      if (encoder.grow === undefined && !isSeparated) return false;
      if (isSeparated) steps.push({ at: sizeBytes, columns: names.length });
      for (const { name } of more) names.push(name);
      encoder.grow?.(names);
      return true;
    },
    finish: async () => {
      await put(encoder.end());
      await handle.sync();
      await close();
      if (steps.length > 0 && (format === 'csv' || format === 'tsv'))
        sizeBytes = await widenRows(path, {
          ...{ format, text: options, names, headBytes, steps },
          mark: markOf(options),
        });
      const letters = encoder.lateTexts ?? [];
      if (letters.length > 0)
        sizeBytes = await (
          await import('./excel-texts.ts')
        ).numbersToTexts(path, letters, await import('fflate'));
      return {
        ...{ sizeBytes, rowCount, cutCells: encoder.cutCells ?? 0 },
        oddColumns: encoder.oddColumns ?? [],
      };
    },
    close,
  };
}

/** Creates a format's encoder, including for targets other than files. */
export async function createRowsEncoder(
  columns: readonly FileColumn[],
  options: Omit<FileOptions, 'path'>,
): Promise<RowsEncoder> {
  switch (options.format) {
    case 'xlsx':
      return (await import('./excel.ts')).createExcelEncoder(columns, await import('fflate'));
    case 'parquet':
      return (await import('./parquet/parquet.ts')).createParquetEncoder(
        columns,
        await import('hyparquet-writer'),
      );
    case 'csv':
    case 'tsv':
    case 'json':
    case 'jsonl':
    case 'markdown':
    case 'insert':
      return textEncoder(columns, { ...options, format: options.format });
    default:
      return options.format satisfies never;
  }
}

function textEncoder(
  columns: readonly FileColumn[],
  options: Omit<FileOptions, 'path'> & { readonly format: TextFormat },
): RowsEncoder {
  const writer = createTextWriter(
    columns.map((column) => column.name),
    { ...options, withHeaders: true, keepsNull: true, types: columns.map((column) => column.type) },
  );
  const csv = options.format === 'csv' ? new CsvBytes(options) : undefined;
  return {
    start: () => [markOf(options) + writer.start()],
    rows: (rows) => [writer.rows(rows)],
    ...(csv === undefined ? {} : { packed: (chunk) => [csv.rows(chunk)] }),
    ...(writer.grow === undefined ? {} : { grow: writer.grow }),
    end: () => [writer.end()],
  };
}

function markOf({ format, byteOrderMark }: Pick<FileOptions, 'format' | 'byteOrderMark'>): string {
  return format === 'csv' && byteOrderMark ? '\ufeff' : '';
}
