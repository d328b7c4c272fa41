/**
 * Measures the time to the first of 500,000 rows of 20 columns, and to all of them. The client reads page by page and
 * packs rows as the panel stores them, from the sandbox and from a service that creates rows on demand. Prints JSON
 * lines. When the sandbox still built whole results, the first rows took as long as all rows.
 */
import { createClient } from '#api/client/client.ts';
import type { PageToken } from '#api/contract/lists.ts';
import { countOf } from '#core/rows/page-rows.ts';
import { PageScanner } from '#core/rows/scan/page-scanner.ts';
import { startSandbox } from '../helpers/sandbox.ts';
import { startService } from '../service/service.ts';
import { print } from './statistics.ts';

const rowCount = 500_000;
const pageSize = 1_000;
const kinds = [
  (column: number) => `g + ${column} AS n${column}`,
  (column: number) => `md5(g::text) AS t${column}`,
  (column: number) => `g / 3.0 AS d${column}`,
  (column: number) => `TIMESTAMP '2026-01-01' + g * INTERVAL '1 second' AS at${column}`,
];
const columns = Array.from({ length: 20 }, (_, column) => kinds[column % kinds.length]?.(column));
const sql = `SELECT ${columns.join(', ')} FROM generate_series(1, ${rowCount}) g`;

const secondsSince = (started: number): number => Math.round(performance.now() - started) / 1_000;

async function measure(service: string, address: Parameters<typeof createClient>[0]): Promise<void> {
  const client = createClient(address);
  try {
    // The sandbox fills its database before its first response. The streaming service always returns the same result.
    if (service === 'sandbox') await client.queries.execute({ query_string: 'SELECT 1' });
    const scanner = new PageScanner('doubles');
    const started = performance.now();
    let firstSeconds: number | undefined;
    let rows = 0;
    let pageToken: PageToken | undefined;
    do {
      const request = { query_string: sql, pageSize, ...(pageToken === undefined ? {} : { pageToken }) };
      const page = await client.queries.executeBytes(request, scanner);
      firstSeconds ??= secondsSince(started);
      rows += countOf(page.rows);
      pageToken = page.nextPageToken;
    } while (pageToken !== undefined);
    print({
      bench: 'first rows of 500,000 x 20',
      service,
      firstSeconds,
      allSeconds: secondsSince(started),
      rows,
      pageSize,
      limitSeconds: 2,
    });
  } finally {
    await client.close();
  }
}

const sandbox = await startSandbox({ from: 'dist' });
try {
  const { baseUrl, authUrl, clientId, clientSecret } = sandbox;
  await measure('sandbox', { baseUrl, authUrl, clientId, clientSecret });
} finally {
  await sandbox.stop();
}
const streaming = await startService({ streamedRows: { count: rowCount, pieceBytes: 16_384 } });
try {
  await measure('streaming', streaming);
} finally {
  await streaming.stop();
}
