/** Dialects other than PostgreSQL: statements that are proven read-only, flagged, or left unverified. */
import assert from 'node:assert/strict';
import { after, describe, it } from 'node:test';
import { dialects } from '#base/dialects.ts';
import { Analyser } from '#server/language/checks/analyser.ts';
import { DialectAnalyser } from '#server/language/dialects/analyse.ts';
import { dialectTraits, type Dialect } from '#server/language/text/dialects.ts';
import { lexDialect } from '#server/language/text/lexer/lex-dialect.ts';
import { TokenKind } from '#server/language/text/lexer/tokens.ts';
import { WorkerDialectParser } from '#server/parser/dialect-parser.ts';
import { WorkerParser } from '#server/parser/worker-parser.ts';

// A long time limit, so that the speed of the machine does not matter.
const parser = new WorkerDialectParser({ timeLimitMs: 60_000 });
const postgresql = new WorkerParser();
const analyser = new Analyser(postgresql, new DialectAnalyser(parser));
after(async () => {
  await Promise.all([parser.dispose(), postgresql.dispose()]);
});

async function check(dialect: Dialect, sql: string): Promise<{ verdicts: string[]; found: string[] }> {
  const analysis = await analyser.analyse(sql, { isSavedQuery: false, dialect });
  assert.ok(analysis !== undefined);
  return {
    verdicts: analysis.statements.map(({ verdict }) => verdict),
    found: analysis.findings.map(
      ({ severity, code, start, end }) => `${severity} ${code} ${sql.slice(start, end)}`,
    ),
  };
}

/** Valid SELECT statements, which must be proven read-only without a finding. */
const harmless: Readonly<Record<Dialect, readonly string[]>> = {
  athena: ['SELECT a FROM t WHERE b = :b', "SELECT 'INSERT INTO x' AS text FROM t"],
  bigquery: [
    'SELECT a FROM `project.data.t` WHERE b = 1 # DELETE FROM t',
    "SELECT REGEXP_CONTAINS(a, r'\\d+') FROM t",
    "SELECT 'it\\'s' AS a FROM t",
    'SELECT "delete from t" AS a FROM t',
  ],
  db2: ['SELECT a FROM t WHERE b = :b', 'SELECT "UPDATE" FROM t'],
  flinksql: ['SELECT a FROM t WHERE b = 1', 'SELECT `update` FROM t'],
  hive: ['SELECT a FROM t WHERE b = 1', "SELECT 'it\\'s' FROM t"],
  mariadb: ['SELECT `insert` FROM t WHERE b = :b LIMIT 5', 'SELECT 1 -- INTO x'],
  mysql: [
    'SELECT :a FROM t WHERE x = :b',
    'WITH a AS (SELECT 1 AS x) SELECT x FROM a UNION ALL SELECT 2',
    "SELECT REPLACE(a, 'x', 'y') FROM t",
    'SELECT `delete`, t.`update` FROM t # INTO x',
    "SELECT a FROM t WHERE b = 'DROP TABLE t; --' /* DELETE */",
    'SELECT a FROM t ORDER BY a DESC, b ASC LIMIT 10, 20',
    "SELECT 'a''b', \"c\" FROM t",
  ],
  noql: ['SELECT a FROM t WHERE b = 1'],
  redshift: ['SELECT a FROM t WHERE b = :b', 'SELECT "into" FROM t'],
  snowflake: [
    'SELECT a FROM t WHERE b = :b',
    'SELECT src:customer.name FROM t',
    "SELECT 'it\\'s' FROM t",
    'SELECT a FROM t QUALIFY row_number() OVER (PARTITION BY b ORDER BY c DESC) = 1',
  ],
  sqlite: ['SELECT a FROM t WHERE b = :b LIMIT 3', 'SELECT "delete" FROM t'],
  transactsql: [
    'SELECT TOP 10 [delete], a FROM t WHERE b = :b',
    "SELECT a FROM [drop table] WHERE b = 'EXEC x'",
    'SELECT a FROM t ORDER BY a OFFSET 5 ROWS FETCH NEXT 5 ROWS ONLY',
    'SELECT a FROM #temporary',
  ],
  trino: ['SELECT a FROM t WHERE b = :b', 'SELECT "update" FROM t'],
};

/** Statements that must not be proven read-only in any dialect. */
const hostileEverywhere: readonly string[] = [
  'DELETE FROM t',
  'DROP TABLE t',
  'INSERT INTO t VALUES (1)',
  'UPDATE t SET a = 1',
  'MERGE INTO t USING s ON t.a = s.a WHEN MATCHED THEN DELETE',
  'CREATE TABLE x AS SELECT 1 AS a',
  'TRUNCATE TABLE t',
  'GRANT SELECT ON t TO u',
  'CALL p()',
  'EXPLAIN SELECT 1',
  'WITH a AS (DELETE FROM t) SELECT 1',
  'WITH a AS (INSERT INTO t VALUES (1) RETURNING *) SELECT * FROM a',
  'SELECT * INTO x FROM t',
  'SELECT a FROM t FOR UPDATE',
  'SELECT a FROM (SELECT b FROM t FOR UPDATE) s',
  'SELECT a FROM t FOR SHARE',
  'SELECT /* /* */ DELETE FROM t; -- */ 1',
  'SELECT 1 -- a\rDELETE FROM t',
  'SELECT 1 -- a\u2028DELETE FROM t',
  'SELECT 1 /* not closed',
  "SELECT 'not closed",
  'SELECT 1\0',
  'SELECT $$; DELETE FROM t; $$ AS a',
];

