/** A snapshot of a name that several queries have says how to name one. */
import assert from 'node:assert/strict';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { Writable } from 'node:stream';
import { test } from 'node:test';
import { dataFolder } from '#base/files/data-folder.ts';
import type { CliContext } from '#cli/context.ts';
import { snapshotFiles } from '#cli/query/snapshot-files.ts';
import { KeptRunsStore } from '#core/kept-runs/kept-runs-store.ts';

test('two files of one name are told apart by their folders', async () => {
  const root = await mkdtemp(path.join(tmpdir(), 'identity-queries-names-'));
  try {
    const environment = { XDG_DATA_HOME: root };
    const store = new KeptRunsStore(dataFolder(environment));
    for (const title of ['a/p.identity.sql', 'b/p.identity.sql']) {
      const query = { connectionKey: 'one', query: { file: path.join(root, title) } };
      const draft = await store.draftFor(query);
      await writeFile(draft, 'rows');
      const about = { at: 1, runs: 2, title, connection: 'eu', rowCount: 0 };
      await store.add(query, { ...about, draft, statement: 'SELECT 1', parameters: {} });
    }
    const stderr = new Writable({ write: (_, __, done) => done() });
    const { signal } = new AbortController();
    const context = { environment, stderr, signal, cwd: root } as unknown as CliContext; // nothing else is used
    const snapshot = (name: string) =>
      snapshotFiles(context, [{ table: 't', name, since: 'today' }], {
        ...{ folder: root, connection: undefined, param: [] },
      });
    await assert.rejects(
      snapshot('p'),
      /: "a\/p\.identity\.sql" on "eu", "b\/p\.identity\.sql" on "eu"\. Write the whole name/,
    );
    assert.equal((await store.named('a/p.identity.sql')).length, 1);
  } finally {
    await rm(root, { recursive: true });
  }
});
