/** The server's parser: short queries are parsed in its own thread, others in the worker, with the same results. */
import assert from 'node:assert/strict';
import { after, describe, it } from 'node:test';
import { ServerParser } from '#server/parser/server-parser.ts';
import { WorkerParser } from '#server/parser/worker-parser.ts';

const own = new ServerParser();
const worker = new WorkerParser({ timeLimitsMs: [20_000, 20_000] });
after(() => Promise.all([own.dispose(), worker.dispose()]));

const texts = [
  'SELECT 1',
  'SELECT a, FROM t',
  "DELETE FROM t WHERE name = 'größer 💥'",
  'WITH x AS (INSERT INTO t VALUES (1) RETURNING *) SELECT * FROM x FOR UPDATE',
  "SELECT nextval('s'), 1 INTO u",
  'SELECT \0',
  '',
];

describe("the server's parser", () => {
  it('parses a small text exactly as the worker does', async () => {
    assert.deepEqual(await own.parse(texts), await worker.parse(texts));
    assert.deepEqual(await own.readNames(texts), await worker.readNames(texts));
  });

  it('reads the same names whether or not it has parsed the text', async () => {
    const queries = [
      'SELECT lower(a.name) FROM accounts a',
      "SELECT lower('größer'), a.größe FROM accounts a WHERE lower(name) = '💥'",
      String.raw`SELECT lower(E'\u00e9'), lower(U&'\00e9'), x FROM accounts`,
      'WITH "ä" AS (SELECT id AS "ö" FROM accounts) SELECT "ö", b FROM "ä"',
      'WITH a AS (SELECT id FROM accounts) SELECT id FROM a; SELECT lower(b) FROM c',
    ];
    for (const text of queries) {
      const fresh = new ServerParser();
      const names = await fresh.readNames([text]);
      await fresh.dispose();
      await own.parse([text]);
      assert.deepEqual(await own.readNames([text]), names, text);
    }
  });

  it('passes a large text to the worker, together with the other texts', async () => {
    const large = ['SELECT 1', `SELECT ${'1, '.repeat(30_000)}1`];
    assert.deepEqual(await own.parse(large), await worker.parse(large));
    assert.deepEqual(await own.parse(large, () => true), undefined);
  });

  it('passes a text that breaks the parser to the worker, and continues with a new instance', async () => {
    for (let n = 0; n < 20; n++) {
      const deep = `SELECT ${'('.repeat(1_900 + n)}1${')'.repeat(1_900 + n)}`;
      const chained = `SELECT 1${'-1'.repeat(1_900 + n)}`;
      for (const text of [deep, chained]) {
        assert.deepEqual(
          (await own.parse([text]))?.map(({ kind }) => kind),
          ['parsed'],
        );
        assert.ok((await own.readNames([text]))?.[0] !== undefined);
      }
      assert.deepEqual(
        (await own.parse(['SELECT 1', 'SELEC']))?.map(({ kind }) => kind),
        ['parsed', 'syntax-error'],
      );
    }
  });
});

describe('a large text', () => {
  const large = (n: number) => `SELECT ${'1, '.repeat(3_000)}${n}`;

  it('is never parsed in this thread, where nobody could end it, not even the first one', async () => {
    await worker.parse(['SELECT 1']); // has started
    let started = 0;
    const count = () => (started += 1);
    process.on('worker', count);
    const parser = new ServerParser();
    try {
      assert.deepEqual(await parser.parse([large(1)]), await worker.parse([large(1)]));
      assert.equal(started, 1);
      assert.deepEqual(await parser.parse([large(2)]), await worker.parse([large(2)]));
      assert.equal(started, 1);
      assert.deepEqual(await parser.readNames([large(2)]), await worker.readNames([large(2)]));
      assert.deepEqual(await parser.parse([large(3)]), await worker.parse([large(3)]));
      assert.equal(started, 1);
    } finally {
      process.off('worker', count);
      await parser.dispose();
    }
  });
});