const hostile: Readonly<Record<Dialect, readonly string[]>> = {
  athena: ["SELECT 'a\\'; DELETE FROM t; --'", "UNLOAD (SELECT 1) TO 's3://x'"],
  bigquery: [
    'SELECT """a" ; DELETE FROM t; -- """',
    "EXPORT DATA OPTIONS (uri = 'gs://x') AS SELECT 1",
    'BEGIN DELETE FROM t; END',
  ],
  db2: ["SELECT 'a\\'; DELETE FROM t; --'", 'SELECT a FROM FINAL TABLE (INSERT INTO t VALUES (1))'],
  flinksql: ["SELECT 'a\\'; DELETE FROM t; --'", 'EXECUTE STATEMENT SET BEGIN INSERT INTO a SELECT 1; END'],
  hive: ['FROM t INSERT INTO x SELECT a', "LOAD DATA INPATH '/x' INTO TABLE t"],
  mariadb: [
    "SELECT 'a\\'; DELETE FROM t; --'",
    "SELECT 1 /*M! INTO OUTFILE '/x' */ FROM t",
    'SELECT NEXT VALUE FOR s',
    'SELECT NEXTVAL(s)',
    'HANDLER t OPEN',
  ],
  mysql: [
    "SELECT 'a\\'; DELETE FROM t; --'",
    "SELECT 1 INTO OUTFILE '/x' FROM t",
    "SELECT a FROM t INTO DUMPFILE '/x'",
    'SELECT a INTO @b FROM t',
    "SELECT 1 /*! INTO OUTFILE '/x' */ FROM t",
    "SELECT 1 /*!50000 INTO OUTFILE '/x' */ FROM t",
    'SELECT @a := 1',
    'SELECT a FROM t LOCK IN SHARE MODE',
    'SELECT a FROM t UNION SELECT 3 FOR UPDATE',
    "SELECT 5--1 INTO OUTFILE '/x'",
    'REPLACE INTO t VALUES (1)',
    "LOAD DATA INFILE '/x' INTO TABLE t",
    'SET GLOBAL a = 1',
    'SELECT 1 FROM t PROCEDURE ANALYSE()',
  ],
  noql: ["SELECT 'a\\'; DELETE FROM t; --'", "SELECT nextval('s')"],
  redshift: [
    "SELECT 'a\\'; DELETE FROM t; --'",
    "UNLOAD ('SELECT 1') TO 's3://x'",
    "COPY t FROM 's3://x'",
    'VACUUM t',
  ],
  snowflake: [
    'COPY INTO @stage FROM (SELECT 1)',
    'SELECT s.nextval',
    'SELECT 1 // a\n; DELETE FROM t',
    'PUT file:///x @s',
    'UNDROP TABLE t',
  ],
  sqlite: [
    "SELECT 'a\\'; DELETE FROM t; --'",
    "ATTACH 'x' AS y",
    'PRAGMA writable_schema = 1',
    'VACUUM INTO 1',
  ],
  transactsql: [
    "SELECT 'a\\'; DELETE FROM t; --'",
    'SELECT 1 DROP TABLE t',
    'SELECT 1 AS a DELETE FROM t',
    "SELECT 1 EXEC xp_cmdshell 'dir'",
    "SELECT * FROM OPENROWSET('x', 'y', 'z')",
    "SELECT * FROM OPENQUERY(s, 'DELETE t')",
    'SELECT * INTO #x FROM t',
    'SELECT NEXT VALUE FOR s',
    'SELECT 1\nGO\nDROP TABLE t',
    'SELECT [a]]; DELETE FROM t; --] FROM t',
    "WAITFOR DELAY '1:00'",
  ],
  trino: ["SELECT 'a\\'; DELETE FROM t; --'", 'PREPARE a FROM DELETE FROM t', 'EXECUTE a'],
};

