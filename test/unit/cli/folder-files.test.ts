/** Every file of a folder that the program reads by itself, as every kind of thing that a file can be. */
import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { lstatSync, mkdirSync, readdirSync, rmSync, symlinkSync, truncateSync, writeFileSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { PassThrough } from 'node:stream';
import { text } from 'node:stream/consumers';
import { afterEach, beforeEach, describe, it } from 'node:test';
import { createProgram } from '#cli/program.ts';
import { readControlFiles } from '#core/controls/files/control-facts.ts';
import { ControlFileError } from '#core/controls/files/control-file.ts';

const outside = 'words-of-a-file-outside';
let root: string;
let folder: string;

beforeEach(async () => {
  root = await mkdtemp(path.join(tmpdir(), 'identity-queries-files-'));
  folder = path.join(root, 'clone');
  mkdirSync(path.join(folder, '.identity-queries'), { recursive: true });
  mkdirSync(path.join(folder, 'queries'));
  writeFileSync(path.join(root, 'outside'), outside);
  writeFileSync(path.join(folder, 'queries/good.identity.sql'), 'SELECT 1');
  writeFileSync(path.join(folder, 'queries/good.identity.json'), '{"name":"Good","model":"m"}');
});
afterEach(() => rm(root, { recursive: true }));

async function run(...args: readonly string[]): Promise<string> {
  const [stdin, stdout, stderr] = [new PassThrough(), new PassThrough(), new PassThrough()];
  stdin.end('y\n');
  const codes: number[] = [];
  const context = {
    stdin,
    stdout,
    stderr,
    environment: { XDG_CONFIG_HOME: path.join(root, 'home'), XDG_DATA_HOME: path.join(root, 'data') },
    cwd: folder,
    signal: new AbortController().signal,
    limitTo: () => undefined,
    end: (code: number) => codes.push(code),
  };
  const failure = await createProgram(context, '0')
    .parseAsync([...args], { from: 'user' })
    .then(
      () => '',
      (error: unknown) => (error instanceof Error ? error.message : String(error)),
    );
  stdout.end();
  stderr.end();
  const said = failure + (await text(stdout)) + (await text(stderr));
  assert.ok(failure !== '' || codes.some((code) => code !== 0), `${args.join(' ')} is content: ${said}`);
  return said;
}

async function controlFile(name: 'waivers' | 'baseline'): Promise<string> {
  const file = (await readControlFiles(folder))[name];
  assert.ok(file instanceof ControlFileError);
  return file.message;
}

const files: readonly (readonly [file: string, read: () => Promise<string>])[] = [
  ['.identity-queries/connections.json', () => run('models')],
  ['.identity-queries/connections.json', () => run('connections', 'trust')],
  ['.identity-queries/packs.json', () => run('pack', 'list')],
  ['.identity-queries/waivers.json', () => controlFile('waivers')],
  ['.identity-queries/baseline.json', () => controlFile('baseline')],
  ['queries/saved-queries.json', () => run('check')],
  ['queries/models.json', () => run('check')],
  ['queries/bad.identity.json', () => run('check')],
  ['queries/good.identity.sql', () => run('check')],
];

const things: readonly (readonly [string, (at: string) => unknown])[] = [
  ['a link to a file', (at) => symlinkSync(path.join(root, 'outside'), at)],
  ['a link to an endless device', (at) => symlinkSync('/dev/zero', at)],
  ['a link to itself', (at) => symlinkSync(at, at)],
  ...(process.platform === 'win32'
    ? []
    : [['a pipe', (at: string) => execFileSync('mkfifo', [at])] as const]),
  ...(process.getuid?.() === 0
    ? [['a device', (at: string) => execFileSync('mknod', [at, 'c', '1', '5'])] as const]
    : []), // only root may make devices
  ['a folder', (at) => mkdirSync(at)],
  [
    'a gigabyte',
    (at) => {
      writeFileSync(at, '');
      truncateSync(at, 1e9);
    },
  ],
  ['no UTF-8', (at) => writeFileSync(at, Buffer.from([0x7b, 0xff, 0xfe, 0x7d]))],
  ['deep JSON', (at) => writeFileSync(at, `${'['.repeat(200_000)}${']'.repeat(200_000)}`)],
  ['empty', (at) => writeFileSync(at, '')],
];

const contents = (at: string): string =>
  JSON.stringify(
    readdirSync(at, { recursive: true })
      .map(String)
      .sort()
      .map((name) => [name, lstatSync(path.join(at, name)).ino, lstatSync(path.join(at, name)).size]),
  );

describe('a file of a folder', () => {
  for (const [file, read] of files)
    for (const [what, make] of things)
      it(`${file} that is ${what} is refused by name, and nothing is changed`, async () => {
        rmSync(path.join(folder, file), { force: true });
        make(path.join(folder, file));
        const before = contents(folder);
        const said = await read();
        assert.ok(said.includes(path.basename(file)), said.slice(0, 500));
        assert.ok(!said.includes(outside) && said.length < 5_000);
        assert.equal(contents(folder), before);
      });
});
