/** POST /v1/query/execute over plain HTTP: values, types, parameters, pages, errors with positions, and limits. */
import assert from 'node:assert/strict';
import { after, before, suite, test } from 'node:test';
import { endpoints } from '#api/contract/endpoints.ts';
import type { ParameterValue } from '#api/contract/execute.ts';
import { parseValue } from '#base/values/parse-value.ts';
import { parameterDeclarations } from '#core/parameters/declarations.ts';
import { collections } from '#service/data/collections.ts';
import { columnsOf } from '#service/data/tables/columns.ts';
import { sampleQueries } from '#service/store/sample-queries.ts';
import { isOwnData, startSandbox, type RunningSandbox } from '../helpers/sandbox.ts';
import { ServiceHttp, type WireAnswer } from '../helpers/service-http.ts';

let sandbox: RunningSandbox;
let http: ServiceHttp;

before(async () => {
  sandbox = await startSandbox({
    embedded: true,
    accounts: 300,
    queryTimeoutSeconds: 10,
    rowLimit: 20_000,
  });
  http = new ServiceHttp(sandbox);
});
after(() => sandbox.stop());

type Parameters = Record<string, ParameterValue>;

/** The fields of any response, successful or not. */
interface ExecuteBody {
  readonly columns: unknown;
  readonly rows: unknown[][];
  readonly rowCount: number;
  readonly nextPageToken: string | null;
  readonly code: string;
  readonly message: string;
  readonly details: { line: number; column: number; hint?: string; field: string; limitMs: number };
  readonly reasons: { code: string }[];
}

const run = async (
  query_string: string,
  parameters: Parameters = {},
  more: object = {},
): Promise<Omit<WireAnswer, 'body'> & { body: ExecuteBody }> =>
  await http.call(endpoints.executeQuery, { body: { query_string, parameters, ...more } });

suite('values', () => {
  const values: readonly (readonly [expression: string, type: string, json: string])[] = [
    ['NULL', 'text', 'null'],
    ['true', 'bool', 'true'],
    ['9223372036854775807::int8', 'int8', '9223372036854775807'],
    ['(-32768)::int2', 'int2', '-32768'],
    ['12345678901234567890.12345678901234567890', 'numeric', '12345678901234567890.12345678901234567890'],
    ['1.50', 'numeric', '1.50'],
    ['1e300::float8', 'float8', '1e+300'],
    ["'NaN'::numeric", 'numeric', '"NaN"'],
    ["'-Infinity'::float8", 'float8', '"-Infinity"'],
    [`'a"b\\\n🙂'`, 'text', '"a\\"b\\\\\\n🙂"'],
    [`'{"a": 12345678901234567890, "b": [1.10]}'::jsonb`, 'jsonb', '{"a": 12345678901234567890, "b": [1.10]}'],
    [`'{ "a":1e400 }'::json`, 'json', '{ "a":1e400 }'],
    ['ARRAY[1,NULL,3]', 'int4[]', '[1,null,3]'],
    ['ARRAY[[1,2],[3,4]]', 'int4[]', '[[1,2],[3,4]]'],
    [`ARRAY['a,b','"q"','\\','NULL',NULL,'']`, 'text[]', '["a,b","\\"q\\"","\\\\","NULL",null,""]'],
    ["'{}'::text[]", 'text[]', '[]'],
    ["'[2:3]={7,8}'::int8[]", 'int8[]', '[7,8]'],
    [`ARRAY['{"a":1}'::jsonb]`, 'jsonb[]', '[{"a": 1}]'],
    ["'2026-01-02 03:04:05.678901+02'::timestamptz", 'timestamptz', '"2026-01-02 01:04:05.678901+00"'],
    ["'2026-01-02'::date", 'date', '"2026-01-02"'],
    ["'1 day 02:00'::interval", 'interval', '"1 day 02:00:00"'],
    ["'\\x00ff'::bytea", 'bytea', '"\\\\x00ff"'],
    ["'6f1d3a52-0d3f-4a52-8a52-0d3f6f1d3a52'::uuid", 'uuid', '"6f1d3a52-0d3f-4a52-8a52-0d3f6f1d3a52"'],
    ["ROW(1,'x')", 'record', '"(1,x)"'],
    ["int4range(1,5)", 'int4range', '"[1,5)"'],
  ]; // oxfmt-ignore
  for (const [expression, type, json] of values) {
    test(expression.replaceAll('\n', '\\n'), async () => {
      const answer = await run(`SELECT ${expression} AS v`);
      assert.equal(answer.status, 200, answer.text);
      const columns = JSON.stringify([{ name: 'v', type }]);
      assert.equal(
        answer.text,
        `{"columns":${columns},"rows":[[${json}]],"rowCount":1,"nextPageToken":null}`,
      );
    });
  }

  test('no rows and no columns', async () => {
    assert.deepEqual((await run('SELECT 1 AS a WHERE false')).body, {
      columns: [{ name: 'a', type: 'int4' }],
      rows: [],
      rowCount: 0,
      nextPageToken: null,
    });
    assert.deepEqual((await run('SELECT')).body, {
      columns: [],
      rows: [[]],
      rowCount: 1,
      nextPageToken: null,
    });
  });

  test('two columns with the same name stay separate', async () => {
    assert.deepEqual((await run('SELECT 1 AS a, 2 AS a')).body.rows, [[1, 2]]);
  });

  for (const text of [
    'VALUES (1), (2)',
    'TABLE roles',
    'WITH a AS (SELECT 1) SELECT * FROM a',
    '(SELECT 1) UNION ALL (SELECT 2)',
    'SELECT 1;',
    '-- a comment\nSELECT 1 -- the end',
  ]) {
    test(`is a query: ${JSON.stringify(text)}`, async () => assert.equal((await run(text)).status, 200));
  }
});

