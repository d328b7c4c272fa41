/** Every type in every format and operation, as other programs read and PostgreSQL does it. */
import assert from 'node:assert/strict';
import { after, before, suite, test } from 'node:test';
import type { PGlite } from '@electric-sql/pglite';
import { openReaders, type FileReaders } from '#test/helpers/value-files.ts';
import { operationDifferences } from '#test/helpers/value-operations.ts';
import {
  edgeTables,
  largeTable,
  openDatabase,
  randomTable,
  type ValueTable,
} from '#test/helpers/value-table.ts';

/** `npm run fuzz -- values` has more, and cells of 10 MB. */
const tables = 200;

suite('values', () => {
  let database: PGlite;
  let readers: FileReaders;
  before(async () => {
    database = await openDatabase();
    readers = await openReaders(database);
  });
  after(async () => {
    await readers.close();
    await database.close();
  });

  const differences = async (table: ValueTable) => [
    ...(await readers.differences(table)),
    ...(await operationDifferences(database, table)),
  ];

  test('of every type come back from every format, and are ordered and compared as in PostgreSQL', async () => {
    for await (const table of edgeTables(database)) assert.deepEqual(await differences(table), []);
  });

  test('of 200 KB do, too', async () => {
    assert.deepEqual(await differences(await largeTable(database, 200_000)), []);
  });

  test(`of ${tables} random tables do, too`, async () => {
    for (let seed = 1; seed <= tables; seed += 1)
      assert.deepEqual(await differences(await randomTable(database, seed)), [], `seed ${seed}`);
  });
});
