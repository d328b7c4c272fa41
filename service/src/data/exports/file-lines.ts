/** The lines of an export's file, with their line breaks. CSV follows RFC 4180. */

export function csvLine(values: readonly unknown[]): string {
  return `${values.map(csvField).join(',')}\r\n`;
}

function csvField(value: unknown): string {
  if (value === undefined || value === null) return '';
  const text = typeof value === 'string' ? value : JSON.stringify(value);
  return /[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
}

const batchChars = 65_536;

/** Joins lines into larger chunks. */
export function* batches(lines: Iterable<string>): Generator<string, void, undefined> {
  let batch = '';
  for (const line of lines) {
    batch += line;
    if (batch.length >= batchChars) {
      yield batch;
      batch = '';
    }
  }
  if (batch !== '') yield batch;
}