suite('parameters', () => {
  const cases: readonly (readonly [name: string, sql: string, parameters: Parameters, rows: unknown])[] = [
    ['typed by what they are compared with', 'SELECT g FROM generate_series(1, 3) g WHERE g = :n', { n: 2 }, [[2]]],
    ['a date', "SELECT '2026-01-05'::date >= :d", { d: '2026-01-04' }, [[true]]],
    ['a list', 'SELECT g FROM generate_series(1, 4) g WHERE g IN (:l)', { l: [2, 4] }, [[2], [4]]],
    ['NOT IN a list', 'SELECT g FROM generate_series(1, 3) g WHERE g NOT IN (:l)', { l: [2] }, [[1], [3]]],
    ['an empty list', 'SELECT g FROM generate_series(1, 2) g WHERE g IN (:l)', { l: [] }, []],
    ['NOT IN an empty list', 'SELECT g FROM generate_series(1, 2) g WHERE g NOT IN (:l)', { l: [] }, [[1], [2]]],
    ['a list with NULL', 'SELECT g FROM generate_series(1, 2) g WHERE g NOT IN (:l)', { l: [1, null] }, []],
    ['ANY of a list', "SELECT 'b' = ANY(:l)", { l: ['a', 'b'] }, [[true]]],
    ['a text that looks like SQL', 'SELECT :t', { t: "'; DROP TABLE accounts; --" }, [["'; DROP TABLE accounts; --"]]],
    ['NULL', 'SELECT :n IS NULL', { n: null }, [[true]]],
    ['a boolean nothing gives a type', 'SELECT :b', { b: true }, [['true']]],
    ['a number nothing gives a type', 'SELECT :n', { n: 1.5 }, [['1.5']]],
    ['one used twice', 'SELECT :n::int + :n', { n: 2 }, [[4]]],
    ['in strings and comments they are text', "SELECT ':n' -- :m", {}, [[':n']]],
    ['those that are not used are ignored', 'SELECT 1', { unused: 1 }, [[1]]],
  ]; // oxfmt-ignore
  for (const [name, sql, parameters, rows] of cases) {
    test(name, async () => {
      const answer = await run(sql, parameters);
      assert.equal(answer.status, 200, answer.text);
      assert.deepEqual(answer.body.rows, rows);
    });
  }

  test('a number beyond double precision arrives exactly', async () => {
    const rawBody =
      '{"query_string":"SELECT (:n::numeric)::text","parameters":{"n":12345678901234567890.10}}';
    assert.deepEqual((await http.call(endpoints.executeQuery, { rawBody })).body.rows, [
      ['12345678901234567890.10'],
    ]);
  });
});

