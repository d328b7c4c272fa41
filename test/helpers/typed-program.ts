/**
 * `identity-queries` as a shell starts it, for tests of what is typed: a small program that hands its arguments, its
 * environment, its folder and its input to one process, which runs the bundled command line. Loading that takes ten
 * times as long as starting the small one. What is the process's own is tested elsewhere: its signals and its exit in
 * `signals.test.ts` and `process.test.ts`, clean containers in `init-ci.test.ts`.
 */
import { fork } from 'node:child_process';
import { once } from 'node:events';
import { mkdir, symlink, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { pathToFileURL } from 'node:url';
import { fromRoot } from '#scripts/lib/paths.js';
import { longRunning } from './command-line.ts';

export interface TypedProgram {
  /** The program as a module, for `node FILE`. */
  readonly module: string;
  /** A folder for `PATH`, with the program by its name, and with this Node.js. */
  readonly bin: string;
  readonly stop: () => Promise<void>;
}

/** @param folder which is removed after the tests; the files are added to it. */
export async function startTypedProgram(folder: string): Promise<TypedProgram> {
  const address =
    process.platform === 'win32'
      ? String.raw`\\.\pipe\identity-queries-${path.basename(folder)}`
      : path.join(folder, 'p');
  const child = fork(path.join(import.meta.dirname, 'typed-program-process.ts'), [address]);
  const ended = once(child, 'exit');
  const isReady = await Promise.race([once(child, 'message').then(() => true), ended.then(() => false)]);
  if (!isReady) throw new Error('The process that runs what is typed ended before it listened.');
  const module = path.join(folder, 'identity-queries.mjs');
  await writeFile(module, smallProgram(address));
  const bin = path.join(folder, 'bin');
  await mkdir(bin);
  await writeFile(
    path.join(bin, 'identity-queries'),
    `#!/bin/sh\nexec '${process.execPath}' '${module}' "$@"\n`,
    {
      mode: 0o755,
    },
  );
  await symlink(process.execPath, path.join(bin, 'node'));
  return {
    module,
    bin,
    stop: async () => {
      child.kill();
      await ended;
    },
  };
}

function smallProgram(address: string): string {
  const program = pathToFileURL(fromRoot('dist/cli.js')).href;
  return `import { connect } from 'node:net';
const args = process.argv.slice(2);
if (${JSON.stringify([...longRunning])}.includes(args[0])) await import(${JSON.stringify(program)});
else {
  const read = async (stream) => (await Array.fromAsync(stream)).join('');
  const input = await read(process.stdin.setEncoding('utf8'));
  const socket = connect({ path: ${JSON.stringify(address)}, allowHalfOpen: true }).setEncoding('utf8');
  socket.end(JSON.stringify({ args, input, env: process.env, cwd: process.cwd() }));
  const { code, stdout, stderr } = JSON.parse(await read(socket));
  process.stdout.write(stdout);
  process.stderr.write(stderr);
  process.exitCode = code;
}
`;
}
