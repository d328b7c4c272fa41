/** Edits of random queries, judged by PostgreSQL. `npm run fuzz -- edits` runs more of them. */
import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import type { PGlite } from '@electric-sql/pglite';
import { corpora, readCorpus } from '#test/helpers/corpora.ts';
import { openJudge } from '#test/helpers/edited-queries.ts';
import { judgeColumns, judgeNames } from '#test/helpers/judged-completions.ts';
import { judgeFixes, judgeRefactorings } from '#test/helpers/judged-fixes.ts';
import { judgeLayouts } from '#test/helpers/judged-layouts.ts';
import { judgeRenames } from '#test/helpers/judged-renames.ts';
import { randomFrom } from '#test/helpers/random.ts';
import { refactoredQueries } from '#test/helpers/refactored-queries.ts';

let database: PGlite;
before(async () => {
  database = await openJudge();
});
after(() => database.close());

describe('edits of random queries', () => {
  it('rename keeps the rows, the types and the other names, or is refused', async () => {
    const { faults, renames, refused } = await judgeRenames(database, randomFrom(5), 100);
    assert.deepEqual(faults.slice(0, 3), []);
    assert.ok(renames >= 100 && refused < renames, `${renames} renames, ${refused} refused`);
  });

  it('fixes mean what the mistake meant, and refactorings keep the rows, the types and the names', async () => {
    const { faults, queries, unmended } = await judgeFixes(database, randomFrom(6), 100);
    assert.deepEqual(faults.slice(0, 3), []);
    assert.ok(unmended < queries / 10, `${unmended} of ${queries} mistakes have no fix`);
  });

  it('refactorings keep them wherever a constant, a subquery or a star stands', async () => {
    const { faults, applied } = await judgeRefactorings(database, refactoredQueries);
    assert.deepEqual(faults, []);
    assert.ok(applied > 150, String(applied));
  });

  it('completion offers no name that PostgreSQL takes for two columns', async () => {
    const { faults, names } = await judgeNames(database, randomFrom(7), 30);
    assert.deepEqual(faults.slice(0, 3), []);
    assert.ok(names > 90, String(names));
  });

  it('completion offers in FROM exactly the columns that PostgreSQL reads there', async () => {
    const faults: object[] = [];
    for (const marked of fromItems) {
      const { refused, missing } = await judgeColumns(database, marked);
      if (refused.length + missing.length > 0) faults.push({ marked, refused, missing });
    }
    assert.deepEqual(faults, []);
  });

  it('formatting changes only white space, twice alike, wherever comments stand', () => {
    const queries = corpora.flatMap((file) => readCorpus(file).map(({ sql }) => sql));
    const { faults, texts } = judgeLayouts(
      queries.filter((_, index) => index % 5 === 0),
      {
        every: 29,
        first: 3,
      },
    );
    assert.deepEqual(faults.slice(0, 3), []);
    assert.ok(texts > 1_500);
  });
});

