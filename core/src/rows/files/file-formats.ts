/** The kinds of files that rows go into, in the order they are offered. */
import { t } from '../../util/texts.ts';

export const fileFormats = ['csv', 'tsv', 'json', 'jsonl', 'markdown', 'insert', 'xlsx', 'parquet'] as const;
export type FileFormat = (typeof fileFormats)[number];

export interface OfferedFormat {
  readonly format: FileFormat;
  readonly label: string;
  readonly detail: string;
  readonly extension: string;
}

export function offeredFormats(): readonly OfferedFormat[] {
  return [
    { format: 'csv', label: 'CSV', detail: t('Comma-separated values (RFC 4180), UTF-8'), extension: 'csv' },
    {
      format: 'xlsx',
      label: 'Excel',
      detail: t('A workbook. Numbers of more than 15 digits stay texts, so that Excel does not round them'),
      extension: 'xlsx',
    },
    { format: 'json', label: 'JSON', detail: t('One array of objects, every digit kept'), extension: 'json' },
    { format: 'jsonl', label: 'JSON Lines', detail: t('One object a line'), extension: 'jsonl' },
    {
      format: 'parquet',
      label: 'Parquet',
      detail: t('Columns with types, for DuckDB, Spark, pandas and the like'),
      extension: 'parquet',
    },
    {
      format: 'markdown',
      label: 'Markdown',
      detail: t('A table for documents and tickets'),
      extension: 'md',
    },
    { format: 'tsv', label: 'TSV', detail: t('Tab-separated values'), extension: 'tsv' },
    { format: 'insert', label: 'SQL INSERT', detail: t('Statements of 1,000 rows each'), extension: 'sql' },
  ];
}
