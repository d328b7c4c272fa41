/** Hostile cases for the read-only proof: refused statements with the position, and harmless look-alikes. */
import assert from 'node:assert/strict';
import { after, describe, it } from 'node:test';
import { Analyser } from '#server/language/checks/analyser.ts';
import { WorkerParser } from '#server/parser/worker-parser.ts';
import { readMarks } from '#test/unit/server/language/marked-text.ts';
import { withoutInspections } from '#test/unit/server/language/without-inspections.ts';

const parser = new WorkerParser({ timeLimitsMs: [10_000, 10_000] });
const analyser = new Analyser(parser);
after(() => parser.dispose());

/** Refused statements, with the offending part marked. */
const refused: readonly string[] = [
  'DELETE FROM accounts',
  'delete from only accounts where true',
  '/* SELECT */ «DELETE» FROM accounts',
  '-- SELECT 1\r«DELETE» FROM accounts',
  '-- SELECT 1\n«DELETE» FROM accounts',
  'DELETE FROM a USING b WHERE a.id = b.id RETURNING *',
  'INSERT INTO a VALUES (1)',
  'INSERT INTO a SELECT * FROM b',
  'INSERT INTO a DEFAULT VALUES RETURNING id',
  'INSERT INTO a VALUES (1) ON CONFLICT DO NOTHING',
  'UPDATE a SET x = 1',
  'UPDATE a SET x = :value WHERE id = :id',
  'MERGE INTO a USING b ON a.id = b.id WHEN MATCHED THEN DELETE',
  'WITH x AS (SELECT 1) «DELETE» FROM a',
  'WITH /* c */ x AS (SELECT 1) «DELETE» FROM a WHERE b NOT /* c */ IN (1)',
  "SELECT 1 «INTO» b FROM a WHERE 'x' -- c\n'y' = c AND d NOT -- e\n IN (2)",
  'WITH x AS (SELECT 1) «INSERT» INTO a SELECT * FROM x',
  'WITH x AS (SELECT 1) «UPDATE» a SET b = 1',
  'WITH x AS («DELETE» FROM a RETURNING *) SELECT * FROM x',
  'WITH x AS («INSERT» INTO a VALUES (1) RETURNING *) SELECT * FROM x',
  'WITH x AS («UPDATE» a SET b = 1 RETURNING *) SELECT * FROM x',
  'WITH x AS («MERGE» INTO a USING b ON true WHEN MATCHED THEN DO NOTHING RETURNING 1) SELECT * FROM x',
  'WITH x AS MATERIALIZED («DELETE» FROM a RETURNING *) SELECT * FROM x',
  'WITH RECURSIVE x AS («DELETE» FROM a RETURNING *) SELECT * FROM x',
  'WITH y AS (SELECT 1), x AS («DELETE» FROM a RETURNING *) SELECT * FROM y',
  'WITH x AS («DELETE» FROM a RETURNING *), y AS («UPDATE» b SET c = 1 RETURNING *) SELECT * FROM x, y',
  'WITH "delete" AS («DELETE» FROM "delete" AS "d" WHERE "d"."x" = \'delete\' RETURNING *) SELECT * FROM "delete"',
  "WITH x AS (SELECT 'DELETE FROM a'), y AS («DELETE» FROM a RETURNING *) SELECT 1",
  'WITH x AS («DELETE» FROM "é💥" RETURNING *) SELECT * FROM x',
  "SELECT 'é💥'; WITH x AS («DELETE» FROM a RETURNING *) SELECT * FROM x",
  'SELECT *\r\nFROM a;\r\n«DELETE» FROM a',
  'WITH x AS («DELETE» FROM s.a RETURNING *) SELECT :p FROM x',
  'SELECT * FROM a WHERE id IN (SELECT id FROM b) «FOR UPDATE»',
  'SELECT * «INTO» b FROM a',
  'SELECT 1 «INTO» TEMP b',
  'SELECT 1 «INTO» UNLOGGED TABLE b',
  'WITH x AS (SELECT 1) SELECT * «INTO» b FROM x',
  'SELECT 1 «INTO» b UNION SELECT 2',
  'VALUES (1) «FOR UPDATE»',
  'TABLE a «FOR SHARE»',
  'SELECT * FROM a «FOR UPDATE» NOWAIT',
  'SELECT * FROM a «FOR NO KEY UPDATE» SKIP LOCKED',
  'SELECT * FROM a «FOR KEY SHARE» OF a',
  'SELECT * FROM a «for\n  update»',
  'SELECT * FROM (SELECT * FROM a «FOR UPDATE») b',
  '(SELECT * FROM a «FOR UPDATE»)',
  'SELECT (SELECT 1 FROM a LIMIT 1 «FOR UPDATE»)',
  'WITH x AS (SELECT * FROM a «FOR UPDATE») SELECT * FROM x',
  'SELECT 1 WHERE EXISTS (SELECT 1 FROM a «FOR SHARE»)',
  'EXPLAIN SELECT 1',
  'EXPLAIN ANALYZE SELECT 1',
  'EXPLAIN (ANALYZE, FORMAT JSON) DELETE FROM a',
  'CREATE TABLE a (b int)',
  'CREATE TABLE a AS SELECT 1',
  'CREATE TEMP TABLE a AS TABLE b',
  'CREATE VIEW v AS SELECT 1',
  'CREATE OR REPLACE FUNCTION f() RETURNS int LANGUAGE sql AS $$ DELETE FROM a; SELECT 1 $$',
  'CREATE FUNCTION f() RETURNS int BEGIN ATOMIC SELECT 1; SELECT CASE WHEN true THEN 2 END; END',
  'CREATE RULE r AS ON INSERT TO a DO ALSO (DELETE FROM b; DELETE FROM c)',
  'CREATE EXTENSION dblink',
  'CREATE MATERIALIZED VIEW v AS SELECT 1',
  'REFRESH MATERIALIZED VIEW v',
  'ALTER TABLE a ADD b int',
  'ALTER ROLE r SUPERUSER',
  'ALTER SYSTEM SET a = 1',
  'DROP TABLE a',
  'DROP OWNED BY r',
  'TRUNCATE a',
  'GRANT ALL ON a TO b',
  'GRANT r TO s',
  'REVOKE ALL ON a FROM b',
  'COPY a TO STDOUT',
  'COPY (SELECT 1) TO STDOUT',
  "COPY a FROM PROGRAM 'id'",
  'CALL p()',
  'DO $$ BEGIN DELETE FROM a; END $$',
  'SET x = 1',
  'SET ROLE r',
  'RESET ALL',
  'SHOW ALL',
  'BEGIN',
  'START TRANSACTION READ WRITE',
  'COMMIT',
  'ROLLBACK',
  'SAVEPOINT s',
  'LOCK TABLE a',
  'VACUUM a',
  'ANALYZE a',
  'CLUSTER a',
  'REINDEX TABLE a',
  'CHECKPOINT',
  "NOTIFY c, 'x'",
  'LISTEN c',
  'UNLISTEN *',
  'DISCARD ALL',
  'PREPARE p AS SELECT 1',
  'EXECUTE p(1)',
  'DEALLOCATE ALL',
  'DECLARE c CURSOR FOR SELECT 1',
  'FETCH ALL FROM c',
  'MOVE c',
  'CLOSE c',
  "COMMENT ON TABLE a IS 'x'",
  "SECURITY LABEL ON TABLE a IS 'x'",
  'REASSIGN OWNED BY a TO b',
  "LOAD 'x'",
  'IMPORT FOREIGN SCHEMA a FROM SERVER b INTO c',
  // Text that would be hidden if a string or comment were parsed differently.
  "SELECT 'a\\'; «DELETE» FROM t; --'",
  "SELECT E'a\\''; «DELETE» FROM t; --'",
  "SELECT 'a'';'; «DELETE» FROM t",
  'SELECT "a;"; «DELETE» FROM t',
  'SELECT "a"";"; «DELETE» FROM t',
  'SELECT $$;$$; «DELETE» FROM t',
  'SELECT $a$;$$;$a$; «DELETE» FROM t',
  'SELECT 1 /* ; /* ; */ ; */; «DELETE» FROM t',
  'SELECT 1 -- ;\n; «DELETE» FROM t',
  'SELECT 1 -- ;\r; «DELETE» FROM t',
  "SELECT U&'\\0027'; «DELETE» FROM t",
  'SELECT U&"a"";"; «DELETE» FROM t',
  "SELECT 'a'\n';'; «DELETE» FROM t",
  "SELECT B'1'; «DELETE» FROM t",
  'SELECT 1;;; «DELETE» FROM t',
  '; «DELETE» FROM t',
  'SELECT 1 \\; «DELETE» FROM t',
  'SELECT (1; «DELETE» FROM t',
  'SELECT a[1; «DELETE» FROM t',
  'SELECT a$$b; «DELETE» FROM t; SELECT $$',
  'SELECT 1/* */; «DELETE» FROM t',
  'SELECT 1 # 2; «DELETE» FROM t',
  "SELECT :'x'; «DELETE» FROM t",
];

