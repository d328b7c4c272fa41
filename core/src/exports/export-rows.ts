/** Reads a file as rows while it arrives, without keeping it: CSV or TSV with a header, or JSON Lines. */
import { Readable } from 'node:stream';
import { parse } from 'csv-parse';
import { isRecord } from '#api/client/answers/shape.ts';
import { parseJson, type JsonValue } from '#api/client/json.ts';
import { t } from '#base/texts.ts';
import type { RowsPage } from '../rows/rows-page.ts';

const pageRows = 1_000;

/**
 * Yields pages of rows. Columns come from the header, or from each page's records. @throws Error that names the line.
 */
export async function* exportRows(
  bytes: AsyncIterable<Uint8Array>,
  fileFormat: string,
): AsyncGenerator<RowsPage, void, undefined> {
  if (fileFormat === 'jsonl') yield* jsonRows(bytes);
  else yield* csvRows(bytes, fileFormat === 'tsv' ? '\t' : ',');
}

async function* csvRows(
  bytes: AsyncIterable<Uint8Array>,
  delimiter: string,
): AsyncGenerator<RowsPage, void, undefined> {
  const source = Readable.from(bytes);
  const parser = source.pipe(parse({ bom: true, relax_column_count_more: false, delimiter }));
  source.once('error', (error) => parser.destroy(error));
  let columns: RowsPage['columns'] | undefined;
  let rows: (readonly unknown[])[] = [];
  try {
    for await (const record of parser as AsyncIterable<readonly string[]>) {
      // without type options, every field is text
      if (columns === undefined) {
        columns = record.map((name) => ({ name, type: '' }));
        continue;
      }
      // CSV has no NULL, so an empty field stays an empty string.
      rows.push(record);
      if (rows.length < pageRows) continue;
      yield { columns, rows, isLast: false };
      rows = [];
    }
  } finally {
    source.destroy();
  }
  yield { columns: columns ?? [], rows, isLast: true };
}

async function* jsonRows(bytes: AsyncIterable<Uint8Array>): AsyncGenerator<RowsPage, void, undefined> {
  let records: Readonly<Record<string, JsonValue>>[] = [];
  const page = (isLast: boolean): RowsPage => {
    const shown = [...new Set(records.flatMap((record) => Object.keys(record)))];
    const rows = records.map((record) =>
      shown.map((name) => (Object.hasOwn(record, name) ? (record[name] ?? null) : null)),
    );
    records = [];
    return { columns: shown.map((name) => ({ name, type: '' })), rows, isLast };
  };
  let line = 0;
  for await (const text of lines(bytes)) {
    line += 1;
    if (text.trim() === '') continue;
    records.push(recordOf(text, line));
    if (records.length >= pageRows) yield page(false);
  }
  yield page(true);
}

function recordOf(text: string, line: number): Readonly<Record<string, JsonValue>> {
  let value: JsonValue;
  try {
    value = parseJson(text);
  } catch (error) {
    throw new Error(t('line {0} of the file is not JSON', line), { cause: error });
  }
  return isRecord(value) ? value : { value };
}

async function* lines(bytes: AsyncIterable<Uint8Array>): AsyncGenerator<string, void, undefined> {
  const decoder = new TextDecoder('utf-8');
  let rest = '';
  for await (const chunk of bytes) {
    const parts = (rest + decoder.decode(chunk, { stream: true })).split('\n');
    rest = parts.pop() ?? '';
    yield* parts;
  }
  rest += decoder.decode();
  if (rest !== '') yield rest;
}
