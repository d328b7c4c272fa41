/**
 * Services that store a text in a form of their own, without the last newline or with composed accents: both sides are
 * then the same, here and in another clone, and the file stays as the person wrote it.
 */
import assert from 'node:assert/strict';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, suite, test } from 'node:test';
import { bareRepository, cloneOf, type Clone } from '../helpers/git-clone.ts';
import { runInProcess } from '../helpers/run-in-process.ts';
import { startDrawn, type RunningDrawn } from '../service/drawn/drawn-service.ts';
import { serviceWith } from '../service/drawn/space.ts';

const text = 'SELECT alias -- cafe\u0301\nFROM accounts\n';
let folder: string;
let bare: string;
let service: RunningDrawn;

beforeEach(async () => {
  folder = await mkdtemp(path.join(tmpdir(), 'stored-forms-'));
  bare = bareRepository(folder);
});
afterEach(async () => {
  await service.stop();
  await rm(folder, { recursive: true, force: true });
});

async function run(clone: Clone, ...args: readonly string[]) {
  const { baseUrl, authUrl, clientId, clientSecret } = service;
  return await runInProcess(args, {
    cwd: clone.folder,
    environment: {
      PATH: process.env['PATH'],
      XDG_CONFIG_HOME: path.join(clone.folder, '../config'),
      XDG_DATA_HOME: `${clone.folder}-data`,
      IDENTITY_QUERIES_BASE_URL: baseUrl,
      IDENTITY_QUERIES_AUTH_URL: authUrl,
      IDENTITY_QUERIES_CLIENT_ID: clientId,
      IDENTITY_QUERIES_CLIENT_SECRET: clientSecret,
    },
  });
}

async function requireSame(clone: Clone, what: string) {
  const { code, stderr, stdout } = await run(clone, 'status');
  assert.equal(code, 0, `${what}: ${stdout}${stderr}`);
}

const file = 'queries/mine.identity.sql';
const storedBy = {
  'trimmed-end': (written: string) => written.trimEnd(),
  composed: (written: string) => written.normalize('NFC'),
  'line-ends': (written: string) => written.replaceAll('\n', '\r\n'),
} as const;

for (const [storedText, stored] of Object.entries(storedBy))
  suite(`a service that stores text ${storedText}`, () => {
    test('has the same query as its file, before and after edits and in other clones', async () => {
      service = await startDrawn(serviceWith({ storedText }));
      const clone = cloneOf(bare, path.join(folder, 'one'));
      assert.equal((await run(clone, 'pull')).code, 0);
      clone.write(file, text);
      clone.describe('mine', { name: 'Mine' });
      clone.commit();
      const pushed = await run(clone, 'push', '--detached');
      assert.equal(pushed.code, 0, pushed.stderr);
      const made = () => [...service.saved.held.values()].filter(({ name }) => name === 'Mine');
      assert.deepEqual(
        made().map((each) => each.query_string),
        [stored(text)],
      );
      clone.commit();
      await requireSame(clone, 'after the push');
      await run(clone, 'pull');
      assert.equal(clone.read(file), text, 'a pull leaves the file as it was written');
      assert.equal((await run(clone, 'push', '--detached')).code, 0);
      assert.equal(made()[0]?.version, 1, 'nothing is sent for a form');

      clone.git('push', '-q', 'origin', 'HEAD:main');
      const other = cloneOf(bare, path.join(folder, 'other'));
      await requireSame(other, 'in a clone without an agreement');
      await run(other, 'pull');
      assert.equal(other.read(file), text);

      const edited = `${text}WHERE true\n`;
      other.write(file, edited);
      other.commit();
      assert.equal((await run(other, 'push', '--detached')).code, 0);
      assert.deepEqual(
        made().map((each) => [each.query_string, each.version]),
        [[stored(edited), 2]],
      );
      await requireSame(other, 'after an edit');
      other.git('push', '-q', 'origin', 'HEAD:main');
      clone.git('pull', '-q', '--rebase', 'origin', 'main');
      await requireSame(clone, 'after the edit of a colleague');
      assert.equal(clone.read(file), edited);
    });

    test('whose colleague changed it there, is pulled', async () => {
      service = await startDrawn(serviceWith({ storedText }));
      const clone = cloneOf(bare, path.join(folder, 'one'));
      clone.write(file, text);
      clone.describe('mine', { name: 'Mine' });
      clone.commit();
      await run(clone, 'push', '--detached');
      clone.commit();
      const [made] = [...service.saved.held.values()].filter(({ name }) => name === 'Mine');
      assert.ok(made);
      const theirs = `${text}LIMIT 3\n`;
      service.saved.update(made.query_id, { query_string: theirs, expected_version: made.version });
      const { code, stdout } = await run(clone, 'status');
      assert.equal(code, 2, stdout);
      assert.match(stdout, /Mine/);
      await run(clone, 'pull');
      assert.equal(clone.read(file), stored(theirs));
    });
  });

test('a service that stores texts verbatim has a change where only the last newline changed', async () => {
  service = await startDrawn(serviceWith({}));
  const clone = cloneOf(bare, path.join(folder, 'one'));
  clone.write(file, text);
  clone.describe('mine', { name: 'Mine' });
  clone.commit();
  await run(clone, 'push', '--detached');
  clone.commit();
  const [made] = [...service.saved.held.values()].filter(({ name }) => name === 'Mine');
  assert.ok(made);
  service.saved.update(made.query_id, { query_string: text.trimEnd(), expected_version: made.version });
  assert.equal((await run(clone, 'status')).code, 2);
  await run(clone, 'pull');
  assert.equal(clone.read(file), text.trimEnd());
});