/** The aliases are letters that no column of the tables has. */
const fromItems = [
  // Conditions.
  'SELECT 1 FROM t g JOIN u h ON | IS NULL',
  'SELECT 1 FROM t g JOIN u h ON g.id = h.id AND (| IS NULL) JOIN w i ON true',
  'SELECT 1 FROM t g JOIN u h ON true JOIN w i ON | IS NULL',
  'SELECT 1 FROM t g, u h JOIN w i ON | IS NULL',
  'SELECT 1 FROM t g JOIN u h JOIN w i ON | IS NULL ON true',
  'SELECT 1 FROM t g JOIN u h ON | IS NULL JOIN (w i JOIN w k USING (id)) ON true',
  'SELECT 1 FROM t g JOIN u h USING (id) JOIN w i ON | IS NULL',
  'SELECT 1 FROM t g JOIN (u h JOIN w i USING (id)) AS k ON | IS NULL',
  'SELECT 1 FROM t g JOIN (u h NATURAL JOIN w i) AS k ON | IS NULL',
  'SELECT 1 FROM t g JOIN (u h JOIN w i ON | IS NULL) AS k ON true',
  'SELECT 1 FROM t g JOIN u h ON EXISTS (SELECT 1 FROM w i WHERE | IS NULL) JOIN t k ON true',
  'SELECT 1 FROM t g, u h JOIN w i ON EXISTS (SELECT 1 FROM w k WHERE | IS NULL)',
  // USING.
  'SELECT 1 FROM t g JOIN u h USING (|)',
  'SELECT 1 FROM t g JOIN u h USING (id), t i JOIN u k USING (|)',
  'SELECT 1 FROM t g JOIN u h USING (id) JOIN w i USING (|)',
  'SELECT 1 FROM t g CROSS JOIN u h JOIN w i USING (|)',
  // LATERAL subqueries see what stands before them, other subqueries do not.
  'SELECT 1 FROM t g JOIN LATERAL (SELECT | FROM u h) k ON true JOIN w i ON true',
  'SELECT 1 FROM t g LEFT JOIN LATERAL (SELECT 1 FROM u h JOIN w i ON | IS NULL) k ON true',
  'SELECT 1 FROM t g CROSS JOIN LATERAL (SELECT |) k, w i',
  'SELECT 1 FROM t g, LATERAL (SELECT 1 FROM u h WHERE | IS NULL UNION SELECT 2) k, w i',
  'SELECT 1 FROM t g, LATERAL (SELECT 2 UNION SELECT 1 FROM u h WHERE | IS NULL) k, w i',
  'SELECT 1 FROM t g, LATERAL (WITH q AS (SELECT | FROM u h) SELECT * FROM q) k, w i',
  'SELECT 1 FROM t g, LATERAL (SELECT 1 FROM (SELECT | FROM u h) i) k, w l',
  'SELECT 1 FROM t g, LATERAL (SELECT 1 FROM u h, LATERAL (SELECT | FROM w i) l) k, w m',
  'SELECT 1 FROM t g, LATERAL (VALUES (1), (length(to_json(|)::text))) k, w i',
  'SELECT 1 FROM t g JOIN (u h CROSS JOIN LATERAL (SELECT | FROM w i) k) ON true',
  'SELECT 1 FROM t g, (SELECT | FROM u h) k, w i',
  'SELECT 1 FROM t g JOIN (SELECT | FROM u h) k ON true',
  'SELECT 1 FROM t g, LATERAL (SELECT 1 FROM u h) k WHERE | IS NULL',
  // RIGHT and FULL keep their other side from it.
  'SELECT 1 FROM t g RIGHT JOIN LATERAL (SELECT | FROM u h) k ON true',
  'SELECT 1 FROM w i, t g RIGHT JOIN LATERAL (SELECT | FROM u h) k ON true',
  'SELECT 1 FROM t g FULL JOIN (u h CROSS JOIN LATERAL (SELECT | FROM w i) k) ON true',
  'SELECT 1 FROM t g RIGHT JOIN u h JOIN LATERAL (SELECT | FROM w i) k ON true ON true',
  'SELECT 1 FROM t g RIGHT JOIN u h ON true JOIN LATERAL (SELECT | FROM w i) k ON true',
  'SELECT 1 FROM t g NATURAL RIGHT JOIN LATERAL (SELECT | AS z FROM u h) k',
  // Functions are lateral without the word.
  'SELECT 1 FROM t g, num_nulls(|) k, w i',
  'SELECT 1 FROM t g JOIN LATERAL unnest(ARRAY[|]) k ON true JOIN w i ON true',
  'SELECT 1 FROM t g, unnest(ARRAY(SELECT | FROM u h)) k, w i',
  'SELECT 1 FROM t g RIGHT JOIN num_nulls(|) k ON true',
  'SELECT 1 FROM t g, ROWS FROM (num_nulls(1), num_nulls(|)) k, w i',
  `SELECT 1 FROM t g, json_table(to_jsonb(|), '$' COLUMNS (name text PATH '$')) k, w i`,
];