suite('errors of a query', () => {
  interface Wrong {
    readonly name: string;
    readonly sql: string;
    readonly parameters?: Parameters;
    readonly code?: string;
    readonly at?: readonly [line: number, column: number];
    readonly reason?: string;
    readonly message?: RegExp;
  }
  const mutation = 'MUTATION_NOT_ALLOWED';
  const wrong: readonly Wrong[] = [
    { name: 'a typing mistake', sql: 'SELECT 1\nFORM accounts', at: [2, 6], message: /syntax error/ },
    { name: 'after emoji and CRLF', sql: "SELECT '🙂🙂',\r\n  '🙂' oops oops", at: [2, 12] },
    { name: 'behind a placeholder', sql: 'SELECT :a_rather_long_name, nope FROM accounts', parameters: { a_rather_long_name: 1 }, at: [1, 29], message: /"nope" does not exist/ },
    { name: 'behind a list', sql: 'SELECT alias FROM accounts WHERE alias IN (:l) AND nope', parameters: { l: ['a'] }, at: [1, 52] },
    { name: 'an unknown table', sql: 'SELECT * FROM nope', at: [1, 15] },
    { name: 'an unknown function', sql: 'SELECT nope(1)', at: [1, 8] },
    { name: 'a column that is not grouped', sql: 'SELECT alias, count(*) FROM accounts', at: [1, 8] },
    { name: 'a missing value', sql: 'SELECT 1,\n :since', at: [2, 2], message: /:since/ },
    { name: 'a value of the wrong type', sql: 'SELECT 1 WHERE 1 = :n', parameters: { n: 'x' }, code: 'QUERY_FAILED' },
    { name: 'nothing', sql: '  -- nothing\n', message: /empty/ },
    { name: 'only semicolons', sql: ';;', message: /empty/ },
    { name: 'two statements', sql: 'SELECT 1;\nSELECT 2', at: [2, 1], message: /one statement/ },
    { name: 'a NUL character', sql: 'SELECT 1 \u0000; DELETE FROM accounts', at: [1, 10] },
    { name: 'a division by zero', sql: 'SELECT 1 / 0', code: 'QUERY_FAILED' },
    // A person's login may read all schemas that are served.
    ...(isOwnData() ? [] : [{ name: 'a table of another model', sql: 'SELECT * FROM platform_governance.access', code: 'QUERY_PARSE_ERROR' }]),
    { name: 'a file of the server', sql: "SELECT pg_read_file('/etc/passwd')", code: 'QUERY_FAILED' },
    ...[
      'DELETE FROM accounts', 'delete from nope', '/* x */ UPDATE accounts SET alias = alias', 'INSERT INTO accounts DEFAULT VALUES',
      'MERGE INTO accounts a USING roles r ON false WHEN NOT MATCHED THEN DO NOTHING', 'TRUNCATE accounts', 'DROP TABLE accounts',
      'CREATE TABLE t (a int)', 'CREATE TEMP TABLE t AS SELECT 1', 'GRANT SELECT ON accounts TO PUBLIC', 'COPY accounts TO STDOUT',
      'EXPLAIN SELECT 1', 'EXPLAIN ANALYZE DELETE FROM accounts', 'SHOW search_path', 'SET search_path = public', 'BEGIN', 'COMMIT',
      'PREPARE p AS SELECT 1', 'LOCK accounts', 'VACUUM', 'CALL f()', 'DO $$ BEGIN END $$', 'LISTEN x', 'DECLARE c CURSOR FOR SELECT 1', 'FETCH 1 FROM c',
    ].map((sql): Wrong => ({ name: sql, sql, reason: mutation })),
    { name: 'a WITH that writes', sql: 'WITH d AS (DELETE FROM accounts RETURNING *)\nSELECT * FROM d', reason: mutation, at: [1, 12] },
    { name: 'a WITH that writes where nothing is', sql: 'WITH d AS MATERIALIZED (UPDATE nope SET a = 1 RETURNING *)\nSELECT * FROM d', reason: mutation, at: [1, 25] },
    { name: 'SELECT INTO', sql: 'SELECT 1 INTO t', reason: mutation, at: [1, 10] },
    { name: 'FOR UPDATE', sql: 'SELECT * FROM accounts FOR UPDATE', reason: mutation },
    { name: 'a statement behind one that reads', sql: "SELECT 'a\\'; DELETE FROM accounts; --'", message: /one statement/ },
  ]; // oxfmt-ignore
  for (const { name, sql, parameters, code = 'QUERY_PARSE_ERROR', at, reason, message } of wrong) {
    test(name, async () => {
      const { status, body, text } = await run(sql, parameters);
      assert.equal(status, 400, text);
      assert.equal(body.code, code, text);
      if (at !== undefined) assert.deepEqual([body.details.line, body.details.column], at, text);
      if (body.details.hint !== undefined)
        assert.doesNotMatch(body.details.hint, /^$|information_schema\.columns/);
      if (reason !== undefined)
        assert.deepEqual(
          body.reasons.map((each) => each.code),
          [reason],
        );
      if (message !== undefined) assert.match(body.message, message);
    });
  }

  test('a query cannot leave the role of the reader', async () => {
    for (const role of ['none', 'postgres']) {
      const { status, text } = await run(
        `SELECT set_config('role', '${role}', true), query_to_xml('SELECT current_user AS u', true, true, '')`,
      );
      assert.ok(status === 400 || /<u>[^<]*reader/.test(text), text);
    }
  });

  test('nothing has changed afterwards', async () => {
    const settings =
      "SELECT set_config('role', 'none', false), set_config('search_path', 'pg_catalog', false)";
    // The sandbox's own database refuses this, but a role that can log in may change its own settings. Over a person's
    // own data, both functions are refused by their names.
    const { status, body: refused } = await run(settings);
    assert.ok(status === 200 || ['QUERY_FAILED', 'QUERY_PARSE_ERROR'].includes(refused.code));
    assert.equal((await run('SELECT pg_advisory_lock(1)')).status, isOwnData() ? 400 : 200);
    const { body } = await run(
      "SELECT count(*) FROM accounts, (SELECT current_user AS u) x WHERE x.u LIKE 'reader%'",
    );
    assert.deepEqual(body.rows, [[300]]);
  });
});

