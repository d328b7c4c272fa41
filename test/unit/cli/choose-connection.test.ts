/** Which connection a command uses: never another one because an entry is broken. */
import assert from 'node:assert/strict';
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { after, before, describe, it } from 'node:test';
import { chooseConnection, type ConnectionOptions } from '#cli/connections/choose-connection.ts';
import { CliError } from '#cli/context.ts';

const test = {
  name: 'Test',
  baseUrl: 'https://api.test.example',
  authUrl: 'https://auth.test.example/token',
  clientId: 'c',
};
const production = { ...test, name: 'Production', baseUrl: 'https://api.example', protected: true };
let folder: string;

before(async () => {
  folder = await mkdtemp(path.join(tmpdir(), 'identity-queries-choose-'));
});
after(() => rm(folder, { recursive: true }));

async function choose(entries: readonly unknown[], connection?: string): Promise<string> {
  const file = path.join(folder, 'connections.json');
  await writeFile(file, JSON.stringify(entries));
  return await chosen({ connections: file, connection }, {});
}

async function chosen(options: ConnectionOptions, environment: NodeJS.ProcessEnv): Promise<string> {
  const file = options.connections ?? 'FILE';
  try {
    const { profile } = await chooseConnection(options, {
      folder,
      environment: { XDG_CONFIG_HOME: folder, ...environment },
    });
    return profile.name;
  } catch (error) {
    assert.ok(error instanceof CliError, String(error));
    return [error.message, ...error.help].join('\n').replaceAll(file, 'FILE');
  }
}

describe('the connection of a command', () => {
  it('is the only one of a file, or the named one', async () => {
    assert.equal(await choose([test]), 'Test');
    assert.equal(await choose([test, production], 'Test'), 'Test');
    assert.match(await choose([test, production]), /several connections: choose one with --connection/);
  });

  const mistakes: Readonly<Record<string, unknown>> = {
    'a misspelled member': { ...test, baseURL: test.baseUrl, baseUrl: undefined },
    'a wrong type': { ...test, protected: 'yes' },
    'no address': { ...test, authUrl: 'auth.test.example' },
    'a secret': { ...test, clientSecret: 'x' },
    'two sources of the secret': { ...test, secretVariable: 'A', secretCommand: ['b'] },
    'a program in a shared file': { ...test, secretCommand: ['b'] },
    'no name': { ...test, name: undefined },
    'no object': 'Test',
    nothing: null,
  };
  for (const [name, entry] of Object.entries(mistakes))
    it(`is never another one because an entry has ${name}`, async () => {
      for (const entries of [
        [entry, production],
        [production, entry],
      ]) {
        const said = await choose(entries);
        assert.match(said, /^FILE contains an entry that cannot be used\.\nFILE\[[01]\]/);
        assert.match(said, /There is "Production"/);
        assert.match(await choose(entries, 'Test'), /no usable connection "Test".*\nFILE\[[01]\]/);
        // Naming another one is a choice.
        assert.equal(await choose(entries, 'Production'), 'Production');
      }
    });

  it('is never one of two because the other has a mistake, and blanks around the same name', async () => {
    const broken = { ...test, name: ' Production ', protected: 'yes' };
    for (const entries of [
      [broken, production],
      [production, broken],
    ])
      assert.match(await choose(entries, 'Production'), /no usable connection "Production"/);
  });

  it('is not one of a file if the environment names a service, but a variable is missing', async () => {
    const full = {
      IDENTITY_QUERIES_BASE_URL: 'https://api.example \n',
      IDENTITY_QUERIES_AUTH_URL: ' https://auth.example/token\r\n',
      IDENTITY_QUERIES_CLIENT_ID: 'c\n',
      IDENTITY_QUERIES_CLIENT_SECRET: 'a b\n',
    };
    assert.equal(await chosen({}, full), 'Environment');
    for (const variable of ['IDENTITY_QUERIES_BASE_URL', 'IDENTITY_QUERIES_AUTH_URL'])
      assert.match(
        await chosen({}, { ...full, [variable]: "'https://api.example'" }),
        new RegExp(`^The environment: ${variable}\\. Not an address\\.`),
      );
    const plain = { ...full, IDENTITY_QUERIES_AUTH_URL: 'http://auth.example/token' };
    const [, allows = '', value] = /allow it with (\w+)=(1)\.$/.exec(await chosen({}, plain)) ?? [];
    assert.equal(await chosen({}, { ...plain, [allows]: value }), 'Environment');
    for (const missing of Object.keys(full))
      assert.match(
        await chosen({}, { ...full, [missing]: undefined }),
        new RegExp(`names a service, but ${missing} is not set`),
      );
    const own = path.join(folder, 'identity-queries');
    await mkdir(own, { recursive: true });
    await writeFile(path.join(own, 'connections.json'), JSON.stringify([production]));
    for (const missing of Object.keys(full).slice(1))
      for (const value of [undefined, '', ' \n']) {
        const said = await chosen({}, { ...full, [missing]: value });
        assert.match(said, new RegExp(`names a service, but ${missing} is not set`));
        assert.equal(await chosen({ connection: 'Production' }, { ...full, [missing]: value }), 'Production');
      }
    assert.equal(await chosen({}, { ...full, IDENTITY_QUERIES_BASE_URL: undefined }), 'Production');
  });

  it('is not one of two with the same name', async () => {
    const twice = [production, { ...test, name: 'Production' }];
    assert.match(await choose(twice, 'Production'), /the name "Production" is used twice/);
    assert.match(await choose(twice), /the name "Production" is used twice/);
  });
});
