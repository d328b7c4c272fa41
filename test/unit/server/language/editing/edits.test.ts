/** Edits of random queries, judged by PostgreSQL. `npm run fuzz -- edits` runs more of them. */
import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import type { PGlite } from '@electric-sql/pglite';
import { corpora, readCorpus } from '#test/helpers/corpora.ts';
import { openJudge } from '#test/helpers/edited-queries.ts';
import { judgeNames } from '#test/helpers/judged-completions.ts';
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