suite('pages', () => {
  const sql = 'SELECT g, random() AS r FROM generate_series(1, 25) g';

  test('come from one run, may have any size, and end', async () => {
    const seen: number[][] = [];
    let pageToken: string | undefined;
    const sizes = [1, 10, 3, 10, 10];
    for (const pageSize of sizes) {
      const { body, text } = await run(
        sql,
        {},
        { pageSize, ...(pageToken === undefined ? {} : { pageToken }) },
      );
      assert.ok(body.rows, text);
      assert.equal(body.rowCount, 25);
      seen.push(...(body.rows as number[][])); // the query selects two numbers per row
      pageToken = body.nextPageToken ?? undefined;
      if (pageToken === undefined) break;
    }
    assert.deepEqual(
      seen.map(([g]) => g),
      Array.from({ length: 25 }, (_, index) => index + 1),
    );
    assert.equal(pageToken, undefined);
    assert.equal(new Set(seen.map(([, r]) => r)).size, 25);
  });

  test('the same token gives the same page', async () => {
    const { body } = await run(sql, {}, { pageSize: 10 });
    const more = { pageSize: 10, pageToken: body.nextPageToken };
    assert.equal((await run(sql, {}, more)).text, (await run(sql, {}, more)).text);
  });

  test('a token is valid only for its query and parameters', async () => {
    const { body } = await run(sql, {}, { pageSize: 10 });
    const more = { pageToken: body.nextPageToken };
    for (const answer of [await run(`${sql} `, {}, more), await run(sql, { a: 1 }, more)]) {
      assert.equal(answer.body.code, 'BAD_REQUEST');
      assert.equal(answer.body.details.field, 'pageToken');
    }
  });

  test('a page of several megabytes arrives completely, with its content length', async () => {
    const large = "SELECT g, repeat('ä🙂', 500) AS t FROM generate_series(1, 5000) g";
    const { body, text, headers } = await run(large, {}, { pageSize: 3_000 });
    assert.equal(Number(headers.get('content-length')), Buffer.byteLength(text));
    assert.ok(text.length > 3_000_000);
    const rest = await run(large, {}, { pageSize: 3_000, pageToken: body.nextPageToken });
    const rows = [...body.rows, ...rest.body.rows];
    assert.deepEqual(
      rows.map(([g]) => g),
      Array.from({ length: 5_000 }, (_, index) => index + 1),
    );
    assert.ok(rows.every(([, t]) => t === 'ä🙂'.repeat(500)));
  });

  test('a result that fits on one page has no token', async () => {
    assert.equal((await run(sql, {}, { pageSize: 25 })).body.nextPageToken, null);
    assert.ok((await run(sql, {}, { pageSize: 24 })).body.nextPageToken);
  });
});

