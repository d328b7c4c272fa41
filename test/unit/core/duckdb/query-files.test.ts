import assert from 'node:assert/strict';
import { mkdir, mkdtemp, readdir, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { after, before, describe, it } from 'node:test';
/** SQL over files with the person's DuckDB, in a process that can read nothing else. */
import { ExactNumber, jsonText } from '#api/client/json.ts';
import { findDuckDb } from '#core/duckdb/find-duckdb.ts';
import { givenFiles, GivenFileError } from '#core/duckdb/given-files.ts';
import { runLocked } from '#core/duckdb/locked-duckdb.ts';
import { queryFiles } from '#core/duckdb/query-files.ts';
import { createLocalData } from '#core/rows/local-data.ts';
import { countOf } from '#core/rows/page-rows.ts';

const root = path.join(import.meta.dirname, '../../../..');
const library = path.join(root, 'node_modules/@duckdb/node-api');
const script = new URL('../../../../core/src/duckdb/duckdb-process.ts', import.meta.url);

let folder: string;
before(async () => {
  folder = await mkdtemp(path.join(tmpdir(), 'identity-queries-files-'));
  await mkdir(path.join(folder, 'rows'));
  await writeFile(path.join(folder, 'secret.csv'), 'k\nhidden\n');
  await writeFile(path.join(folder, 'rows/admins.csv'), 'id,name\r\n007,"O\'Brien, A"\r\n8,\r\n');
  await writeFile(
    path.join(folder, 'rows/events.jsonl'),
    '{"id":"7","n":9007199254740993}\n{"id":"9","n":null}\n',
  );
});
after(() => rm(folder, { recursive: true }));

async function rowsOf(sql: string, given: readonly string[], signal = new AbortController().signal) {
  const files = await givenFiles(given, folder);
  const rows: unknown[] = [];
  let columns: readonly (readonly [string, string])[] = [];
  let isComplete = false;
  for await (const page of queryFiles({ sql, files, library, script, signal })) {
    columns = page.columns.map(({ name, type }) => [name, type]);
    rows.push(...(page.rows as unknown[]));
    isComplete = page.isLast;
  }
  assert.ok(isComplete);
  return { columns, rows };
}

/** In this process, which is quicker; each statement has a DuckDB of its own. */
async function lockedRows(sql: string) {
  const files = await givenFiles(['rows/admins.csv'], folder);
  const task = { library, files, memoryMb: 256, threads: 1, spillFolder: path.join(folder, 'spill') };
  const stream = await runLocked({ ...task, sql });
  const rows: unknown[] = [];
  for (;;) {
    const chunk = await stream.fetchChunk();
    if (chunk === null || chunk.rowCount === 0) return rows;
    rows.push(...chunk.getRows());
  }
}

describe('a query over files', () => {
  it('has a table for each file, whose values are exact', async () => {
    const { columns, rows } = await rowsOf(
      "SELECT a.id, a.name, e.n FROM admins a LEFT JOIN events e ON e.id = ltrim(a.id, '0') ORDER BY a.id",
      ['rows'],
    );
    assert.deepEqual(columns, [
      ['id', 'text'],
      ['name', 'text'],
      ['n', 'int8'],
    ]);
    assert.deepEqual(rows, [
      ['007', "O'Brien, A", 9007199254740993n],
      ['8', null, null],
    ]);
  });

  it('takes names and values as they are written, and guesses nothing', async () => {
    const odd = path.join(folder, 'year=2020');
    await mkdir(odd);
    await writeFile(
      path.join(odd, 'o[1]*.csv'),
      '# note;x,b\r\n,""\r\n"multi\r\nline",007\r\n#1,2020-01-01\r\n',
    );
    await writeFile(path.join(odd, 'o1x.csv'), 'k\nhidden\n');
    const named = path.join('year=2020', 'o[1]*.csv');
    const { columns, rows } = await rowsOf('FROM "o[1]*"', [named]);
    assert.deepEqual(columns, [
      ['# note;x', 'text'],
      ['b', 'text'],
    ]);
    assert.deepEqual(rows, [
      [null, ''],
      ['multi\r\nline', '007'],
      ['#1', '2020-01-01'],
    ]);
    await writeFile(
      path.join(odd, 'j.json'),
      '[{"t":"2020-01-01T00:00:00+02:00","d":"2020-01-01","n":null}]',
    );
    const json = await rowsOf('SELECT t, d FROM j', [path.join('year=2020', 'j.json')]);
    assert.deepEqual(json.rows, [['2020-01-01T00:00:00+02:00', '2020-01-01']]);
  });

  it('names the file that cannot be read, without advice that nobody can follow', async () => {
    const [short, utf16, half] = ['s[1].csv', 'u.csv', 'h.jsonl'].map((name) => path.join(folder, name));
    assert.ok(short !== undefined && utf16 !== undefined && half !== undefined);
    await writeFile(short, 'a,b\n1\n');
    await writeFile(utf16, Buffer.from([0xff, 0xfe]));
    await writeFile(half, '{"a":1\n');
    for (const file of [short, utf16, half])
      await assert.rejects(rowsOf('SELECT 1', [file]), ({ message }: Error) => {
        assert.ok(message.includes(file), message);
        assert.doesNotMatch(message, /Possible|strict_mode|CREATE VIEW/);
        return true;
      });
    await assert.rejects(rowsOf('SELECT nope FROM admins', ['rows']), /LINE 1: SELECT nope FROM admins/);
  });

  it('reads what this product exports as Parquet, with its types', async () => {
    const types = { i: 'int8', n: 'numeric', t: 'timestamptz', d: 'date', b: 'bool', j: 'jsonb' };
    const data = createLocalData().create(Object.entries(types).map(([name, type]) => ({ name, type })));
    await data.append([[1, 1.5, '2026-01-31 08:00:00+00', '2026-01-31', true, { a: [1] }]]);
    const file = path.join(folder, 'typed.parquet');
    await data.ask('export', {
      scope: 'all',
      columns: [0, 1, 2, 3, 4, 5],
      file: {
        ...{ format: 'parquet', path: file, nullText: '', guardFormulas: false },
        ...{ tableName: 't', byteOrderMark: false },
      },
    });
    const { columns, rows } = await rowsOf('SELECT * FROM typed', [file]);
    assert.deepEqual(columns.map(([, type]) => type).slice(0, 5), Object.values(types).slice(0, 5));
    assert.deepEqual(rows, [[1n, 1.5, '2026-01-31 08:00:00+00', '2026-01-31', true, '{"a":[1]}']]);
  });

  it('writes every type of DuckDB as this product does', async () => {
    const { columns, rows } = await rowsOf(
      `SELECT 'ab'::BLOB, INTERVAL 1 DAY, 1.10::DECIMAL(38, 2), 'nan'::DOUBLE, 1.1::FLOAT, [1, NULL],
       {'a': 1.5, 'b': DATE '2020-01-01'}, MAP {'k': 2}, 'infinity'::DATE, '-infinity'::TIMESTAMP,
       170141183460469231731687303715884105727::HUGEINT, NULL, '{"x": 1}'::JSON`,
      ['rows'],
    );
    assert.deepEqual(
      columns.map(([, type]) => type),
      [
        ...['bytea', 'interval', 'numeric', 'float8', 'float4', 'jsonb', 'jsonb', 'jsonb', 'date'],
        ...['timestamp', 'numeric', 'int4', 'jsonb'],
      ],
    );
    const exact = await rowsOf(
      `SELECT '{"n": 12345678901234567890.10, "l": [1e400]}'::JSON, {'b': 9007199254740993, 'd': 1.50::DECIMAL(38, 2)}`,
      ['rows'],
    );
    assert.deepEqual(exact.rows.flat().map(jsonText), [
      '{"n":12345678901234567890.10,"l":[1e400]}',
      '{"b":9007199254740993,"d":1.50}',
    ]);
    assert.deepEqual(rows, [
      [
        ...[
          '\\x6162',
          '1 day',
          new ExactNumber('1.10'),
          'NaN',
          1.1,
          [1, null],
          { a: 1.5, b: '2020-01-01' },
          { k: 2 },
        ],
        ...['infinity', '-infinity', 170141183460469231731687303715884105727n, null, { x: 1 }],
      ],
    ]);
  });

  it('reads and writes nothing but the given files', async () => {
    const csv = path.join(folder, 'rows/admins.csv');
    const secret = path.join(folder, 'secret.csv');
    const out = path.join(folder, 'out');
    const hostile = [
      `SELECT * FROM '${secret}'`,
      `SELECT * FROM read_csv('${secret}')`,
      `SELECT * FROM read_csv('${path.dirname(secret)}/*.csv')`,
      `SELECT * FROM read_csv('${csv}/../../secret.csv')`,
      `SELECT * FROM read_text('/etc/passwd')`,
      `SELECT * FROM read_blob('/proc/self/environ')`,
      `SELECT * FROM glob('/etc/*')`,
      `SELECT * FROM glob('${folder}/*')`,
      `SELECT * FROM sniff_csv('${secret}')`,
      `SELECT * FROM parquet_metadata('${secret}')`,
      `SELECT * FROM read_json('${secret}')`,
      `SELECT * FROM read_duckdb('${secret}')`,
      `SELECT * FROM 'https://example.com/x.csv'`,
      `SELECT * FROM read_parquet('s3://bucket/x')`,
      `SELECT (SELECT content FROM read_text('${secret}')) FROM admins`,
      `WITH x AS (SELECT * FROM '${secret}') SELECT * FROM x`,
      `SELECT * FROM query('SELECT * FROM ''${secret}''')`,
      `SELECT * FROM "query"('FROM admins')`,
      `SELECT * FROM query_table('admins')`,
      `SELECT * FROM enable_logging(storage='file', storage_path='${out}')`,
      `SELECT * FROM json_execute_serialized_sql(json_serialize_sql('SELECT * FROM enable_logging()'))`,
      `SELECT * FROM enable_profiling(format='json', save_location='${out}.json')`,
      `SELECT * FROM "enable_profiling" (format='json', save_location='${out}.json')`,
      `SELECT * FROM enable_profiling/* /* */ */(format='json', save_location='${out}.json')`,
      `SELECT * FROM ENABLE_profiling --x\n (format='json')`,
      `SELECT (SELECT count(*) FROM query('FR' || 'OM admins'))`,
      `FROM query/**/('FROM admins')`,
      `SELECT * FROM force_checkpoint()`,
      `SELECT write_log('x')`,
      `COPY admins TO '${out}'`,
      `COPY admins TO '${csv}'`,
      `COPY (SELECT 1) TO '/dev/stdout'`,
      `EXPORT DATABASE '${out}'`,
      `ATTACH '${out}' AS x`,
      `ATTACH '${out}'`,
      'INSTALL httpfs',
      'LOAD httpfs',
      `LOAD '${secret}'`,
      'SET enable_external_access = true',
      'RESET enable_external_access',
      'SET lock_configuration = false',
      "SET memory_limit = '100GB'",
      'PRAGMA enable_profiling',
      `PRAGMA profiling_output='${out}'`,
      'CREATE TABLE t AS SELECT 1',
      `CREATE SECRET s (TYPE s3, KEY_ID 'x')`,
      'DROP VIEW admins',
      'CALL pragma_version()',
      'EXPLAIN ANALYZE SELECT 1',
      'PREPARE p AS SELECT 1',
      'EXECUTE p',
      'SELECT 1; SELECT 2',
      `SELECT 1; COPY (SELECT 1) TO '${out}'`,
      'CHECKPOINT',
      'VACUUM',
      'INSERT INTO admins VALUES (1)',
      'UPDATE admins SET id = 1',
      "SELECT getenv('HOME')",
      'SELECT * FROM arrow_scan(1, 2, 3)',
      '',
      '--',
    ];
    const files = await readdir(folder, { recursive: true });
    for (const sql of hostile) await assert.rejects(lockedRows(sql), sql);
    assert.deepEqual(await readdir(folder, { recursive: true }), files);
  });

  it('calls no function that sets something, whatever this DuckDB has', async () => {
    const found = await lockedRows(
      "SELECT DISTINCT function_name FROM duckdb_functions() WHERE regexp_matches(function_name, '^(enable|disable|set|reset|force|truncate)_') AND function_type IN ('table', 'pragma', 'scalar')",
    );
    const setting = (found as readonly (readonly [string])[])
      .map(([name]) => name)
      .filter((name) => name !== 'set_bit');
    assert.ok(setting.length >= 4, setting.join());
    for (const name of setting)
      for (const call of [`SELECT * FROM ${name}()`, `SELECT ${name}()`])
        await assert.rejects(lockedRows(call), call);
  });

  it('may use all that DuckDB reads with', async () => {
    for (const [sql, count] of [
      ['FROM admins', 2],
      ['DESCRIBE admins', 2],
      ['SUMMARIZE admins', 2],
      ["WITH a AS (SELECT 'query(' AS query FROM admins) SELECT query FROM a", 2],
      ['VALUES (1), (2), (3)', 3],
      ['SELECT * FROM admins EXCEPT SELECT * FROM admins WHERE id = 8', 1],
      ['SELECT * FROM range(5000)', 5000],
    ] as const)
      assert.equal((await lockedRows(sql)).length, count, sql);
  });

  it('ends with its process, at once, and leaves nothing', async () => {
    const spills = async () =>
      (await readdir(tmpdir())).filter((name) => name.startsWith('identity-queries-duckdb-'));
    const ours = await spills();
    const stop = new AbortController();
    const endless = rowsOf(
      'SELECT count(*) FROM range(10000000000) a, range(10000000000) b',
      ['rows'],
      stop.signal,
    );
    setImmediate(() => stop.abort(new Error('stopped')));
    await assert.rejects(endless, /stopped/);
    // A reader that wants no more rows ends the process, too.
    const files = await givenFiles(['rows'], folder);
    const query = { sql: 'SELECT * FROM range(100000000)', files, library, script };
    for await (const page of queryFiles({ ...query, signal: new AbortController().signal }))
      if (countOf(page.rows) > 0) break;
    assert.deepEqual(
      (await spills()).filter((name) => !ours.includes(name)),
      [],
    );
  });

  it('says what is wrong with DuckDB itself', async () => {
    const files = await givenFiles(['rows'], folder);
    const signal = new AbortController().signal;
    const broken = path.join(folder, 'broken');
    await mkdir(broken);
    await writeFile(path.join(broken, 'package.json'), '{"name":"@duckdb/node-api","main":"none.js"}');
    for (const [each, message] of [
      [broken, /DuckDB could not be loaded: Cannot find module/],
      [path.join(root, 'node_modules/esbuild'), /DuckDB/],
    ] as const)
      await assert.rejects(
        queryFiles({ sql: 'SELECT 1', files, library: each, script, signal }).next(),
        message,
      );
  });
});

describe('the given files', () => {
  it('may be files, folders and names of tables', async () => {
    const files = await givenFiles(['rows', 'kept=secret.csv'], folder);
    assert.deepEqual(
      files.map(({ name, format }) => [name, format]),
      [
        ['admins', 'csv'],
        ['events', 'jsonl'],
        ['kept', 'csv'],
      ],
    );
  });

  it('are refused if they are none, or would have one name', async () => {
    await mkdir(path.join(folder, 'empty'));
    await writeFile(path.join(folder, 'notes.txt'), '');
    await writeFile(path.join(folder, 'Admins.csv'), 'id\n');
    for (const [given, message] of [
      [['missing.csv'], /"missing\.csv": it does not exist/],
      [['empty'], /it has no file that ends in \.parquet/],
      [['notes.txt'], /does not end in one of/],
      [['x=rows'], /it is a folder/],
      [['rows', 'Admins.csv'], /would both be the table "Admins"\. Name one of them: NAME=FILE/],
      [['/dev/zero'], /a pipe, a device or a socket/],
    ] as const)
      await assert.rejects(givenFiles(given, folder), (error) => {
        assert.ok(error instanceof GivenFileError);
        assert.match(error.message, message);
        return true;
      });
  });

  it('of a folder are its own: a link there was not named', async () => {
    const made = path.join(folder, 'links');
    await mkdir(made);
    await symlink(path.join(folder, 'secret.csv'), path.join(made, 'secret.csv'));
    await writeFile(path.join(made, 'own.csv'), 'a\n1\n');
    assert.deepEqual(
      (await givenFiles(['links'], folder)).map(({ name }) => name),
      ['own'],
    );
    // A link that the person names is followed.
    const [named] = await givenFiles(['links/secret.csv'], folder);
    assert.equal(path.basename(path.dirname(named?.path ?? '')), path.basename(folder));
  });
});

describe('DuckDB', () => {
  it('is found where the person says, or among the global packages, never beside the project', async () => {
    const put = async (place: string) => {
      const at = path.join(folder, place, '@duckdb/node-api');
      await mkdir(at, { recursive: true });
      await writeFile(path.join(at, 'package.json'), '{"name":"@duckdb/node-api"}');
      return at;
    };
    const work = path.join(folder, 'home/project');
    await mkdir(work, { recursive: true });
    const program = path.join(folder, 'tools/bin/node');
    const find = (named?: string) =>
      findDuckDb({
        named,
        environment: { PATH: path.join(folder, 'home/project/bin') },
        folders: [work],
        program,
      });
    // In the project and above it, as a package manager would find it.
    await put('home/project/node_modules');
    await put('home/node_modules');
    await put('home/project/lib/node_modules');
    assert.equal(await find(), undefined);
    const global = await put('tools/lib/node_modules');
    assert.equal(await find(), global);
    // A link that leads into the project.
    await rm(global, { recursive: true });
    await symlink(path.join(folder, 'home/project/node_modules/@duckdb/node-api'), global);
    assert.equal(await find(), undefined);
    const own = await put('own');
    // And one that leads through a link of the project.
    await symlink(own, path.join(work, 'outside'));
    await rm(global);
    await symlink(path.join(work, 'outside'), global);
    assert.equal(await find(), undefined);
    await rm(global);
    await symlink(own, global);
    assert.equal(await find(), own);
    for (const named of [own, path.join(folder, 'own'), '../../own']) assert.equal(await find(named), own);
    assert.equal(await find(path.join(folder, 'rows')), undefined);
  });
});
