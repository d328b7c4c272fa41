/**
 * The lower bound for reading a query's pages, with only undici and a file: no token, no query check, no error
 * handling, and no exact numbers. The next page token is known in advance.
 *
 *     node plain-pages.ts raw|parsed URL PAGES FILE
 */
import { open } from 'node:fs/promises';
import { request } from 'undici';

const [mode = 'raw', url = '', pages = '0', file = ''] = process.argv.slice(2);

interface Page {
  readonly columns: readonly { readonly name: string }[];
  readonly rows: readonly (readonly (string | number | boolean | null)[])[];
}

const handle = await open(file, 'w');
for (let page = 0; page < Number(pages); page += 1) {
  const answer = await request(url, {
    method: 'POST',
    body: JSON.stringify({ query_string: 'SELECT 1', pageToken: String(page) }),
    headers: { 'content-type': 'application/json' },
  });
  if (mode === 'raw') {
    await handle.write(new Uint8Array(await answer.body.arrayBuffer()));
    continue;
  }
  const { columns, rows } = (await answer.body.json()) as Page; // sent by the benchmark
  if (page === 0) await handle.write(`${columns.map(({ name }) => name).join(',')}\r\n`);
  await handle.write(rows.map((row) => `${row.map(field).join(',')}\r\n`).join(''));
}
await handle.sync();
await handle.close();

function field(value: string | number | boolean | null): string {
  if (typeof value !== 'string') return value === null ? '' : String(value);
  return /[",\r\n]/.test(value) ? `"${value.replaceAll('"', '""')}"` : value;
}
