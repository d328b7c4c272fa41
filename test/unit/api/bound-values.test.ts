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
  readonly text?: string;
  readonly isAtOnce?: true;
}

async function outcomes(
  { rows, seen, statuses = [], text = request.query_string, isAtOnce }: Behaviour,
  times = 1,
) {
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
      const ask = () =>
        queries.execute({ ...request, query_string: text }).then(
          (page) => (page.isPerhapsPartial === true ? 'perhaps a part' : page.rows.length),
          (error: unknown) => (error instanceof Error ? error.message : error),
        );
      if (isAtOnce === true) told.push(...(await Promise.all(Array.from({ length: times }, ask))));
      else for (let time = 0; time < times; time += 1) told.push(await ask());
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

  test('that are not known to be used, since the service fails, leave a result that is perhaps a part', async () => {
    const { told } = await outcomes({ rows: [], seen: (value) => value, statuses: [206] });
    assert.deepEqual(told, ['perhaps a part']);
  });

  for (const text of [
    'SELECT n FROM t WHERE NOT EXISTS (SELECT 1 FROM r WHERE r.name = :most)',
    'SELECT n FROM t EXCEPT SELECT n FROM r WHERE n = :most',
    'SELECT n, count(*) FILTER (WHERE n > :most) FROM t GROUP BY n',
    'SELECT n, :most AS most FROM t',
    'SELECT n, n > :most AS is_new FROM t',
  ])
    test(`that may find many rows as NULL are asked for: ${text}`, async () => {
      const { told } = await outcomes({ rows: [[1], [2]], seen: () => null, text });
      assert.match(String(told), /ignores the values of parameters/);
    });

  test('need not be asked for where many rows are found', async () => {
    const { probes } = await outcomes({ rows: [[1], [2]], seen: () => null });
    assert.equal(probes, 0);
  });

  for (const text of [
    'SELECT n FROM t WHERE :most IS NULL OR n < :most',
    'SELECT n FROM t WHERE n < coalesce(:most, 9)',
    'SELECT :most AS most, n FROM t',
    'SELECT n FROM t LIMIT :most',
  ])
    test(`are asked for where a query finds many rows without them: ${text}`, async () => {
      const { told } = await outcomes({ rows: [[1], [2]], seen: () => null, text });
      assert.match(String(told[0]), /ignores the values/);
    });

  test('are asked for once by several queries at a time', async () => {
    const { told, probes } = await outcomes({ rows: [], seen: (value) => value, isAtOnce: true }, 5);
    assert.deepEqual([told, probes], [[0, 0, 0, 0, 0], 1]);
    const ignored = await outcomes({ rows: [], seen: () => null, isAtOnce: true }, 5);
    assert.equal(ignored.told.filter((message) => /ignores/.test(String(message))).length, 5);
  });

  test('are asked for again after a fault of the service', async () => {
    const { told } = await outcomes({ rows: [], seen: (value) => value, statuses: [502] });
    assert.deepEqual(told, [0]);
  });
});

test('a query that is stopped while it asks for all stops no other one', async () => {
  const stop = new AbortController();
  const asking = Promise.withResolvers<undefined>();
  let probes = 0;
  await withService(
    ({ body }, response) => {
      const isProbe = !body.includes('FROM t');
      if (isProbe && (probes += 1) === 1) {
        asking.resolve(undefined);
        return;
      }
      const columns = [isProbe ? 'value' : 'n'];
      sendJson(response, 200, { columns, rows: isProbe ? [['a']] : [], nextPageToken: null });
    },
    async ({ queries }) => {
      const stopped = queries.execute(request, { signal: stop.signal });
      await asking.promise;
      const both = [queries.execute(request), queries.execute(request)];
      stop.abort();
      await assert.rejects(stopped);
      assert.deepEqual(
        (await Promise.all(both)).map(({ rows }) => rows),
        [[], []],
      );
      assert.equal(probes, 2);
    },
  );
});
