/** The file formats for rows, in menu order. */
import { t } from '#base/texts.ts';

export const fileFormats = ['csv', 'tsv', 'json', 'jsonl', 'markdown', 'insert', 'xlsx', 'parquet'] as const;
export type FileFormat = (typeof fileFormats)[number];

/** What a person chooses: a format, or CSV with the mark by which Excel recognizes UTF-8. */
export const formatChoices = [...fileFormats, 'csv-for-excel'] as const;
export type FormatChoice = (typeof formatChoices)[number];

export interface OfferedFormat {
  readonly choice: FormatChoice;
  readonly format: FileFormat;
  readonly label: string;
  readonly detail: string;
  readonly extension: string;
}

/** @param first the choice that comes first, such as the last one. */
export function offeredFormats(first?: FormatChoice): readonly OfferedFormat[] {
  const formats: readonly (Omit<OfferedFormat, 'choice'> & { readonly choice?: FormatChoice })[] = [
    { format: 'csv', label: 'CSV', detail: t('Comma-separated values (RFC 4180), UTF-8'), extension: 'csv' },
    {
      format: 'xlsx',
      label: 'Excel',
      detail: t(
        'A workbook. Numbers with more than 15 digits are stored as text, so that Excel does not round them',
      ),
      extension: 'xlsx',
    },
    {
      choice: 'csv-for-excel',
      format: 'csv',
      label: t('CSV for Excel'),
      detail: t('CSV that starts with a byte order mark, by which Excel recognizes UTF-8'),
      extension: 'csv',
    },
    { format: 'json', label: 'JSON', detail: t('One array of objects, every digit kept'), extension: 'json' },
    { format: 'jsonl', label: 'JSON Lines', detail: t('One object per line'), extension: 'jsonl' },
    {
      format: 'parquet',
      label: 'Parquet',
      detail: t('Typed columns, for DuckDB, Spark, pandas and others'),
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
  const all = formats.map((one) => ({ choice: one.format, ...one }));
  return [...all.filter(({ choice }) => choice === first), ...all.filter(({ choice }) => choice !== first)];
}
