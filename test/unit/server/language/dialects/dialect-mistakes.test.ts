/**
 * Queries that a non-PostgreSQL parser rejects. A statement wrong in every dialect gets a warning with a fix. Syntax
 * that the parser may just not support gets an informational finding.
 */
import assert from 'node:assert/strict';
import { after, describe, it } from 'node:test';
import { Analyser } from '#server/language/checks/analyser.ts';
import { DialectAnalyser } from '#server/language/dialects/analyse.ts';
import type { Dialect } from '#server/language/text/dialects.ts';
import { applyEdits } from '#server/language/text/edits.ts';
import { WorkerDialectParser } from '#server/parser/dialect-parser.ts';
import { WorkerParser } from '#server/parser/worker-parser.ts';

const parser = new WorkerDialectParser({ timeLimitMs: 60_000 });
const postgresql = new WorkerParser();
const analyser = new Analyser(postgresql, new DialectAnalyser(parser));
after(() => Promise.all([parser.dispose(), postgresql.dispose()]));

/** The dialect, the text with the error marked, the advice, and the text after the fix. */
const mistakes: readonly (readonly [Dialect, string, string, string, string?])[] = [
  ['mysql', 'SELECT a FORM t', 'FORM', 'Did you mean FROM instead of FORM?', 'SELECT a FROM t'],
  [
    'bigquery',
    'SELECT 1; SELCT a FROM `p.t`',
    'SELCT',
    'Did you mean SELECT instead of SELCT?',
    'SELECT 1; SELECT a FROM `p.t`',
  ],
  ['mysql', 'SELECT (1 + 2', '2', 'A closing parenthesis is missing.', 'SELECT (1 + 2)'],
  ['trino', 'SELECT 1) FROM t', ')', 'There is no open parenthesis for this one.', 'SELECT 1 FROM t'],
  ['sqlite', 'SELECT a, FROM t', 'FROM', 'Remove the comma before FROM.', 'SELECT a FROM t'],
  ['sqlite', 'SELECT a,FROM t', 'FROM', 'Remove the comma before FROM.', 'SELECT a FROM t'],
  ['mysql', 'SELECT `a`,FROM t', 'FROM', 'Remove the comma before FROM.', 'SELECT `a`FROM t'],
  ['snowflake', 'SELECT a,, b FROM t', ',', 'Remove one of the two commas.', 'SELECT a, b FROM t'],
  [
    'hive',
    'SELECT a FROM t ORDER BY a,',
    ',',
    'Remove the comma at the end, or continue after it.',
    'SELECT a FROM t ORDER BY a',
  ],
  ['mariadb', 'SELECT a FROM t GROUP a', 'a', 'BY is missing after GROUP.', 'SELECT a FROM t GROUP BY a'],
  [
    'db2',
    'SELECT CASE WHEN a = 1 THEN 2 FROM t',
    'FROM',
    'CASE needs an END.',
    'SELECT CASE WHEN a = 1 THEN 2 END FROM t',
  ],
  ['transactsql', 'SELECT [a b FROM t', '[a b FROM t', 'Close the name with ].'],
  ['redshift', "SELECT 'a FROM t", "'a FROM t", "Close the string with '."],
  ['mysql', 'SELECT a FROM t WHERE', 'WHERE', 'Something is missing after WHERE.'],
  ['mysql', 'SELECT a FROM t WHERE GROUP BY a', 'GROUP', 'Something is missing after WHERE.'],
  ['athena', 'SELECT a FROM t WHERE b =', '=', 'Something is missing after =.'],
  ['flinksql', 'SELECT a FROM', 'FROM', 'Something is missing after FROM.'],
  ['noql', 'SELECT a FROM t JOIN u ON WHERE a = 1', 'WHERE', 'Something is missing after ON.'],
];

/** Valid queries with syntax unknown to the dialect's parser. */
const unknownWords: readonly (readonly [Dialect, string])[] = [
  ['bigquery', 'SELECT a, b, FROM t |> WHERE a > 1'],
  ['bigquery', 'SELECT a FROM t TABLESAMPLE SYSTEM (10 PERCENT)'],
  ['snowflake', "SELECT * ILIKE 'a%' FROM t"],
  ['snowflake', 'SELECT a, b, FROM t AT (OFFSET => -60)'],
  ['snowflake', "SELECT a FROM t WHERE b RLIKE 'c'"],
  ['mysql', 'SELECT a FROM t IGNORE KEY (k) WHERE b = 1'],
  ['hive', "SELECT a REGEXP 'b' FROM t"],
  ['transactsql', "SELECT a FROM t WHERE b = 1 FOR XML PATH ('x'), ROOT ('y')"],
  ['trino', 'SELECT * FROM t MATCH_RECOGNIZE (PARTITION BY a ORDER BY b PATTERN (x+) DEFINE x AS c > 1)'],
];

describe('texts that the parser for another dialect rejects', () => {
  for (const [dialect, sql, mark, advice, mended] of mistakes) {
    it(`are a warning in ${dialect}: ${sql}`, async () => {
      const found = (await analyser.analyse(sql, { isSavedQuery: false, dialect }))?.findings ?? [];
      assert.deepEqual(
        found.map(({ code, severity, start, end }) => `${severity} ${code} ${sql.slice(start, end)}`),
        [`warning QUERY_PARSE_ERROR ${mark}`],
      );
      const message = found[0]?.message ?? '';
      const fix = found[0]?.fix;
      assert.ok(message.endsWith(advice), message);
      assert.equal(fix && applyEdits(sql, fix.edits), mended);
    });
  }
  for (const [dialect, sql] of unknownWords) {
    it(`are left open in ${dialect}: ${sql}`, async () => {
      const analysis = await analyser.analyse(sql, { isSavedQuery: false, dialect });
      const found = analysis?.findings ?? [];
      assert.deepEqual(
        found.map(({ code, severity }) => `${severity} ${code}`),
        ['information COULD_NOT_BE_VERIFIED'],
      );
      assert.match(found[0]?.message ?? '', / grammar here is incomplete, and parsing ended /);
      assert.deepEqual(
        analysis?.statements.map(({ verdict }) => verdict),
        ['unverified'],
      );
    });
  }
});
