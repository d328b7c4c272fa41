/** SIGTERM ends the program, whatever it waits for. */
import assert from 'node:assert/strict';
import { execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { closeSync, constants, openSync } from 'node:fs';
import { mkdir, mkdtemp, rm, symlink, writeFile } from 'node:fs/promises';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { PassThrough } from 'node:stream';
import { text } from 'node:stream/consumers';
import { afterEach, beforeEach, test } from 'node:test';
import type { Command } from 'commander';
import { createProgram } from '#cli/program.ts';

const program = path.join(import.meta.dirname, '../../../dist/cli.js');

let folder: string;
beforeEach(async () => {
  folder = await mkdtemp(path.join(tmpdir(), 'identity-queries-signals-'));
});
afterEach(() => rm(folder, { recursive: true }));

const start = (args: readonly string[], environment: NodeJS.ProcessEnv = {}) =>
  spawn(process.execPath, [program, ...args], {
    cwd: folder,
    env: { ...process.env, XDG_CONFIG_HOME: folder, XDG_DATA_HOME: folder, ...environment },
    stdio: 'pipe',
  });

test('SIGTERM ends a program that waits for a service that never answers', async () => {
  const server = createServer();
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const address = server.address();
  const origin = typeof address === 'object' ? `http://127.0.0.1:${address?.port}` : '';
  const connected = once(server, 'connection');
  const child = start(['models'], {
    IDENTITY_QUERIES_BASE_URL: origin,
    IDENTITY_QUERIES_AUTH_URL: `${origin}/token`,
    IDENTITY_QUERIES_CLIENT_ID: 'c',
    IDENTITY_QUERIES_CLIENT_SECRET: 's',
  });
  const exited = once(child, 'exit');
  await connected;
  child.kill('SIGTERM');
  await exited;
  server.close();
});

test('SIGTERM ends a program that waits for its input', async () => {
  const child = start(['check', '-']);
  const exited = once(child, 'exit');
  child.stdin.on('error', () => undefined); // it may end before it reads
  child.stdin.write('SELECT');
  child.kill('SIGTERM');
  await exited;
});

test('a signal ends a program that waits for a pipe that nobody writes to', async () => {
  execFileSync('mkfifo', [path.join(folder, 'pipe.csv')]);
  await writeFile(path.join(folder, 'a.csv'), 'id\n1\n');
  for (const [args, signals] of [
    [['compare', 'a.csv', 'pipe.csv'], ['SIGTERM']],
    [
      ['compare', 'pipe.csv', 'a.csv'],
      ['SIGINT', 'SIGTERM'],
    ],
    [['check', 'pipe.csv'], ['SIGTERM']],
  ] as const) {
    const child = start(args);
    const exited = once(child, 'exit');
    child.stderr.resume();
    const silent = await openForWriting(path.join(folder, 'pipe.csv'));
    for (const signal of signals) child.kill(signal);
    await exited;
    closeSync(silent);
  }
});

/** Waits until somebody reads the pipe, and writes nothing to it. */
async function openForWriting(pipe: string): Promise<number> {
  for (;;) {
    try {
      return openSync(pipe, constants.O_WRONLY | constants.O_NONBLOCK);
    } catch (error) {
      if (!(error instanceof Error && 'code' in error && error.code === 'ENXIO')) throw error;
      await new Promise((resolve) => setTimeout(resolve, 20)); // nobody reads it yet
    }
  }
}

/** Every command of the program, with something for each argument that it requires. */
function commandLines(): readonly (readonly string[])[] {
  const context = {
    stdin: new PassThrough(),
    stdout: new PassThrough(),
    stderr: new PassThrough(),
    environment: {},
    cwd: folder,
    signal: new AbortController().signal,
    limitTo: () => undefined,
    end: () => undefined,
  };
  const leaves = (command: Command, path: readonly string[]): readonly (readonly string[])[] =>
    command.commands.length > 0
      ? command.commands.flatMap((each) => leaves(each, [...path, each.name()]))
      : [
          [
            ...path,
            ...command.registeredArguments.filter(({ required }) => required).map(() => 'a.sql'),
            ...command.options
              .filter(({ mandatory }) => mandatory)
              .flatMap(({ long, flags }) => [long ?? flags, 'a.sql']),
          ],
        ];
  return leaves(createProgram(context, '0'), []);
}

test('SIGTERM ends every command, whatever it waits for', async () => {
  const server = createServer(); // accepts connections and never answers
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const address = server.address();
  const origin = typeof address === 'object' ? `http://127.0.0.1:${address?.port}` : '';
  await writeFile(path.join(folder, 'a.sql'), 'SELECT 1');
  const lines = commandLines();
  assert.ok(lines.length > 30, `${lines.length} commands`);
  const waited: string[] = [];
  const endOf = async (args: readonly string[]): Promise<void> => {
    const child = start(args, {
      IDENTITY_QUERIES_BASE_URL: origin,
      IDENTITY_QUERIES_AUTH_URL: `${origin}/token`,
      IDENTITY_QUERIES_CLIENT_ID: 'c',
      IDENTITY_QUERIES_CLIENT_SECRET: 's',
    });
    const exited = once(child, 'exit');
    child.stdout.resume();
    child.stderr.resume();
    // It waits once it connects, or says what it listens for; or it ends by itself.
    await Promise.race([
      exited,
      once(child.stdout, 'data'),
      once(server, 'connection'),
      new Promise((resolve) => setTimeout(resolve, 3_000).unref()),
    ]);
    if (child.exitCode === null) waited.push(args.join(' '));
    child.kill('SIGTERM');
    await exited;
  };
  for (let at = 0; at < lines.length; at += 4)
    await Promise.all(lines.slice(at, at + 4).map((args) => endOf(args)));
  server.close();
  assert.ok(waited.length > 5, waited.join(', '));
});

test('a control file that is an endless device is reported', async () => {
  await mkdir(path.join(folder, '.identity-queries'));
  await symlink('/dev/zero', path.join(folder, '.identity-queries', 'waivers.json'));
  await writeFile(
    path.join(folder, 'a.identity.sql'),
    '-- @control AC-1 One\n-- @key id\nSELECT id FROM accounts\n',
  );
  const child = start(['controls', 'run', '.'], {
    IDENTITY_QUERIES_BASE_URL: 'http://127.0.0.1:1',
    IDENTITY_QUERIES_AUTH_URL: 'http://127.0.0.1:1/token',
    IDENTITY_QUERIES_CLIENT_ID: 'c',
    IDENTITY_QUERIES_CLIENT_SECRET: 's',
    IDENTITY_QUERIES_DIGEST_KEY: 'k'.repeat(32),
  });
  const exited = once(child, 'exit') as Promise<[number | null]>; // `exit` passes the code
  const [out, err, [code]] = await Promise.all([text(child.stdout), text(child.stderr), exited]);
  assert.match(out + err, /waivers\.json.*it is a link/);
  assert.equal(code, 2);
});
