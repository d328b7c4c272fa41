/** Target for a run's rows: a file, or standard output, as a table or in a file format. */
import type { Writable } from 'node:stream';
import { linesForTerminal } from '#base/shown-text/for-terminal.ts';
import { packingOf } from '#core/rows/chunk.ts';
import { columnKindOf } from '#core/rows/column-kind.ts';
import type { FileFormat } from '#core/rows/files/file-formats.ts';
import { batchesOf, fileColumnsOf } from '#core/rows/files/file-store.ts';
import type { FileOptions, OddColumn } from '#core/rows/files/rows-encoder.ts';
import { createRowsEncoder } from '#core/rows/files/rows-file.ts';
import { packed } from '#core/rows/page-rows.ts';
import type { FileData, ResultDataFactory } from '#core/rows/result-data-factory.ts';
import type { StoreColumn } from '#core/rows/rows.ts';
import type { RowsTarget } from '#core/runs/piped-writer.ts';
import { CliError } from '../context.ts';
import { isTerminal, write } from '../output.ts';
import { TextTable } from '../terminal/text-table.ts';

/** A later page has columns that the rows already written lack. */
export class GrownColumnsError extends CliError {
  constructor(columns: readonly StoreColumn[]) {
    const names = columns.map(({ name }) => name).join(', ');
    super(
      `A later page has further columns: ${names}. Use --format jsonl, or --out with a .csv or .tsv file, which can hold them.`,
    );
    this.name = 'GrownColumnsError';
  }
}

export interface ClosedTarget {
  /** Number of cells that were too long for the format. */
  readonly cutCells: number;
  readonly oddColumns?: readonly OddColumn[];
}

export interface FinishingTarget extends RowsTarget {
  /** Whether rows are kept for comparison instead of being released after writing. */
  readonly keepsRows?: true;
  finish(): Promise<ClosedTarget>;
  /** Closes an unfinished target; harmless after `finish`. */
  close(): Promise<void>;
}

/** @param options.nullText the text for NULL in CSV, tab-separated values and Markdown. */
export interface FormatOptions {
  readonly format: FileFormat;
  readonly nullText: string;
  readonly guardFormulas: boolean;
  readonly tableName: string;
  readonly byteOrderMark: boolean;
}

/** Writes a file in a worker, so that reading and writing run in parallel. */
export function fileTarget(
  path: string,
  options: FormatOptions,
  factory: ResultDataFactory,
): FinishingTarget {
  let file: FileData | undefined;
  const fileOptions: FileOptions = { ...options, path };
  return {
    async open(columns) {
      file = await factory.createFile(columns, fileOptions);
    },
    async grow(more) {
      if ((await file?.grow(more)) === false) throw new GrownColumnsError(more);
    },
    async write(rows) {
      await file?.write(rows);
    },
    async finish() {
      return (await file?.finish()) ?? { cutCells: 0 };
    },
    async close() {
      await file?.dispose();
    },
  };
}

/** Writes rows to a stream in a file format. */
export function streamTarget(stream: Writable, options: FormatOptions): FinishingTarget {
  let columns: readonly StoreColumn[] = [];
  let encoder: Awaited<ReturnType<typeof createRowsEncoder>> | undefined;
  const isShown = isTerminal(stream);
  const put = async (pieces: readonly (string | Uint8Array)[]) => {
    for (const piece of pieces) if (piece.length > 0) await write(stream, isShown ? seen(piece) : piece);
  };
  return {
    async open(opened) {
      columns = opened;
      encoder = await createRowsEncoder(fileColumnsOf(columns), options);
      await put(encoder.start());
    },
    grow(more) {
      if (encoder?.grow === undefined) return Promise.reject(new GrownColumnsError(more));
      columns = [...columns, ...more];
      encoder.grow(columns.map(({ name }) => name));
      return Promise.resolve();
    },
    async write(rows) {
      const chunk = packed(rows, packingOf(columns));
      if (encoder?.packed !== undefined && !isShown) await put(encoder.packed(chunk));
      else for (const batch of batchesOf(columns, chunk)) await put(encoder?.rows(batch) ?? []);
      chunk.done?.();
    },
    async finish() {
      await put(encoder?.end() ?? []);
      return { cutCells: encoder?.cutCells ?? 0, oddColumns: encoder?.oddColumns ?? [] };
    },
    close: () => Promise.resolve(),
  };
}

/** Writes aligned columns for reading; all text is made safe for a terminal. */
export function tableTarget(stream: Writable): FinishingTarget {
  let columns: readonly StoreColumn[] = [];
  let table = new TextTable([]);
  let hasRows = false;
  return {
    open(opened) {
      columns = opened;
      table = new TextTable(
        columns.map(({ name, type }) => ({ name, isNumber: columnKindOf(type) === 'number' })),
        isTerminal(stream) ? 'start' : 'whole',
      );
      return Promise.resolve();
    },
    grow: (more) => Promise.reject(new GrownColumnsError(more)),
    async write(rows) {
      for (const batch of batchesOf(columns, packed(rows, packingOf(columns)))) {
        hasRows = true;
        await write(stream, table.rows(batch.map((row) => row.map(({ text }) => text))));
      }
    },
    async finish() {
      if (!hasRows) await write(stream, table.rows([]));
      return { cutCells: 0 };
    },
    close: () => Promise.resolve(),
  };
}

/** Makes text safe for a terminal, which would interpret escape sequences; pipes and files get every byte. */
function seen(piece: string | Uint8Array): string | Uint8Array {
  return typeof piece === 'string' ? piece.split('\t').map(linesForTerminal).join('\t') : piece;
}
