/** A service that ignores the values of parameters is found out before a result without rows counts. */
import assert from 'node:assert/strict';
import { suite, test } from 'node:test';
import { withService } from '#test/helpers/client-service.ts';
import { sendJson } from '#test/helpers/http.ts';

const request = { query_string: 'SELECT n FROM t WHERE n < :most', parameters: { most: 5 } };

interface Behaviour {
  /** The rows of a query with values. */
  readonly rows: readonly (readonly unknown[])[];
  /** What the service sees for a value. */
  readonly seen: (value: unknown) => unknown;
  /** The statuses of the first answers to the query that has only a value. */
  readonly statuses?: readonly number[];
}

async function outcomes({ rows, seen, statuses = [] }: Behaviour, times = 1) {
  const told: unknown[] = [];
  let probes = 0;
  await withService(
    ({ body }, response) => {
      const asked = JSON.parse(body) as {
        query_string: string;
        parameters?: Readonly<Record<string, unknown>>;
      };
      const isProbe = !asked.query_string.includes('FROM t');
      const status = isProbe ? (statuses[probes++] ?? 200) : 200;
      const sent = isProbe ? [[seen(asked.parameters?.['value'])]] : rows;
      sendJson(
        response,
        status,
        status === 200
          ? { columns: [{ name: isProbe ? 'value' : 'n', type: 'text' }], rows: sent, nextPageToken: null }
          : { code: 'QUERY_FAILED', message: 'no' },
      );
    },
    async ({ queries }) => {
      for (let time = 0; time < times; time += 1)
        told.push(
          await queries.execute(request).then(
            (page) => page.rows.length,
            (error: unknown) => (error instanceof Error ? error.message : error),
          ),
        );
    },
  );
  return { told, probes };
}

suite('the values of parameters', () => {
  for (const [name, seen] of [
    ['NULL', () => null],
    ['an empty text', () => ''],
    ['the name of the parameter', () => ':value'],
  ] as const)
    for (const rows of [[], [[0]], [[null]]])
      test(`answered as ${name}: a result of ${JSON.stringify(rows)} is not taken`, async () => {
        const { told } = await outcomes({ rows, seen }, 2);
        for (const message of told)
          assert.match(String(message), /ignores the values of parameters.*"values": "literals"/);
      });

  test('that are used are asked for once', async () => {
    assert.deepEqual(await outcomes({ rows: [], seen: (value) => value }, 3), { told: [0, 0, 0], probes: 1 });
  });

  test('of which a service takes no text alone tell nothing', async () => {
    const { told } = await outcomes({ rows: [], seen: (value) => value, statuses: [400] }, 2);
    assert.deepEqual(told, [0, 0]);
  });

  test('that are not known to be used, since the service fails, are no result', async () => {
    const { told } = await outcomes({ rows: [], seen: (value) => value, statuses: [206] });
    assert.equal(typeof told[0], 'string');
  });

  test('need not be asked for where many rows are found', async () => {
    const { probes } = await outcomes({ rows: [[1], [2]], seen: () => null });
    assert.equal(probes, 0);
  });
});
