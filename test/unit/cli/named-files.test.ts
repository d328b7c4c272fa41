/** Files that a person names, as every kind of thing that a file can be: each is refused with its name and the reason. */
import assert from 'node:assert/strict';
import { mkdirSync, mkdtempSync, rmSync, symlinkSync, truncateSync, writeFileSync } from 'node:fs';
import { createServer, type Server } from 'node:net';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { PassThrough, Readable } from 'node:stream';
import { text } from 'node:stream/consumers';
import { after, before, describe, it } from 'node:test';
import { clientIdentity } from '#api/client/network/certificates.ts';
import { createProgram } from '#cli/program.ts';

const isWindows = process.platform === 'win32';
let folder: string;
let server: Server | undefined;

before(async () => {
  folder = mkdtempSync(path.join(tmpdir(), 'identity-queries-named-'));
  mkdirSync(path.join(folder, 'folder'));
  writeFileSync(path.join(folder, 'huge'), '');
  truncateSync(path.join(folder, 'huge'), 5_000_000_000);
  if (isWindows) return;
  symlinkSync('/dev/zero', path.join(folder, 'endless'));
  symlinkSync('loop', path.join(folder, 'loop'));
  const listening = createServer();
  server = listening;
  await new Promise<void>((resolve) =>
    listening.listen(path.relative(process.cwd(), path.join(folder, 'socket')), resolve),
  );
});
after(() => {
  server?.close();
  rmSync(folder, { recursive: true });
});

async function run(args: readonly string[], stdin: Readable = Readable.from([])): Promise<string> {
  const [stdout, stderr] = [new PassThrough(), new PassThrough()];
  const said = Promise.all([text(stdout), text(stderr)]);
  const codes: number[] = [];
  const context = {
    ...{ stdin, stdout, stderr, cwd: folder },
    environment: { XDG_CONFIG_HOME: path.join(folder, 'home'), XDG_DATA_HOME: path.join(folder, 'data') },
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
  const [out, errors] = await said;
  assert.ok(failure !== '' || codes.some((code) => code !== 0), `${args.join(' ')} is content`);
  return failure + out + errors;
}

const uses: readonly (readonly [name: string, use: (file: string) => Promise<string>])[] = [
  ['check', (file) => run(['check', file])],
  ['check --models', (file) => run(['check', '--models', file, '-'])],
  ['check --jsonl', (file) => run(['check', '--jsonl', path.join(folder, file)])],
  ['evidence verify', (file) => run(['evidence', 'verify', file])],
  ['audit verify', (file) => run(['audit', 'verify', '--file', path.join(folder, file)])],
  ['audit list', (file) => run(['audit', 'list', '--file', path.join(folder, file)])],
  [
    'a certificate',
    (file) =>
      clientIdentity({ certificateFile: path.join(folder, file) }).then(
        () => assert.fail('it is read'),
        (error: unknown) => `${file}: ${String(error instanceof Error ? error.cause : error)}`,
      ),
  ],
];

const things: readonly (readonly [name: string, reason: RegExp])[] = [
  ['folder', /it is a folder/],
  ['huge', /it is too large/],
  ...(isWindows
    ? []
    : ([
        ['endless', /it is too large|it is a pipe, a device or a socket/],
        ['loop', /it is a link/],
        ['socket', /it is a pipe, a device or a socket/],
      ] as const)),
];

describe('a file that a person names', () => {
  for (const [name, use] of uses)
    for (const [file, reason] of things)
      it(`is refused by ${name} if it is ${file}`, async () => {
        const said = await use(file);
        assert.match(said, reason);
        assert.ok(said.includes(file), said);
      });

  for (const args of [
    ['check', '-'],
    ['check', '--jsonl'],
  ])
    it(`is refused by ${args.join(' ')} if it is a standard input without an end`, async () => {
      const piece = Buffer.alloc(1_048_576, 'a');
      const endless = new Readable({
        read() {
          this.push(piece);
        },
      });
      assert.match(await run(args, endless), /it is too large/);
    });
});
