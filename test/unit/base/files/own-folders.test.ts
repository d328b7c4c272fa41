/** The person's own folders are never relative: the folder where the program starts may be a stranger's. */
import assert from 'node:assert/strict';
import { globSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { afterEach, describe, it } from 'node:test';
import { dataFolder } from '#base/files/data-folder.ts';
import { homeFolder } from '#base/files/own-folders.ts';
import { ownConnectionFile } from '#core/connections/connection-files.ts';
import { compileCacheFolder } from '#server/compile-cache.ts';

const homeVariable = process.platform === 'win32' ? 'USERPROFILE' : 'HOME';
const before = process.env[homeVariable];
afterEach(() => {
  if (before === undefined) Reflect.deleteProperty(process.env, homeVariable);
  else process.env[homeVariable] = before;
});

const values = ['', '.', 'clone', './clone', '../clone', ' ', '~'];
const variables = [
  'XDG_CONFIG_HOME',
  'XDG_DATA_HOME',
  'XDG_CACHE_HOME',
  'APPDATA',
  'LOCALAPPDATA',
  'NODE_COMPILE_CACHE',
];
const folders: readonly ((environment: NodeJS.ProcessEnv, platform: NodeJS.Platform) => string)[] = [
  ownConnectionFile,
  (environment, platform) => dataFolder(environment, { platform }),
  compileCacheFolder,
];

describe('the folders of a person', () => {
  for (const value of values)
    it(`are not in the current folder if a variable is ${JSON.stringify(value)}`, () => {
      for (const platform of ['linux', 'darwin', 'win32'] as const)
        for (const variable of variables)
          for (const folderIn of folders) {
            const folder = folderIn({ [variable]: value }, platform);
            assert.equal(folder, folderIn({}, platform), `${variable} on ${platform}`);
            assert.ok(path.isAbsolute(folder));
          }
    });

  for (const value of values)
    it(`are not in the current folder if the home folder is ${JSON.stringify(value)}`, () => {
      process.env[homeVariable] = value;
      assert.ok(path.isAbsolute(homeFolder()));
      for (const platform of ['linux', 'darwin', 'win32'] as const)
        for (const folderIn of folders) assert.ok(path.isAbsolute(folderIn({}, platform)));
    });

  it('have one reader', () => {
    const root = path.join(import.meta.dirname, '../../../..');
    const found = globSync('{api,base,core,server,client,cli,service}/**/*.ts', { cwd: root })
      .filter((file) => !file.includes('node_modules'))
      .filter((file) => /\bhomedir\b/.test(readFileSync(path.join(root, file), 'utf8')))
      .map((file) => file.replaceAll('\\', '/'));
    assert.deepEqual(found, ['base/files/own-folders.ts']);
  });
});