for (const dialect of dialects) {
  describe(dialectTraits[dialect].title, () => {
    for (const sql of harmless[dialect]) {
      it(`proves ${sql}`, async () => {
        assert.deepEqual(await check(dialect, sql), { verdicts: ['read-only'], found: [] });
      });
    }
    for (const sql of [...hostileEverywhere, ...hostile[dialect]]) {
      it(`does not prove ${JSON.stringify(sql)}`, async () => {
        const { verdicts, found } = await check(dialect, sql);
        assert.ok(
          verdicts.some((verdict) => verdict !== 'read-only'),
          `proven: ${verdicts.join(', ')}`,
        );
        // Only a proven mutation is an error; a statement that cannot be parsed has a lower severity.
        for (const each of found) {
          assert.match(
            each,
            /^(error MUTATION_NOT_ALLOWED|warning QUERY_PARSE_ERROR|information COULD_NOT_BE_VERIFIED) /,
          );
        }
        assert.ok(found.length > 0);
      });
    }
    it('reports conflict markers in place of the errors that they cause', async () => {
      const { found } = await check(
        dialect,
        'SELECT a\n<<<<<<< mine\nFROM b\n=======\nFROM c\n>>>>>>> theirs',
      );
      assert.deepEqual(found, ['warning QUERY_PARSE_ERROR <<<<<<< mine']);
    });
    it('warns about unknown grammar, and then proves nothing', async () => {
      const { verdicts, found } = await check(dialect, 'SELECT a FRM t WHERE');
      assert.deepEqual(verdicts, ['unverified']);
      assert.equal(found.length, 1);
      assert.match(found[0] ?? '', /^warning QUERY_PARSE_ERROR /);
    });
  });
}

describe('other dialects', () => {
  it('check each statement separately', async () => {
    const { verdicts, found } = await check('mysql', 'SELECT 1; DELETE FROM t; SELECT FROM FROM; SELECT 2');
    assert.deepEqual(verdicts, ['read-only', 'not-read-only', 'unverified', 'read-only']);
    assert.deepEqual(found, ['error MUTATION_NOT_ALLOWED DELETE', 'warning QUERY_PARSE_ERROR FROM']);
  });

  it('check the query of a population, with its parameters', async () => {
    const counted = (query: string) =>
      `-- @control A-1 Names\n-- @param since date = 2026-01-01\n-- @population ${query}\nSELECT 1`;
    const { found } = await check('mysql', counted('SELECT count(*) FROM t WHERE `day` > :since'));
    assert.deepEqual(found, []);
    assert.deepEqual((await check('mysql', counted('DELETE FROM t WHERE `day` > :other'))).found, [
      'warning UNUSED_PARAMETER since',
      'error MUTATION_NOT_ALLOWED DELETE',
      'information UNDECLARED_PARAMETER :other',
    ]);
  });

  it('mark the part that writes', async () => {
    assert.deepEqual((await check('mysql', 'SELECT a INTO @b FROM t')).found, [
      'error MUTATION_NOT_ALLOWED INTO',
    ]);
    assert.deepEqual((await check('mysql', 'SELECT a FROM t FOR UPDATE')).found, [
      'error MUTATION_NOT_ALLOWED UPDATE',
    ]);
  });

  it('leave large or deep statements unverified, without parsing them', async () => {
    const deep = `SELECT ${'('.repeat(7)}1${')'.repeat(7)}`;
    const large = `SELECT a FROM t WHERE b IN (${'1,'.repeat(11_000)}1)`;
    for (const sql of [deep, large]) {
      const { verdicts, found } = await check('mysql', sql);
      assert.deepEqual(verdicts, ['unverified']);
      assert.deepEqual(found, ['information COULD_NOT_BE_VERIFIED SELECT']);
    }
  });

  it('terminate a parser that takes too long, and continue with another one', async () => {
    // The time limit is 0, since parsing time depends on the machine.
    const impatient = new WorkerDialectParser({ timeLimitMs: 0 });
    try {
      const large = `SELECT a FROM t WHERE b IN (${'1,'.repeat(5_000)}1)`;
      assert.deepEqual(await impatient.parse('mysql', large), { kind: 'gave-up', reason: 'time' });
    } finally {
      await impatient.dispose();
    }
    assert.equal((await parser.parse('mysql', 'SELECT 1'))?.kind, 'parsed');
  });

  it('find placeholders, and no other colons', async () => {
    const names = async (dialect: Dialect, sql: string): Promise<string[]> => {
      const analysis = await analyser.analyse(sql, { isSavedQuery: true, dialect });
      return analysis?.statements.flatMap(({ placeholders }) => placeholders.map(({ name }) => name)) ?? [];
    };
    assert.deepEqual(await names('mysql', "SELECT :a, ':b', `:c`, 1 -- :d\n + :e"), ['a', 'e']);
    assert.deepEqual(await names('snowflake', 'SELECT src:a.b, x::int, :c FROM t'), ['c']);
  });

  it('keep every character of a text in its tokens', () => {
    const texts = [...hostileEverywhere, ...Object.values(hostile).flat(), ...Object.values(harmless).flat()];
    for (const dialect of dialects) {
      for (const text of texts) {
        const { all } = lexDialect(text, dialectTraits[dialect]);
        let joined = '';
        for (let index = 0; index < all.length; index++) {
          joined += all.textOf(index);
          assert.ok(all.kind(index) !== TokenKind.invalid);
        }
        assert.equal(joined, text);
      }
    }
  });

  it('leave PostgreSQL to its own grammar', async () => {
    const analysis = await analyser.analyse("SELECT 'a\\'; DELETE FROM t; --'", { isSavedQuery: false });
    assert.deepEqual(
      analysis?.statements.map(({ verdict }) => verdict),
      ['read-only', 'not-read-only'],
    );
  });
});
