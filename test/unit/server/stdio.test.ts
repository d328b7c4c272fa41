/** The bundled server, driven by a plain LSP client, like an editor other than VS Code. */
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { CompletionList, PublishDiagnosticsParams } from 'vscode-languageserver-protocol';
import type { StatementsParams, StatementsResult } from '#server/protocol.ts';
import { startLanguageClient, type LanguageClient } from './language-client.ts';

const uri = 'file:///query.identity.sql';

async function withServer(use: (client: LanguageClient) => Promise<void>): Promise<void> {
  const client = await startLanguageClient();
  try {
    await use(client);
  } finally {
    assert.equal(await client.stop(), 0);
  }
}

const statements = (
  client: LanguageClient,
  params: Partial<StatementsParams> = {},
): Promise<StatementsResult | null> =>
  client.connection.sendRequest('identityQueries/statements', { textDocument: { uri }, ...params });

describe('server over standard streams', () => {
  it('reports why it does not format text that does not parse, and continues', async () => {
    await withServer(async (client) => {
      const told: string[] = [];
      client.connection.onNotification('window/showMessage', ({ message }: { message: string }) => {
        told.push(message);
      });
      await client.open(uri, 'SELECT (1');
      const request = { textDocument: { uri }, options: { tabSize: 2, insertSpaces: true } };
      const edits = await client.connection.sendRequest<unknown[] | null>('textDocument/formatting', request);
      assert.deepEqual(edits ?? [], []);
      assert.equal(told.length, 1);
      assert.equal((await statements(client))?.statements.length, 1);
    });
  });

  it('publishes the findings of an opened and a changed document, with its version', async () => {
    await withServer(async (client) => {
      await client.open(uri, "SELECT '💥',\r\n  FORM x y");
      const opened = await client.diagnostics(uri, 1);
      assert.equal(opened.version, 1);
      assert.equal(opened.diagnostics.length, 1);
      await client.change(uri, 2, 'SELECT *\nFORM accounts');
      const { diagnostics } = await client.diagnostics(uri, 2);
      assert.deepEqual(diagnostics, [
        {
          range: { start: { line: 1, character: 0 }, end: { line: 1, character: 4 } },
          severity: 1,
          code: 'QUERY_PARSE_ERROR',
          source: 'Identity Queries',
          message: 'Syntax error at or near "FORM". Did you mean FROM instead of FORM?',
        },
      ]);
      const range = { start: { line: 1, character: 0 }, end: { line: 1, character: 4 } };
      await client.change(uri, 3, 'FROM', range);
      assert.deepEqual((await client.diagnostics(uri, 3)).diagnostics, []);
      await client.change(uri, 4, 'DELETE FROM accounts');
      const [mutation] = (await client.diagnostics(uri, 4)).diagnostics;
      assert.equal(mutation?.code, 'MUTATION_NOT_ALLOWED');
      assert.deepEqual(mutation.range, { start: { line: 0, character: 0 }, end: { line: 0, character: 6 } });
    });
  });

  it('publishes the diagnostics of the last edit after a burst', async () => {
    await withServer(async (client) => {
      await client.open(uri, 'SELECT 1');
      for (let version = 2; version <= 100; version++) {
        await client.change(uri, version, version === 100 ? 'SELECT 100' : `SELEC ${version}`);
      }
      assert.deepEqual((await client.diagnostics(uri, 100)).diagnostics, []);
    });
  });

  it('clears the diagnostics of a closed document', async () => {
    await withServer(async (client) => {
      await client.open(uri, 'SELEC');
      assert.equal((await client.diagnostics(uri, 1)).diagnostics.length, 1);
      await client.connection.sendNotification('textDocument/didClose', { textDocument: { uri } });
      const { promise, resolve } = Promise.withResolvers<number>();
      client.connection.onNotification(
        'textDocument/publishDiagnostics',
        ({ diagnostics }: { diagnostics: unknown[] }) => resolve(diagnostics.length),
      );
      assert.equal(await promise, 0);
    });
  });

  it('returns the statements of a document, at a position and in a selection', async () => {
    await withServer(async (client) => {
      const text = '-- @model platform_governance\nSELECT :a;\nDELETE FROM t; SELEC\n;SELECT 2 + 3';
      await client.open(uri, text);
      const all = await statements(client);
      assert.equal(all?.version, 1);
      assert.deepEqual(all.statements.at(-1)?.columns, [{ name: '?column?', type: 'integer' }]);
      assert.equal(all.modelDirective, 'platform_governance');
      assert.deepEqual(
        all.statements.map(({ text: own, verdict, placeholders, errors }) => [
          own,
          verdict,
          placeholders.map(({ name }) => name),
          errors.length,
        ]),
        [
          ['SELECT :a', 'read-only', ['a'], 0],
          ['DELETE FROM t', 'not-read-only', [], 1],
          ['SELEC', 'syntax-error', [], 1],
          ['SELECT 2 + 3', 'read-only', [], 0],
        ],
      );
      const at = async (line: number, character: number): Promise<string[] | undefined> => {
        const position = { line, character };
        const result = await statements(client, { range: { start: position, end: position } });
        return result?.statements.map(({ text: own }) => own);
      };
      assert.deepEqual(await at(1, 0), ['SELECT :a']);
      assert.deepEqual(await at(1, 10), ['SELECT :a']);
      assert.deepEqual(await at(2, 14), ['DELETE FROM t']);
      assert.deepEqual(await at(2, 15), ['SELEC']);
      assert.deepEqual(await at(0, 0), []);
      const selected = await statements(client, {
        range: { start: { line: 3, character: 12 }, end: { line: 3, character: 13 } },
      });
      assert.deepEqual(
        selected?.statements.map(({ text: own, verdict, range }) => [own, verdict, range.start]),
        [['3', 'syntax-error', { line: 3, character: 12 }]],
      );
      assert.equal(await statements(client, { textDocument: { uri: 'file:///other' } }), null);
    });
  });

  it('checks again when it gets the models, and reports no names before', async () => {
    await withServer(async (client) => {
      await client.open(uri, 'SELECT * FROM nope.a');
      assert.deepEqual((await client.diagnostics(uri, 1)).diagnostics, []);
      const published = Promise.withResolvers<readonly { readonly code?: unknown }[]>();
      client.connection.onNotification(
        'textDocument/publishDiagnostics',
        ({ diagnostics }: PublishDiagnosticsParams) => published.resolve(diagnostics),
      );
      const models = [{ name: 'platform_identity' }];
      await client.connection.sendNotification('identityQueries/catalogue', { models });
      assert.deepEqual(
        (await published.promise).map(({ code }) => code),
        ['UNKNOWN_MODEL'],
      );
    });
  });

  it('completes from the models that it was given', async () => {
    await withServer(async (client) => {
      const tables = [{ name: 'accounts', columns: [{ name: 'user', type: 'text', description: 'Who' }] }];
      const models = [{ name: 'platform_identity', tables }];
      await client.connection.sendNotification('identityQueries/catalogue', { models });
      await client.open(uri, 'SELECT a.us FROM accounts a');
      const list = await client.connection.sendRequest<CompletionList>('textDocument/completion', {
        textDocument: { uri },
        position: { line: 0, character: 11 },
      });
      assert.deepEqual(list.items, [
        {
          label: 'user',
          kind: 5,
          sortText: '0user',
          filterText: 'user',
          textEdit: {
            range: { start: { line: 0, character: 9 }, end: { line: 0, character: 11 } },
            newText: '"user"',
          },
          detail: 'a · text',
          labelDetails: { description: 'a · text' },
          documentation: 'Who',
        },
      ]);
    });
  });

  it('treats a saved query as one statement', async () => {
    await withServer(async (client) => {
      const saved = 'identity-query:/local/1/name.identity.sql';
      await client.open(saved, 'SELECT 1; SELECT 2');
      const { diagnostics } = await client.diagnostics(saved, 1);
      assert.deepEqual(
        diagnostics.map(({ code }) => code),
        ['MULTIPLE_STATEMENTS'],
      );
    });
  });
});
