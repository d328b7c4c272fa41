/** What `describe_table` says of columns that the service classes itself. */
import assert from 'node:assert/strict';
import { it } from 'node:test';
import { describeTable } from '#core/agents/tools/model-tools.ts';
import type { ToolContext } from '#core/agents/tools/tool.ts';

it('a column is as sensitive as the service says, and without a class it is', async () => {
  const columns = [
    { name: 'title', type: 'text', class: 'none' },
    { name: 'id', type: 'integer', class: 'identifier' },
    { name: 'full_name', type: 'text', class: 'personal' },
  ];
  const models = [{ name: 'platform_identity', tables: [{ name: 'accounts', columns }] }];
  const context = {
    connection: { catalogue: () => Promise.resolve({ models }), sensitivePatterns: [] },
  } as unknown as ToolContext; // what the tool reads
  const { answer } = await describeTable.run({ table: 'accounts' }, context);
  assert.deepEqual(Reflect.get(answer, 'columns'), [
    { name: 'title', type: 'text', sensitive: 'value' },
    { name: 'id', type: 'integer' },
    { name: 'full_name', type: 'text', sensitive: 'name' },
  ]);
});
