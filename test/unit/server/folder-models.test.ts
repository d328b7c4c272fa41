/** A plain LSP client, which sends no models: the server reads those beside the saved queries. */
import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import {
  mkdirSync,
  mkdtempSync,
  renameSync,
  rmSync,
  symlinkSync,
  truncateSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { after, describe, it } from 'node:test';
import { pathToFileURL } from 'node:url';
import type { CompletionList, Hover, PublishDiagnosticsParams } from 'vscode-languageserver-protocol';
import { startLanguageClient, type ClientOptions, type LanguageClient } from './language-client.ts';

const top = mkdtempSync(path.join(tmpdir(), 'iq-folder-models-'));
after(() => rmSync(top, { recursive: true, force: true }));

const columns = (...names: readonly string[]) => names.map((name) => ({ name, type: 'text' }));
const models = (...names: readonly string[]): string =>
  JSON.stringify({
    models: [
      {
        name: 'platform_identity',
        isDefault: true,
        tables: [{ name: 'accounts', columns: columns(...names) }],
      },
      { name: 'activity', tables: [{ name: 'events', columns: columns('happened') }] },
    ],
  });

/** A new repository with the models. */
function folderWith(text: string): string {
  const folder = mkdtempSync(path.join(top, 'repo-'));
  mkdirSync(path.join(folder, '.git'));
  mkdirSync(path.join(folder, 'queries/deep'), { recursive: true });
  writeFileSync(path.join(folder, 'queries/models.json'), text);
  return folder;
}

const uriOf = (...parts: readonly string[]): string => pathToFileURL(path.join(...parts)).href;

async function withClient(
  use: (client: LanguageClient, told: readonly string[]) => Promise<void>,
  options: ClientOptions = {},
): Promise<void> {
  const client = await startLanguageClient(undefined, undefined, options);
  const told: string[] = [];
  client.connection.onNotification('window/showMessage', ({ message }: { message: string }) => {
    told.push(message);
  });
  try {
    await use(client, told);
  } finally {
    assert.equal(await client.stop(), 0);
  }
}

async function codesOf(client: LanguageClient, uri: string, version = 1): Promise<readonly unknown[]> {
  return (await client.diagnostics(uri, version)).diagnostics.map(({ code }) => code);
}

async function completed(client: LanguageClient, uri: string, character: number): Promise<readonly string[]> {
  const params = { textDocument: { uri }, position: { line: 0, character } };
  const found = await client.connection.sendRequest<CompletionList>('textDocument/completion', params);
  return found.items.map(({ label }) => label);
}

const sql = 'SELECT nope, alias FROM accounts';

describe("the folder's models, for an editor that sends none", () => {
  for (const place of ['queries/a.identity.sql', 'queries/deep/a.identity.sql', 'tools/b.identity.sql'])
    it(`check, complete and explain the columns of ${place}`, async () => {
      const uri = uriOf(folderWith(models('alias', 'email')), place);
      await withClient(async (client) => {
        await client.open(uri, sql);
        // At once, without waiting for the files.
        assert.ok((await completed(client, uri, 7)).includes('email'));
        assert.deepEqual(await codesOf(client, uri), ['UNKNOWN_COLUMN']);
        const position = { line: 0, character: 14 };
        const hover = await client.connection.sendRequest<Hover | null>('textDocument/hover', {
          textDocument: { uri },
          position,
        });
        assert.match(JSON.stringify(hover), /text/);
      });
    });

  it('answer a pull of diagnostics at once', async () => {
    const uri = uriOf(folderWith(models('alias')), 'queries/a.identity.sql');
    await withClient(
      async (client) => {
        await client.open(uri, sql);
        const { items } = await client.connection.sendRequest<{ items: readonly { code: string }[] }>(
          'textDocument/diagnostic',
          { textDocument: { uri } },
        );
        assert.deepEqual(
          items.map(({ code }) => code),
          ['UNKNOWN_COLUMN'],
        );
      },
      { textDocument: { diagnostic: {} } },
    );
  });

  it('are those of the model that the query has in its metadata', async () => {
    const folder = folderWith(models('alias'));
    const uri = uriOf(folder, 'queries/a.identity.sql');
    writeFileSync(path.join(folder, 'queries/a.identity.json'), '{ "name": "A", "model": "activity" }');
    await withClient(async (client) => {
      await client.open(uri, 'SELECT happened FROM events');
      assert.deepEqual(await codesOf(client, uri), []);
      await client.change(uri, 2, 'SELECT alias FROM accounts');
      assert.deepEqual(await codesOf(client, uri, 2), ['UNKNOWN_TABLE']);
    });
  });

  it('are read again when they change, on save and when the editor sees the change', async () => {
    const folder = folderWith(models('alias'));
    const [file, uri] = [path.join(folder, 'queries/models.json'), uriOf(folder, 'queries/a.identity.sql')];
    const replace = (text: string): void => {
      writeFileSync(`${file}.new`, text);
      renameSync(`${file}.new`, file);
    };
    await withClient(async (client) => {
      const published: string[] = [];
      let look = (): void => undefined;
      client.connection.onNotification(
        'textDocument/publishDiagnostics',
        ({ diagnostics }: PublishDiagnosticsParams) => {
          published.push(diagnostics.map(({ code }) => String(code)).join());
          look();
        },
      );
      const last = (wanted: string): Promise<void> =>
        new Promise((resolve) => {
          look = () => published.at(-1) === wanted && resolve();
          look();
        });
      await client.open(uri, sql);
      await last('UNKNOWN_COLUMN');
      replace(models('alias', 'nope'));
      await client.connection.sendNotification('textDocument/didSave', { textDocument: { uri } });
      await last('');
      replace(models('other'));
      await client.connection.sendNotification('workspace/didChangeWatchedFiles', {
        changes: [{ uri: uriOf(file), type: 2 }],
      });
      await last('UNKNOWN_COLUMN,UNKNOWN_COLUMN');
      rmSync(file);
      await client.change(uri, 2, `${sql} `);
      await last('');
    });
  });

  const refusals: readonly (readonly [what: string, make: (file: string) => void, told: RegExp])[] = [
    ['no JSON', (file) => writeFileSync(file, '{'), /is not JSON/],
    ['no list', (file) => writeFileSync(file, '{"models":{"a":1}}'), /not a list of models/],
    [
      'a wrong column',
      (file) => writeFileSync(file, '[{"name":"a","tables":[{"name":1}]}]'),
      /not a list of/,
    ],
    ['no UTF-8', (file) => writeFileSync(file, Buffer.from([0x22, 0xff, 0x22])), /not UTF-8/],
    ['a link', (file) => symlinkSync('/etc/hostname', file), /is a link/],
    ['a folder', (file) => mkdirSync(file), /is a folder/],
    ['a pipe', (file) => assert.equal(spawnSync('mkfifo', [file]).status, 0), /is a pipe/],
    [
      'too large',
      (file) => {
        writeFileSync(file, '');
        truncateSync(file, 65 * 1_048_576);
      },
      /too large/,
    ],
  ];
  for (const [what, make, wanted] of refusals)
    it(
      `are left out and told if the file is ${what}`,
      { skip: process.platform === 'win32' && what === 'a pipe' },
      async () => {
        const folder = folderWith(models('alias'));
        const file = path.join(folder, 'queries/models.json');
        rmSync(file);
        make(file);
        const uri = uriOf(folder, 'queries/a.identity.sql');
        await withClient(async (client, told) => {
          await client.open(uri, sql);
          assert.deepEqual(await codesOf(client, uri), []);
          await client.change(uri, 2, `${sql} `);
          assert.deepEqual(await codesOf(client, uri, 2), []);
          assert.equal(told.length, 1, told.join('\n'));
          assert.match(told[0] ?? '', wanted);
        });
      },
    );

  it('do not come from behind a linked folder, nor from another repository', async () => {
    const other = folderWith(models('alias'));
    const linked = mkdtempSync(path.join(top, 'repo-'));
    symlinkSync(path.join(other, 'queries'), path.join(linked, 'queries'));
    const inner = path.join(other, 'inner');
    mkdirSync(path.join(inner, '.git'), { recursive: true });
    await withClient(async (client, told) => {
      for (const uri of [uriOf(linked, 'a.identity.sql'), uriOf(inner, 'a.identity.sql')]) {
        await client.open(uri, sql);
        assert.deepEqual(await codesOf(client, uri), []);
      }
      assert.equal(told.length, 1);
    });
  });

  it('give way to those that a client sends', async () => {
    const uri = uriOf(folderWith(models('alias')), 'queries/a.identity.sql');
    const models2 = JSON.parse(models('nope', 'alias')) as object; // a message
    await withClient(async (client) => {
      await client.connection.sendNotification('identityQueries/catalogue', models2);
      await client.open(uri, sql);
      assert.deepEqual(await codesOf(client, uri), []);
    });
    await withClient(
      async (client) => {
        await client.open(uri, sql);
        assert.deepEqual(await codesOf(client, uri), []);
      },
      { initializationOptions: { sendsModels: true } },
    );
  });
});
