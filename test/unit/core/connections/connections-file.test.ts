import assert from 'node:assert/strict';
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { after, before, describe, it } from 'node:test';
import {
  ConnectionsFileError,
  readConnections,
  type Surroundings,
} from '../../../../core/src/connections/connections-file.ts';

const entry = {
  name: 'Production',
  baseUrl: 'https://api.example.com',
  authUrl: 'https://auth.example.com/token',
  clientId: 'reviews',
  secretVariable: 'IDENTITY_QUERIES_SECRET',
};

describe('connections outside the editor', () => {
  let folder = '';
  let around: Surroundings;
  before(async () => {
    folder = await mkdtemp(path.join(tmpdir(), 'identity-queries-connections-'));
  });
  after(() => rm(folder, { recursive: true }));

  /** A new repository with a subfolder, and a new configuration folder. */
  async function place(): Promise<{ readonly repository: string; readonly own: string }> {
    const root = await mkdtemp(path.join(folder, 'case-'));
    const repository = path.join(root, 'repository');
    const home = path.join(root, 'home');
    await mkdir(path.join(repository, '.identity-queries'), { recursive: true });
    await mkdir(path.join(repository, 'queries'));
    await mkdir(path.join(home, '.config/identity-queries'), { recursive: true });
    around = { cwd: path.join(repository, 'queries'), environment: {}, platform: 'linux', home };
    return {
      repository: path.join(repository, '.identity-queries/connections.json'),
      own: path.join(home, '.config/identity-queries/connections.json'),
    };
  }
  const put = (file: string, value: unknown) => writeFile(file, JSON.stringify(value));
  const names = async (named?: string) =>
    (await readConnections(around, named)).connections.map(({ profile }) => profile.name);

  it('are those of the folder above, else the person’s own, with that of the environment before them', async () => {
    const { repository, own } = await place();
    assert.deepEqual(await readConnections(around), {
      file: undefined,
      isOwn: false,
      connections: [],
      unused: [],
    });
    await put(own, [{ ...entry, name: 'Own' }]);
    assert.deepEqual(await names(), ['Own']);
    await put(repository, { connections: [entry] });
    assert.deepEqual(await names(), ['Production']);
    around = {
      ...around,
      environment: {
        IDENTITY_QUERIES_BASE_URL: 'https://a.example.com',
        IDENTITY_QUERIES_AUTH_URL: 'https://a.example.com/token',
        IDENTITY_QUERIES_CLIENT_ID: 'a',
        IDENTITY_QUERIES_CLIENT_SECRET: 's',
        IDENTITY_QUERIES_CONNECTION_NAME: 'Environment of CI',
      },
    };
    assert.deepEqual(await names(), ['Environment of CI', 'Production']);
    assert.deepEqual(await names(own), ['Environment of CI', 'Own']);
  });

  it('of a repository run no program, send no other variable and use no plain HTTP', async () => {
    const { repository, own } = await place();
    const entries = [
      { ...entry, name: 'program', secretVariable: undefined, secretCommand: ['vault', 'read'] },
      { ...entry, name: 'variable', secretVariable: 'AWS_SECRET_ACCESS_KEY' },
      { ...entry, name: 'secret of another', secretVariable: 'IDENTITY_QUERIES_CLIENT_SECRET' },
      { ...entry, name: 'plain', baseUrl: 'http://api.example.com', allowPlainHttp: true },
      { ...entry, name: 'in clear', clientSecret: 'x' },
      { ...entry, name: 'nowhere', secretVariable: undefined },
    ];
    await put(repository, entries);
    const { connections, unused } = await readConnections(around);
    assert.deepEqual(connections, []);
    assert.deepEqual(
      unused.map(({ name, position, problem }) => [name, position, problem.kind]),
      [
        ['program', 1, 'not-own'],
        ['variable', 2, 'foreign-variable'],
        ['secret of another', 3, 'foreign-variable'],
        ['plain', 4, 'not-own'],
        ['in clear', 5, 'secret'],
        ['nowhere', 6, 'no-secret-source'],
      ],
    );
    await put(own, entries);
    assert.deepEqual(await names(own), ['program', 'variable', 'secret of another', 'plain']);
  });

  it('say which file is wrong and how', async () => {
    const { repository } = await place();
    const problemOf = async (named?: string) => {
      const error = await readConnections(around, named).catch((failure: unknown) => failure);
      assert.ok(error instanceof ConnectionsFileError);
      return [error.problem, path.basename(error.file)];
    };
    assert.deepEqual(await problemOf('none.json'), ['missing', 'none.json']);
    await writeFile(repository, '[');
    assert.deepEqual(await problemOf(), ['not-json', 'connections.json']);
    await writeFile(repository, '{}');
    assert.deepEqual(await problemOf(), ['not-a-list', 'connections.json']);
    await writeFile(repository, ' '.repeat(1_048_577));
    assert.deepEqual(await problemOf(), ['too-large', 'connections.json']);
  });
});
