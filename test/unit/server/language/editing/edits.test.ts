/** Renames in random queries, judged by PostgreSQL. `npm run fuzz -- edits` runs more of them. */
import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import type { PGlite } from '@electric-sql/pglite';
import { openJudge } from '#test/helpers/edited-queries.ts';
import { judgeRenames } from '#test/helpers/judged-renames.ts';
import { randomFrom } from '#test/helpers/random.ts';

let database: PGlite;
before(async () => {
  database = await openJudge();
});
after(() => database.close());

describe('renames in random queries', () => {
  it('keep the rows, the types and the other names, or are refused', async () => {
    const { faults, renames, refused } = await judgeRenames(database, randomFrom(5), 600);
    assert.deepEqual(faults.slice(0, 3), []);
    assert.ok(renames >= 600 && refused < renames, `${renames} renames, ${refused} refused`);
  });
});