/** Statements that are proven read-only. */
const proven: readonly string[] = [
  'SELECT 1',
  'SELECT',
  'VALUES (1), (2)',
  'TABLE a',
  '(SELECT 1)',
  '((SELECT 1) UNION (VALUES (2)) ORDER BY 1)',
  'SELECT 1 EXCEPT ALL SELECT 2 INTERSECT SELECT 3',
  'WITH RECURSIVE x AS (SELECT 1 AS n UNION ALL SELECT n + 1 FROM x WHERE n < 9) SELECT * FROM x',
  "SELECT 'DELETE FROM a; DROP TABLE b'",
  'SELECT "delete", "into", "for update" FROM "insert"',
  'SELECT $$ DELETE FROM a $$',
  "SELECT 'x' AS delete, update FROM merge",
  'SELECT substring(update from 1 for share) FROM a',
  'SELECT \'"DeleteStmt":{\' AS """intoClause"":{"',
  'SELECT "\\"": 1, ""DeleteStmt"":{" FROM "lockingClause"":["',
  '/* DELETE */ SELECT 1 -- DELETE',
  'SELECT * FROM a, LATERAL (SELECT * FROM b WHERE b.x = a.x) c',
  'SELECT count(*) FILTER (WHERE x) OVER w FROM a WINDOW w AS (PARTITION BY y)',
  'SELECT :into, :delete FROM a WHERE x = :update',
  'SELECT 1;',
  'SELECT * FROM delete',
  'SELECT a.b FROM truncate a',
  'SELECT * FROM a TABLESAMPLE system(:share)',
];

