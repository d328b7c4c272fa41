/** Documents with different connections in one window: each is checked against its own connection's models. */
import assert from 'node:assert/strict';
import { suite, test } from 'node:test';
import type { CompletionList } from 'vscode-languageserver-protocol';
import { startLanguageClient } from './language-client.ts';

const model = (table: string) => [
  { name: 'platform_identity', tables: [{ name: table, columns: [{ name: 'id', type: 'text' }] }] },
];

suite('connections of documents', () => {
  test('each document is checked against the tables of its own connection, or none', async () => {
    const client = await startLanguageClient();
    try {
      const tell = (method: string, params: object) =>
        client.connection.sendNotification(`identityQueries/${method}`, params);
      await tell('catalogue', { connection: 'Acme', models: model('accounts') });
      await tell('catalogue', { connection: 'Umbrella', models: model('persons') });
      await tell('documentModel', { uri: 'file:///acme.identity.sql', connection: 'Acme' });
      await tell('documentModel', { uri: 'file:///umbrella.identity.sql', connection: 'Umbrella' });
      const tablesIn = async (name: string): Promise<string[]> => {
        const uri = `file:///${name}.identity.sql`;
        await client.open(uri, 'SELECT * FROM ');
        const list = await client.connection.sendRequest<CompletionList>('textDocument/completion', {
          textDocument: { uri },
          position: { line: 0, character: 14 },
        });
        return list.items
          .map((item) => item.label)
          .filter((label) => ['accounts', 'persons'].includes(label));
      };
      assert.deepEqual(await tablesIn('acme'), ['accounts']);
      assert.deepEqual(await tablesIn('umbrella'), ['persons']);
      assert.deepEqual(await tablesIn('neither'), []);
      await tell('catalogue', { connection: 'Acme' });
      assert.deepEqual(await tablesIn('acme'), [], 'forgotten with its connection');
    } finally {
      assert.equal(await client.stop(), 0);
    }
  });
});
