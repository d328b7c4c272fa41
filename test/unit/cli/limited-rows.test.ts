/** A limit is exact, and asks for no page that it does not need: a real client counts the requests of a real service. */
import assert from 'node:assert/strict';
import { PassThrough } from 'node:stream';
import { describe, it } from 'node:test';
import type { ServiceClient } from '#api/client/client.ts';
import { executeQuery } from '#cli/run/execute.ts';
import { readRecords } from '#cli/run/read-records.ts';
import { streamTarget } from '#cli/run/rows-target.ts';
import type { RunResult } from '#cli/run/write-rows.ts';
import { ownQuery } from '#core/policy/send-query.ts';
import { withService } from '#test/helpers/client-service.ts';
import { sendJson } from '#test/helpers/http.ts';

const pageRows = 3;
const pageCount = 4;

type Read = (client: ServiceClient, limit: number | undefined, out: PassThrough) => Promise<RunResult>;

const format = {
  format: 'csv',
  nullText: '',
  guardFormulas: false,
  tableName: 't',
  byteOrderMark: false,
} as const;
const context = { stderr: new PassThrough(), signal: new AbortController().signal } as never; // nothing else is used

const reads: Readonly<Record<string, Read>> = {
  records: (client, limit, out) =>
    readRecords(context, { client } as never, {
      // it uses nothing else
      ...{ collection: 'accounts', filter: {}, limit, isSilent: true },
      target: streamTarget(out, format),
    }),
  'a query': (client, limit, out) =>
    executeQuery(context, { client } as never, {
      // it uses nothing else
      prepared: {
        ...{ title: 'Query', request: { query_string: 'SELECT 1' }, permit: ownQuery() },
        locate: () => ({ line: 0, character: 0 }),
      },
      ...{ limit, isSilent: true, target: streamTarget(out, format) },
    }),
};

describe('a limit', () => {
  for (const [name, read] of Object.entries(reads))
    for (const [limit, requests] of [
      [1, 1],
      [2, 1],
      [3, 1],
      [4, 2],
      [6, 2],
      [11, 4],
      [12, 4],
      [13, 4],
      [undefined, 4],
    ] as const)
      it(`of ${limit ?? 'no'} rows of ${name} takes ${requests} requests`, async () => {
        await withService(
          // Pages of the same size, however many rows are asked for: the client must cut.
          (_, response, count) => {
            const ids = Array.from({ length: pageRows }, (__, row) => `id-${(count - 1) * pageRows + row}`);
            const next = count < pageCount ? { nextPageToken: `t${count}` } : {};
            sendJson(
              response,
              200,
              name === 'records'
                ? { items: ids.map((globalId) => ({ globalId })), ...next }
                : { columns: [{ name: 'globalId', type: 'text' }], rows: ids.map((id) => [id]), ...next },
            );
          },
          async (client, seen) => {
            const out = new PassThrough();
            const { rowCount, isComplete } = await read(client, limit, out);
            const expected = Math.min(limit ?? Infinity, pageRows * pageCount);
            const lines = String(out.read()).trimEnd().split('\r\n').slice(1);
            assert.deepEqual(
              lines.map((line) => /id-\d+/.exec(line)?.[0]),
              Array.from({ length: expected }, (_, row) => `id-${row}`),
            );
            assert.deepEqual([rowCount, isComplete], [expected, expected === pageRows * pageCount]);
            assert.equal(seen().filter(({ path }) => path.startsWith('/v1/')).length, requests);
          },
        );
      });
});
