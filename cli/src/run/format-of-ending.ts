/** Determines a file format from the extension of a file name. */
import path from 'node:path';
import { fileFormats, type FileFormat } from '#core/rows/files/file-formats.ts';
import { CliError } from '../context.ts';

const formats: ReadonlyMap<string, FileFormat> = new Map([
  ['.csv', 'csv'],
  ['.tsv', 'tsv'],
  ['.json', 'json'],
  ['.jsonl', 'jsonl'],
  ['.ndjson', 'jsonl'],
  ['.md', 'markdown'],
  ['.parquet', 'parquet'],
  ['.xlsx', 'xlsx'],
  ['.sql', 'insert'],
]);

/** @throws CliError for an unknown extension. */
export function formatOfEnding(file: string): FileFormat {
  const format = formats.get(path.extname(file).toLowerCase());
  if (format === undefined)
    throw new CliError(
      `The extension of "${file}" is not a known format. Add --format, one of: ${fileFormats.join(', ')}.`,
    );
  return format;
}
