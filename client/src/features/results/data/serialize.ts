/** The one way from cells to text. What is seen is what is copied: whole values, numbers digit by digit. */

export interface CopyOptions {
  readonly format: 'tsv';
  readonly withHeaders: boolean;
  /** What stands for NULL. */
  readonly nullText: string;
}

export interface CopySource {
  readonly names: readonly string[];
  /** Null for NULL. */
  rows(): Iterable<readonly (string | null)[]>;
}

/**
 * Tab-separated values as spreadsheets read and write them: a field with a tab, a line break or a quote at its start is
 * quoted, its quotes doubled. A single cell is copied bare, since it goes into a text far more often than into a sheet.
 */
export function serialize(source: CopySource, options: CopyOptions): string {
  const lines: string[] = [];
  if (options.withHeaders) lines.push(source.names.map(quoteTsv).join('\t'));
  let single: string | undefined;
  for (const row of source.rows()) {
    const only = row[0];
    if (lines.length === 0 && row.length === 1) single = only ?? options.nullText;
    lines.push(row.map((cell) => (cell === null ? options.nullText : quoteTsv(cell))).join('\t'));
  }
  return lines.length === 1 && single !== undefined ? single : lines.join('\n');
}

function quoteTsv(text: string): string {
  return /[\t\r\n]|^"/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
}