/** Text that is not SQL, which is neither proven nor refused. */
const notSql: readonly string[] = [
  'SELECT 1\0; DELETE FROM t',
  'SELECT 1 \0',
  'SELEC 1',
  'DELETE accounts',
  "SELECT 'open; DELETE FROM t",
  'SELECT 1 /* ; DELETE FROM t',
  'SELECT a $1',
  'SELECT INTERVAL :x',
  'SELECT 1:b',
  'FROM a SELECT b',
  'SELECT * FROM a FOR UPDATE UNION SELECT 1; x',
];

describe('read-only proof: refused', () => {
  for (const marked of refused) {
    it(JSON.stringify(marked), async () => {
      const { text, ranges } = readMarks(marked);
      const analysis = await analyser.analyse(text, { isSavedQuery: false });
      const mutations = analysis?.findings.filter(({ code }) => code === 'MUTATION_NOT_ALLOWED') ?? [];
      const found = mutations.map(({ start, end }) => text.slice(start, end));
      // Cases without a mark are refused as a whole, at their first word.
      const expected =
        ranges.length === 0
          ? [/^\S+/.exec(text)?.[0]]
          : ranges.map(({ start, end }) => text.slice(start, end));
      assert.deepEqual(found, expected);
      if (ranges.length > 0) {
        assert.deepEqual(
          mutations.map(({ start }) => start),
          ranges.map(({ start }) => start),
        );
      }
      assert.ok(analysis?.statements.some(({ verdict }) => verdict === 'not-read-only'));
      assert.ok(mutations.every(({ severity, message }) => severity === 'error' && message.length > 20));
    });
  }
});

describe('read-only proof: proven', () => {
  for (const text of proven) {
    it(JSON.stringify(text), async () => {
      const analysis = await analyser.analyse(text, { isSavedQuery: true });
      assert.deepEqual(withoutInspections(analysis?.findings), []);
      assert.deepEqual(
        analysis?.statements.map(({ verdict }) => verdict),
        ['read-only'],
      );
    });
  }
});

describe('read-only proof: not SQL', () => {
  for (const text of notSql) {
    it(JSON.stringify(text), async () => {
      const analysis = await analyser.analyse(text, { isSavedQuery: false });
      assert.ok(analysis !== undefined);
      assert.ok(analysis.statements.every(({ verdict }) => verdict !== 'read-only'));
      assert.ok(analysis.findings.some(({ code }) => code === 'QUERY_PARSE_ERROR'));
    });
  }
});