suite('a large result, read while the query runs', () => {
  /** Wide enough that the service has not produced all rows when it sends the first page. */
  const wide = 'repeat(md5(g::text), 40) AS t';
  const pageOf = async (sql: string, pageToken: string | undefined, pageSize = 5_000) =>
    await run(sql, {}, { pageSize, ...(pageToken === undefined ? {} : { pageToken }) });
  /** Row 18,000 causes an error, so receiving earlier rows proves that no page waits for it. */
  const broken = `SELECT g, 1 / (18000 - g) AS x, ${wide} FROM generate_series(1, 19000) g`;

  test('every row arrives once and in order, from one snapshot', async () => {
    const sql = `SELECT g, random() AS r, now() AS at, ${wide} FROM generate_series(1, 19000) g`;
    const rows: unknown[][] = [];
    const texts = new Map<string, unknown[][]>();
    let pageToken: string | undefined;
    let last: ExecuteBody;
    do {
      const { body, text } = await pageOf(sql, pageToken, rows.length === 0 ? 5_000 : 3_333);
      assert.ok(body.rows, text);
      if (pageToken !== undefined) texts.set(pageToken, body.rows);
      rows.push(...body.rows);
      last = body;
      pageToken = body.nextPageToken ?? undefined;
    } while (pageToken !== undefined);
    assert.equal(last.rowCount, 19_000, 'known at the end at the latest');
    assert.deepEqual(
      rows.map(([g]) => g),
      Array.from({ length: 19_000 }, (_, index) => index + 1),
    );
    assert.equal(new Set(rows.map(([, , at]) => at)).size, 1);
    for (const [token, earlier] of texts)
      assert.deepEqual((await pageOf(sql, token, 3_333)).body.rows, earlier);
  });

  test('after a later failure, earlier pages are kept, and the failed page fails each time', async () => {
    const first = await pageOf(broken, undefined);
    assert.equal(first.status, 200, first.text.slice(0, 500));
    const second = await pageOf(broken, first.body.nextPageToken ?? undefined, 10_000);
    assert.equal(second.body.rows.length, 10_000);
    for (let time = 0; time < 2; time += 1) {
      const third = await pageOf(broken, second.body.nextPageToken ?? undefined);
      assert.equal(third.body.code, 'QUERY_FAILED', third.text.slice(0, 500));
      assert.match(third.body.message, /division by zero/);
    }
    assert.equal((await pageOf(broken, first.body.nextPageToken ?? undefined, 10_000)).status, 200);
  });

  test('the row limit applies to later pages', async () => {
    const over = `SELECT g, ${wide} FROM generate_series(1, 20001) g`;
    const first = await pageOf(over, undefined);
    const second = await pageOf(over, first.body.nextPageToken ?? undefined, 10_000);
    const third = await pageOf(over, second.body.nextPageToken ?? undefined, 10_000);
    assert.equal(third.body.code, 'QUERY_FAILED');
    assert.match(third.body.message, /20000 rows/);
  });

  const stuck = `SELECT g, ${wide}, CASE WHEN g = 12000 THEN pg_sleep(1000)::text END AS n FROM generate_series(1, 15000) g`;

  test('the time limit ends the rest of the query, while other queries get responses', async () => {
    const first = await pageOf(stuck, undefined);
    assert.equal(first.status, 200, first.text.slice(0, 500));
    assert.equal(first.body.rowCount, undefined, 'nobody knows yet');
    const other = run('SELECT count(*) FROM accounts');
    const second = await pageOf(stuck, first.body.nextPageToken ?? undefined, 10_000);
    assert.equal(second.body.code, 'QUERY_TIMEOUT');
    assert.deepEqual((await other).body.rows, [[300]]);
    const rest = await pageOf(stuck, first.body.nextPageToken ?? undefined);
    assert.equal(rest.body.rows.length, 5_000, 'what was there is there');
  });

  test('a page can be requested again after its request was aborted', async () => {
    const { body } = await pageOf(broken, undefined);
    const abort = new AbortController();
    const token = await http.token('read');
    const abandoned = fetch(`${sandbox.baseUrl}/v1/query/execute`, {
      method: 'POST',
      signal: abort.signal,
      headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
      body: JSON.stringify({ query_string: broken, pageSize: 10_000, pageToken: body.nextPageToken }),
    });
    const failed = assert.rejects(abandoned);
    abort.abort();
    await failed;
    const again = await pageOf(broken, body.nextPageToken ?? undefined, 10_000);
    assert.equal(again.body.rows.length, 10_000);
  });
});

