/** `identity-queries export`: atomic, resumable after any interruption, and listed. */
import assert from 'node:assert/strict';
import type { ChildProcess } from 'node:child_process';
import { mkdtemp, readdir, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { after, afterEach, before, describe, it } from 'node:test';
import { setTimeout as wait } from 'node:timers/promises';
import { runCli, sandboxEnvironment, type CliOptions } from '../helpers/command-line.ts';
import { startSandbox, type RunningSandbox } from '../helpers/sandbox.ts';

const dataSet = 'accessInventoryAccounts';

describe('export', () => {
  let sandbox: RunningSandbox;
  let folder: string;
  let whole: string;

  before(async () => {
    sandbox = await startSandbox({ accounts: 100, args: ['--job-step', '5'] });
    folder = await mkdtemp(path.join(tmpdir(), 'identity-queries-cli-export-'));
    const { code, stderr } = await cli(['export', dataSet, '--out', 'whole.csv']);
    assert.equal(code, 0, stderr);
    whole = await readFile(path.join(folder, 'whole.csv'), 'utf8');
  });
  afterEach(() => sandbox.setFaults([]));
  after(async () => {
    await sandbox.stop();
    await rm(folder, { recursive: true });
  });

  async function cli(args: readonly string[], options: Partial<CliOptions> = {}) {
    return await runCli(args, { cwd: folder, env: sandboxEnvironment(sandbox), ...options });
  }
  const requests = async (method: string, part: string) =>
    (await sandbox.requests()).filter((each) => each.method === method && each.path.includes(part));
  const parts = async () => (await readdir(folder)).filter((name) => name.endsWith('.part'));
  const content = (name: string) => readFile(path.join(folder, name), 'utf8');

  /** Sends the file slowly, and stops the program once part of it is on disk. */
  async function cutOff(name: string, signal: NodeJS.Signals) {
    const slowly = { kind: 'trickle', bytes: 2_000, everyMs: 200 } as const;
    await sandbox.setFaults([{ path: '/downloads/*', always: slowly }]);
    let child: ChildProcess | undefined;
    const running = cli(['export', dataSet, '--out', name], { onStart: (started) => (child = started) });
    const hasBytes = async () => {
      const [part] = await parts();
      return part !== undefined && (await stat(path.join(folder, part))).size > 0;
    };
    while (child?.exitCode === null && !(await hasBytes())) await wait(20);
    child?.kill(signal);
    const outcome = await running;
    await sandbox.setFaults([]);
    await sandbox.forgetRequests();
    return outcome;
  }

  it('is saved under its own name, replaces no existing file, and is listed', async () => {
    const { code, stdout, stderr } = await cli(['export', 'employees', '--json']);
    assert.equal(code, 0, stderr);
    assert.equal(stderr, '', 'progress is for terminals');
    const told = JSON.parse(stdout) as { id: string; file: string; bytes: number; fileFormat: string };
    const file = path.join(folder, 'employees.csv');
    assert.deepEqual([path.basename(told.file), told.fileFormat], ['employees.csv', 'csv']);
    assert.equal((await stat(file)).size, told.bytes);
    const refused = await cli(['export', 'employees']);
    assert.equal(refused.code, 2);
    assert.match(refused.stderr, /employees\.csv already exists\.\nTo replace it, name it with --out/);
    const replaced = await cli(['export', 'employees', '--out', 'employees.csv']);
    assert.equal(replaced.code, 0, replaced.stderr);
    assert.match(replaced.stderr, /^\d+ KB in .*employees\.csv\.\n$/);
    const list = await cli(['export', '--list', '--json']);
    const { exports } = JSON.parse(list.stdout) as { exports: { id: string; savedTo: string }[] };
    assert.equal(path.basename(exports.find(({ id }) => id === told.id)?.savedTo ?? ''), 'employees.csv');
    const table = await cli(['export', '--list']);
    assert.match(table.stdout, /^employees +csv +.*saved +.*employees\.csv$/m);
    assert.deepEqual(await parts(), []);
  });

  it('is saved by its ID, whoever requested it', async () => {
    const { exports } = JSON.parse((await cli(['export', '--list', '--json'])).stdout) as {
      exports: { id: string; context: string }[];
    };
    const id = exports.find(({ context }) => context === dataSet)?.id ?? '';
    const elsewhere = { ...sandboxEnvironment(sandbox), XDG_DATA_HOME: path.join(folder, 'elsewhere') };
    const saved = await cli(['export', '--id', id, '--out', 'by-id.csv'], { env: elsewhere });
    assert.equal(saved.code, 0, saved.stderr);
    assert.equal(await content('by-id.csv'), whole);
    for (const none of ['00000000-0000-4000-8000-000000000000', 'nonsense']) {
      const gone = await cli(['export', '--id', none, '--out', 'none.csv']);
      assert.deepEqual([gone.code, gone.stdout], [2, '']);
      assert.ok(gone.stderr.includes(`no export "${none}"`), gone.stderr);
    }
    for (const [args, words] of [
      [['export', '--id', id], /Name the file of the export with --out/],
      [['export', dataSet, '--id', id, '--out', 'x.csv'], /--id takes no data set/],
    ] as const)
      assert.match((await cli(args)).stderr, words);
  });

  it('keeps the received bytes on Ctrl+C, explains how to resume, and resumes', async () => {
    await writeFile(path.join(folder, 'cut.csv'), 'earlier');
    const { code, stdout, stderr } = await cutOff('cut.csv', 'SIGINT');
    assert.deepEqual([code, stdout], [130, '']);
    assert.match(
      stderr,
      /^Interrupted\.\nThe partial file is kept: \d+ KB of \d+ KB\.\nTo continue, run the same command again\.\n$/,
    );
    assert.equal(await content('cut.csv'), 'earlier');
    const list = await cli(['export', '--list']);
    assert.match(list.stdout, /\d+ KB of \d+ KB saved +.*cut\.csv$/m);
    const again = await cli(['export', dataSet, '--out', 'cut.csv']);
    assert.equal(again.code, 0, again.stderr);
    assert.match(again.stderr, /^Continuing the export requested /);
    assert.equal(await content('cut.csv'), whole);
    assert.deepEqual(await parts(), []);
    assert.deepEqual(await requests('POST', '/v1/downloads'), []);
    assert.deepEqual(
      (await requests('GET', '/file')).map(({ status }) => status),
      [206],
    );
    const next = await cli(['export', dataSet, '--out', 'cut.csv']);
    assert.doesNotMatch(next.stderr, /Going on/, 'it was over');
  });

  it('resumes after being killed, and starts over with --fresh', async () => {
    await cutOff('killed.csv', 'SIGKILL');
    const again = await cli(['export', dataSet, '--out', 'killed.csv']);
    assert.equal(again.code, 0, again.stderr);
    assert.equal(await content('killed.csv'), whole);
    assert.deepEqual(
      (await requests('GET', '/file')).map(({ status }) => status),
      [206],
    );
    await cutOff('killed.csv', 'SIGKILL');
    const fresh = await cli(['export', dataSet, '--out', 'killed.csv', '--fresh']);
    assert.equal(fresh.code, 0, fresh.stderr);
    assert.equal((await requests('POST', '/v1/downloads')).length, 1);
    assert.deepEqual(await parts(), []);
  });

  it('is requested again if the service no longer has it', async () => {
    await cutOff('gone.csv', 'SIGINT');
    const gone = { kind: 'status', status: 404, code: 'NOT_FOUND' } as const;
    await sandbox.setFaults([{ method: 'GET', path: '/v1/downloads/*', script: [gone] }]);
    const { code, stderr } = await cli(['export', dataSet, '--out', 'gone.csv']);
    assert.equal(code, 0, stderr);
    assert.match(stderr, /no longer has its file: requesting a new one\./);
    assert.equal(await content('gone.csv'), whole);
    assert.deepEqual(await parts(), []);
  });

  it('leaves no file if the service fails, and explains that the same command resumes', async () => {
    const failing = { kind: 'status', status: 403 } as const;
    await sandbox.setFaults([{ method: 'GET', path: '/v1/downloads/*', always: failing }]);
    const { code, stdout, stderr } = await cli(['export', dataSet, '--out', 'none.csv']);
    assert.deepEqual([code, stdout], [2, '']);
    assert.match(stderr, /^identity-queries: Access inventory accounts: .*\n/);
    assert.match(stderr, /To continue, run the same command again\.\n$/);
    assert.deepEqual(
      (await readdir(folder)).filter((name) => name.includes('none.csv')),
      [],
    );
  });

  it('refuses invalid usage, and sends no request', async () => {
    await sandbox.forgetRequests();
    for (const [args, said] of [
      [['export'], /Name a data set, --id or --list/],
      [['export', 'employee'], /Did you mean .*employees/],
      [['export', 'employees', '--out', 'a.doc'], /is not an export format/],
      [['export', 'employees', '--out', path.join('nowhere', 'a.csv')], /its folder does not exist/],
      [['export', 'employees', '--out', '.', '--format', 'csv'], /a folder has this name/],
      [['export', 'employees', '--list'], /--list takes no data set/],
    ] as const) {
      const { code, stdout, stderr } = await cli(args);
      assert.deepEqual([code, stdout], [2, ''], args.join(' '));
      assert.match(stderr, said);
    }
    assert.deepEqual(await sandbox.requests(), []);
  });
});
