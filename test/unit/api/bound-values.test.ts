/** A service that ignores the values of parameters is found out before a result without rows counts. */
import assert from 'node:assert/strict';
import { suite, test } from 'node:test';
import { BoundValues } from '#api/client/bound-values.ts';
import { ContractError, UserAbort } from '#api/client/errors.ts';
import { withService, type Answer } from '#test/helpers/client-service.ts';
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
  readonly settled?: 'parameters';
}

async function outcomes(
  { rows, seen, statuses = [], text = request.query_string, isAtOnce, settled }: Behaviour,
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
          : { code: status === 503 ? 'UNAVAILABLE' : 'QUERY_FAILED', message: 'no' },
      );
    },
    async ({ queries }) => {
      const ask = () =>
        queries.execute({ ...request, query_string: text }).then(
          ({ rows: found, isPerhapsPartial, areValuesUnknown }) =>
            isPerhapsPartial === true ? areValuesUnknown === true && 'perhaps a part' : found.length,
          (error: unknown) => (error instanceof Error ? error.message : error),
        );
      if (isAtOnce === true) told.push(...(await Promise.all(Array.from({ length: times }, ask))));
      else for (let time = 0; time < times; time += 1) told.push(await ask());
    },
    { executeValues: settled },
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

  test('are asked for with FROM by a service that takes no text without it', async () => {
    const { told, probes } = await outcomes({ rows: [], seen: (value) => value, statuses: [400] }, 2);
    assert.deepEqual([told, probes], [[0, 0], 2]);
    const ignored = await outcomes({ rows: [], seen: () => null, statuses: [403] });
    assert.match(String(ignored.told), /ignores the values/);
  });

  test('that cannot be asked for leave results that are perhaps parts, unless a person settled how they are sent', async () => {
    const refusing = {
      rows: [[1], [2]],
      seen: (value: unknown) => value,
      statuses: Array(4).fill(400) as number[],
    };
    const perhaps = 'perhaps a part';
    assert.deepEqual(await outcomes(refusing, 2), { told: [perhaps, perhaps], probes: 2 });
    const settled = await outcomes({ ...refusing, settled: 'parameters' });
    assert.deepEqual(settled.told, [2]);
    const ignored = await outcomes({ rows: [], seen: () => null, settled: 'parameters' });
    assert.match(String(ignored.told), /ignores the values/);
  });

  test('that are not known to be used, since the service fails, leave a result that is perhaps a part', async () => {
    const { told } = await outcomes({ rows: [], seen: (value) => value, statuses: [206] });
    assert.deepEqual(told, ['perhaps a part']);
  });

  for (const text of [
    'SELECT n FROM t WHERE NOT EXISTS (SELECT 1 FROM r WHERE r.name = :most)',
    'SELECT n FROM t WHERE n < :most UNION ALL SELECT n FROM r',
    'SELECT n, (SELECT count(*) FROM r WHERE r.n > :most AND r.m = t.n) AS later FROM t',
    'WITH c AS (SELECT count(*) AS later FROM r WHERE n > :most) SELECT n, later FROM t, c',
    'SELECT t.n, r.m FROM t RIGHT JOIN r ON t.n = :most',
    'SELECT n FROM t LIMIT :most',
  ])
    test(`are asked for also where many rows are found: ${text}`, async () => {
      const { told } = await outcomes({ rows: [[1], [2]], seen: () => null, text });
      assert.match(String(told), /ignores the values/);
    });

  const inIn = 'SELECT n FROM t WHERE n IN (:few)';
  const inAny = 'SELECT n FROM t WHERE n = ANY (:few)';
  const inAll = (list: string) => `SELECT n FROM t WHERE n ${list}`;
  const throwing = /ignores the values/;
  const anyInstead = /every value of a list in IN .* Write = ANY \(\.\.\.\) instead/;
  const inInstead = /every value of a list outside of IN .* Write IN \(\.\.\.\) instead/;
  const perhaps = 'perhaps a part';
  for (const [name, found, text, settled, expected, asked] of [
    ['written out', { IN: true, ANY: 400 }, inIn, undefined, 2, 1],
    ['written out', { IN: true, ANY: 400 }, inAny, undefined, perhaps, 2],
    ['cut after the first one', { IN: false, ANY: 400 }, inIn, undefined, throwing, undefined],
    ['taken for a text', { IN: false, ANY: 400 }, inIn, undefined, throwing, undefined],
    ['taken for NULL', { IN: false, ANY: false }, inIn, undefined, throwing, undefined],
    ['taken for NULL', { IN: false, ANY: false }, inAny, undefined, throwing, undefined],
    ['bound as an array', { IN: false, ANY: true }, inAny, undefined, 2, 1],
    ['bound as an array', { IN: false, ANY: true }, inIn, undefined, anyInstead, undefined],
    ['bound as an array', { IN: false, ANY: 206 }, inIn, undefined, perhaps, 2],
    ['written out', { IN: true, ANY: false }, inAny, undefined, inInstead, undefined],
    ['written out', { IN: 206, ANY: false }, inAny, 'parameters', perhaps, 2],
    ['written out', { IN: true, ANY: 400 }, inAny, 'parameters', 2, 2],
    ['bound as an array', { IN: 400, ANY: true }, 'SELECT n FROM t, unnest(:few) v', undefined, 2, 1],
    ['bound as an array', { IN: 400, ANY: true }, `${inAny} OR n IN (1, :few)`, undefined, perhaps, 3],
    ['bound as an array', { IN: false, ANY: true }, inIn, 'parameters', anyInstead, undefined],
    ['not found', { IN: false, ANY: false }, inIn, 'parameters', throwing, undefined],
    ...[
      ...['IN ((:few))', "IN (lower('x'), :few)", 'IN (:few /* (all) */)', 'in(1, (:few), 2)'],
      ...['NOT IN --(\n(:few)', "IN (':few (', :few)", 'IN ("(", :few)', 'IN ($a$($a$, :few)'],
      ...['IN (:few::text)', "IN (E'\\'(', :few)", 'IN (:few) -- = ANY (:few)'],
    ].map((list) => ['written out', { IN: true, ANY: 400 }, inAll(list), undefined, 2, 1] as const),
    ...[
      ...['IN (SELECT unnest(:few))', 'IN ((SELECT v FROM w WHERE v = ANY ((:few))))', '= ANY (:few)'],
      ...['IN (VALUES (1)) OR n = ANY (:few)', "= ANY (:few) OR n::text IN (':few')"],
    ].map((list) => ['bound as an array', { IN: 400, ANY: true }, inAll(list), undefined, 2, 1] as const),
  ] as const)
    test(`in a list are ${name}, ${settled ?? 'not settled'}: ${text}`, async () => {
      let probes = 0;
      const answer: Answer = ({ body }, response) => {
        const { query_string: sql } = JSON.parse(body) as { readonly query_string: string };
        const isProbe = sql.includes('(:value)');
        const sent = isProbe ? found[sql.includes(' IN (') ? 'IN' : 'ANY'] : true;
        if (isProbe) probes += 1;
        if (typeof sent === 'number') sendJson(response, sent, { code: 'QUERY_FAILED', message: 'no' });
        else {
          const rows = isProbe ? (sent ? [['a']] : []) : [[1], [2]];
          sendJson(response, 200, { columns: [isProbe ? 'value' : 'n'], rows, nextPageToken: null });
        }
      };
      await withService(
        answer,
        async ({ queries }) => {
          const list = { query_string: text, parameters: { few: [1, 2, 3] } };
          const read = async () => {
            const { rows, isPerhapsPartial } = await queries.execute(list);
            return isPerhapsPartial === true ? perhaps : rows.length;
          };
          if (expected instanceof RegExp) await assert.rejects(read(), expected);
          else assert.deepEqual([await read(), await read(), probes], [expected, expected, asked]);
        },
        { executeValues: settled },
      );
    });

  for (const [name, columns, row, expected] of [
    ['beside another column', ['row_number', 'value'], [1, 'a'], 0],
    ['ignored beside another column', ['row_number', 'value'], [1, null], throwing],
    ['in a column of another name', ['n'], ['b'], perhaps],
    ['in no column', [], undefined, perhaps],
    ['in a padded text', ['value'], ['a   '], 0],
    ['in a value of another shape', ['value'], [{ string: 'a' }], perhaps],
    ['in a list', ['value'], [['a']], perhaps],
    ['in two columns', ['value', 'VALUE'], ['a', 'b'], perhaps],
  ] as const)
    test(`are looked for ${name}`, async () => {
      await withService(
        ({ body }, response) => {
          const isProbe = !body.includes('FROM t');
          const rows = isProbe && row !== undefined ? [row] : [];
          sendJson(response, 200, { columns: isProbe ? columns : ['n'], rows, nextPageToken: null });
        },
        async ({ queries }) => {
          const asked = queries.execute(request);
          if (expected === throwing) await assert.rejects(asked, throwing);
          else assert.equal((await asked).isPerhapsPartial === true ? perhaps : 0, expected);
        },
      );
    });

  for (const isRepeatable of [true, false])
    test(`that are ignored are found ${isRepeatable ? 'after a query that is read-only' : 'before a query that may change data'}`, async () => {
      const sent: string[] = [];
      await withService(
        ({ body }, response) => {
          const { query_string: sql } = JSON.parse(body) as { readonly query_string: string };
          sent.push(sql);
          sendJson(response, 200, { columns: ['value'], rows: [[null]], nextPageToken: null });
        },
        async ({ queries }) => {
          await assert.rejects(queries.execute(request, { isRepeatable }), throwing);
          assert.equal(sent.includes(request.query_string), isRepeatable);
        },
      );
    });

  test('are asked for once by several queries at a time', async () => {
    const { told, probes } = await outcomes({ rows: [], seen: (value) => value, isAtOnce: true }, 5);
    assert.deepEqual([told, probes], [[0, 0, 0, 0, 0], 1]);
    const ignored = await outcomes({ rows: [], seen: () => null, isAtOnce: true }, 5);
    assert.equal(ignored.told.filter((message) => /ignores/.test(String(message))).length, 5);
  });

  test('whose question fails leave the rows of the query, which are perhaps a part', async () => {
    for (const status of [404, 409, 501])
      assert.deepEqual(
        (await outcomes({ rows: [[1]], seen: (value) => value, statuses: [status, status] })).told,
        ['perhaps a part'],
      );
  });

  test('are asked for again after a fault of the service', async () => {
    const { told } = await outcomes({ rows: [], seen: (value) => value, statuses: [502] });
    assert.deepEqual(told, [0]);
  });

  test('are asked for once more by the next query where a fault lasts, and then not at once', async () => {
    const perhaps = 'perhaps a part';
    const behaviour = { rows: [], seen: (value: unknown) => value };
    // A question is sent twice, and each of them is tried three times.
    const statuses = (count: number) => Array.from({ length: count }, () => 503);
    const passing = await outcomes({ ...behaviour, statuses: statuses(6) }, 2);
    assert.deepEqual(passing, { told: [perhaps, 0], probes: 7 });
    const lasting = await outcomes({ ...behaviour, statuses: statuses(40) }, 4);
    assert.deepEqual(lasting, { told: [perhaps, perhaps, perhaps, perhaps], probes: 12 });
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

test('no failure to ask for values fails a query, and it is not asked for again at once', async () => {
  let now = 0;
  let asked = 0;
  const values = new BoundValues(undefined, () => now);
  const context = { request: 'POST /v1/query/execute', status: 500, requestId: undefined };
  const failing = async (error: Error) =>
    await values.require(
      request,
      () => {
        asked += 1;
        return Promise.reject(error);
      },
      undefined,
    );
  for (const error of [new ContractError('not understood', context), new TypeError('broken')]) {
    assert.deepEqual([await failing(error), await failing(error), asked], ['unknown', 'unknown', 1]);
    now += 600_000;
    asked = 0;
  }
  const stop = new UserAbort('cancelled');
  await assert.rejects(failing(stop), (thrown) => thrown === stop);
});

test('what one model refuses says nothing of another one, and what one answers holds for all', async () => {
  const values = new BoundValues(undefined);
  const column = { name: 'value', type: 'text' };
  const asked: string[] = [];
  const ask = (model: string) =>
    values.require(
      { ...request, model },
      () => {
        asked.push(model);
        return Promise.resolve(model === 'a' ? undefined : { columns: [column], rows: [['a']] });
      },
      undefined,
    );
  assert.deepEqual(await Promise.all(['a', 'b', 'c'].map(ask)), ['unknown', 'used', 'used']);
  assert.deepEqual(await Promise.all(['c', 'a', 'd'].map(ask)), ['used', 'used', 'used']);
  assert.deepEqual(asked, ['a', 'a', 'b', 'c']);
});
