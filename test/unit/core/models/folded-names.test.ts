/** Names of tables of a service whose database folds the case of names to capitals. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { readModelTables } from '#core/models/model-schema.ts';
import { withService } from '#test/helpers/client-service.ts';
import { sendJson } from '#test/helpers/http.ts';

async function namesOf(columns: readonly string[]): Promise<readonly string[]> {
  const names: string[] = [];
  const rows = ['ACCOUNTS', 'Mixed', 'lower'].map((table) => [table, 'GLOBAL_ID', 'text', 'text', 'YES']);
  await withService(
    (_, response) => sendJson(response, 200, { columns, rows, nextPageToken: null }),
    async (client) => {
      const { tables } = await readModelTables(client, 'm');
      for (const { name, columns: own = [] } of tables) names.push(name, ...own.map((column) => column.name));
    },
  );
  return names;
}

test('names in capitals are those that a query writes, where the answer has capitals too', async () => {
  const columns = ['table_name', 'column_name', 'data_type', 'udt_name', 'is_nullable'];
  const folded = ['accounts', 'global_id', 'Mixed', 'global_id', 'lower', 'global_id'];
  assert.deepEqual(await namesOf(columns.map((name) => name.toUpperCase())), folded);
  const exact = ['ACCOUNTS', 'GLOBAL_ID', 'Mixed', 'GLOBAL_ID', 'lower', 'GLOBAL_ID'];
  assert.deepEqual(await namesOf(columns), exact);
});