suite('limits', () => {
  test('returns rows up to the limit, and no more', async () => {
    const many = await run('SELECT g FROM generate_series(1, 20000) g', {}, { pageSize: 10 });
    assert.equal(many.body.rowCount, 20_000);
    const over = await run('SELECT g FROM generate_series(1, 20001) g', {}, { pageSize: 10 });
    assert.equal(over.body.code, 'QUERY_FAILED');
    assert.match(over.body.message, /20000 rows/);
  });

  test('an abandoned query is terminated', async () => {
    const abort = new AbortController();
    const token = await http.token('read');
    const abandoned = fetch(`${sandbox.baseUrl}/v1/query/execute`, {
      method: 'POST',
      signal: abort.signal,
      headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
      body: JSON.stringify({ query_string: 'SELECT count(*) FROM generate_series(1, 100000000000) a' }),
    });
    const failed = assert.rejects(abandoned);
    await http.call(endpoints.listModels);
    abort.abort();
    await failed;
    assert.deepEqual((await run('SELECT 1')).body.rows, [[1]]);
  });

  test('the deepest query that PostgreSQL accepts does not crash the service', async () => {
    const deep = `SELECT ${'('.repeat(20_000)}1${')'.repeat(20_000)}`;
    const { status } = await run(deep);
    assert.ok(status === 200 || status === 400 || status === 500);
    assert.deepEqual((await run('SELECT 1')).body.rows, [[1]]);
  });
});

suite('the data', () => {
  for (const { name, query_string, model } of sampleQueries) {
    test(`the sample "${name}" runs and finds something`, async () => {
      const parameters: Record<string, ParameterValue> = {};
      for (const { name: parameter, type, defaultText = 'a' } of parameterDeclarations(
        query_string,
      ).values()) {
        const { value } = parseValue(type, defaultText, new Date());
        assert.ok(value !== undefined);
        parameters[parameter] = value;
      }
      const { body, status, text } = await run(query_string, parameters, { model });
      assert.equal(status, 200, text);
      assert.ok(body.rows.length > 0);
    });
  }

  if (isOwnData()) return;

  test('information_schema shows only the tables and columns of the model', async () => {
    const sql = `SELECT table_name, count(*)::int AS columns FROM information_schema.columns
      WHERE table_schema LIKE 'platform%' GROUP BY 1 ORDER BY 1`;
    const identity = await run(sql);
    const expected = Object.values(collections)
      .map((collection) => [collection.table, columnsOf(collection.schema).length])
      .sort(([a], [b]) => (String(a) < String(b) ? -1 : 1));
    assert.deepEqual(identity.body.rows, expected);
    const governance = await run(sql, {}, { model: 'platform_governance' });
    const names = governance.body.rows.map((row) => row[0]);
    assert.deepEqual(names, ['access', 'people', 'privileged_access']);
  });

  test('columns have their descriptions', async () => {
    const { body } = await run(
      "SELECT col_description('accounts'::regclass, ordinal_position) FROM information_schema.columns WHERE table_name = 'accounts' AND column_name = 'alias'",
    );
    assert.match(String(body.rows[0]?.[0]), /user name/);
  });
});
