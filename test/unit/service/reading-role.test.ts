/** What is told of a login depends on what the service needs of it. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Rows } from '#service/own-data/database.ts';
import { testRole } from '#service/own-data/reading-role.ts';

/** A login with the right to temporary tables, and no other. */
const rows = ((sql: string) =>
  Promise.resolve(sql.includes("'TEMP'") ? [{ name: 'shop' }] : [])) as unknown as Rows; // the columns of each query

test('the right to temporary tables is told only where no preset and no mapping needs it', async () => {
  const { warnings } = await testRole(rows, ['public']);
  assert.match(warnings.join('\n'), /^The login may create temporary tables in the database shop\. .*REVOKE/);
  assert.deepEqual((await testRole(rows, ['public'], { temporary: true })).warnings, []);
});
