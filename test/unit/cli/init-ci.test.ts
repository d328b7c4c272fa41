/** `init ci` writes nothing that runs a package nobody verified, and writes through no link. */
import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { mkdir, mkdtemp, readdir, readFile, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { PassThrough } from 'node:stream';
import { text } from 'node:stream/consumers';
import { afterEach, beforeEach, describe, it } from 'node:test';
import { parse } from 'yaml';
import { ciServices } from '#cli/init-ci/templates.ts';
import { createProgram } from '#cli/program.ts';
import { runInProcess } from '#test/helpers/run-in-process.ts';

let root: string;
let folder: string;
beforeEach(async () => {
  root = await mkdtemp(path.join(tmpdir(), 'identity-queries-init-'));
  folder = path.join(root, 'clone');
  await mkdir(folder);
});
afterEach(() => rm(root, { recursive: true }));

async function init(...args: readonly string[]) {
  const [stdin, stdout, stderr] = [new PassThrough(), new PassThrough(), new PassThrough()];
  stdin.end();
  const context = {
    stdin,
    stdout,
    stderr,
    environment: {},
    cwd: folder,
    signal: new AbortController().signal,
    limitTo: () => undefined,
    end: () => undefined,
  };
  const failure = await createProgram(context, '1.0.0')
    .parseAsync(['init', 'ci', ...args], { from: 'user' })
    .then(
      () => '',
      (error: unknown) => (error instanceof Error ? error.message : '?'),
    );
  stdout.end();
  stderr.end();
  return { failure, stdout: await text(stdout), stderr: await text(stderr) };
}

const locked = (more: object) =>
  writeFile(
    path.join(folder, 'package-lock.json'),
    JSON.stringify({ lockfileVersion: 3, packages: { 'node_modules/identity-queries': more } }),
  );
const digest = createHash('sha256').update('a package').digest('hex');

/** How each service starts bash for a script. */
const shells = {
  github: ['-e', '-c'],
  gitlab: ['-e', '-o', 'pipefail', '-c'],
  azure: ['--noprofile', '--norc', '-c'],
} as const;

/** Returns the texts with several lines of a workflow. */
function scriptsOf(value: unknown): readonly string[] {
  if (typeof value === 'string') return value.includes('\n') ? [value] : [];
  return typeof value === 'object' && value !== null ? Object.values(value).flatMap(scriptsOf) : [];
}

describe('init ci', () => {
  for (const service of ciServices)
    it(`says what to type for ${service} without a package`, async () => {
      const { stderr } = await runInProcess(['init', 'ci', service], { cwd: folder, environment: {} });
      assert.match(stderr, new RegExp(`  identity-queries init ci ${service} --package tools/`));
      assert.match(stderr, new RegExp(`  identity-queries init ci ${service} --package https://`));
    });

  for (const service of ciServices) {
    it(`writes no name that somebody else may register, on ${service}`, async () => {
      for (const lock of [
        undefined,
        {},
        { version: '1.0.0', resolved: 'https://registry.example/identity-queries.tgz' },
        { integrity: 'md5-x' },
        { integrity: 'sha512-x', link: true },
      ]) {
        if (lock !== undefined) await locked(lock);
        const { failure, stdout } = await init(service);
        assert.match(failure, /by its name alone/);
        assert.equal(stdout, '');
      }
      assert.deepEqual(await readdir(folder), ['package-lock.json']);
    });

    it(`installs what the lock file verifies, on ${service}`, async () => {
      await locked({ version: '1.0.0', integrity: 'sha512-abc' });
      const { failure, stdout } = await init(service, '--print');
      assert.equal(failure, '');
      // A container's user may have no home for npm's cache.
      assert.match(stdout, /npm ci --ignore-scripts --cache \.identity-queries-ci\/cache\n/);
      assert.doesNotMatch(stdout, /npx (?!--no )|--yes|identity-queries@\d/);
    });

    it(`installs no package with another digest, as ${service} runs a script`, async () => {
      const file = path.join(folder, 'identity-queries.tgz');
      await writeFile(file, 'a package');
      const { stdout } = await init(service, '--print', '--package', 'identity-queries.tgz');
      const [script] = [...scriptsOf(parse(stdout))].filter((one) => one.includes('sha256sum'));
      assert.ok(script !== undefined);
      const bin = path.join(root, 'bin');
      await mkdir(bin);
      await writeFile(path.join(bin, 'npm'), `#!/bin/sh\necho installed >> '${path.join(root, 'npm')}'\n`, {
        mode: 0o755,
      });
      const run = () =>
        spawnSync('bash', [...shells[service], script], {
          cwd: folder,
          env: { ...process.env, PATH: `${bin}:${process.env['PATH'] ?? ''}` },
        }).status;
      assert.equal(run(), 0);
      await writeFile(file, 'another package');
      assert.notEqual(run(), 0);
      assert.equal(await readFile(path.join(root, 'npm'), 'utf8'), 'installed\n');
    });

    it(`verifies the digest of a package, on ${service}`, async () => {
      await writeFile(path.join(folder, 'identity-queries.tgz'), 'a package');
      const ofFile = await init(service, '--print', '--package', 'identity-queries.tgz');
      assert.equal(ofFile.failure, '');
      const address = 'https://example.com/releases/identity-queries-1.0.0.tgz';
      const ofAddress = await init(
        service,
        '--print',
        '--package',
        address,
        '--sha256',
        digest.toUpperCase(),
      );
      assert.match(ofAddress.stdout, new RegExp(`--output \\S+ ${address}`));
      for (const { stdout } of [ofFile, ofAddress]) {
        assert.match(stdout, new RegExp(`echo '${digest}  \\S+' \\| sha256sum --check --status`));
        assert.match(stdout, /npm install .*--ignore-scripts .*--offline/);
        assert.doesNotMatch(stdout, /npx/);
        // What the repository has where the package goes is not what was verified.
        assert.match(stdout, /rm -rf (\S+)\n[^]*sha256sum[^]*npm install --prefix \1 --cache \1\/cache /);
      }
    });
  }

  it('pushes from the main branch of the repository', async () => {
    await locked({ integrity: 'sha512-abc' });
    const git = path.join(folder, '.git');
    await mkdir(path.join(git, 'refs/remotes/origin'), { recursive: true });
    for (const [remote, head, branch] of [
      [undefined, 'refs/heads/main', 'main'],
      [undefined, 'refs/heads/master', 'master'],
      [undefined, 'refs/heads/my-change', 'main'],
      ['refs/remotes/origin/release/2.x', 'refs/heads/master', 'release/2.x'],
      ['refs/remotes/origin/$(id)', 'refs/heads/my-change', 'main'],
      ['refs/remotes/upstream/other', 'refs/heads/trunk', 'trunk'],
    ] as const) {
      await writeFile(path.join(git, 'HEAD'), `ref: ${head}\n`);
      if (remote !== undefined)
        await writeFile(path.join(git, 'refs/remotes/origin/HEAD'), `ref: ${remote}\n`);
      const github = parse((await init('github', '--print')).stdout) as { on: { push: unknown } };
      assert.deepEqual(github.on.push, { branches: [branch] });
      const { stdout } = await init('azure', '--print');
      const azure = parse(stdout) as { trigger: { branches: unknown }; schedules: { branches: unknown }[] };
      for (const { branches } of [azure.trigger, ...azure.schedules])
        assert.deepEqual(branches, { include: [branch] });
      assert.ok(stdout.includes(`'refs/heads/${branch}'`));
      for (const [service, isTold] of [
        ['github', true],
        ['gitlab', false],
      ] as const) {
        const { stderr } = await init(service, '--force');
        assert.equal(stderr.includes(`What is merged into ${branch} is pushed.`), isTold, stderr);
        await rm(path.join(folder, service === 'github' ? '.github' : '.gitlab-ci.yml'), { recursive: true });
      }
    }
  });

  it('refuses what it cannot verify', async () => {
    await writeFile(path.join(root, 'outside.tgz'), 'a package');
    await symlink(path.join(root, 'outside.tgz'), path.join(folder, 'link.tgz'));
    await writeFile(path.join(folder, 'identity-queries.tgz'), 'a package');
    await writeFile(path.join(folder, 'a;b.tgz'), 'a package');
    await writeFile(path.join(folder, 'x.sh'), 'a package');
    await mkdir(path.join(folder, 'folder.tgz'));
    const tgz = 'https://example.com/a.tgz';
    for (const args of [
      ['--package', 'link.tgz'],
      ['--package', '../outside.tgz'],
      ['--package', path.join(root, 'outside.tgz')],
      ['--package', 'none.tgz'],
      ['--package', 'folder.tgz'],
      ['--package', 'a;b.tgz'],
      ['--package', 'x.sh'],
      ['--package', 'identity-queries'],
      ['--package', 'identity-queries.tgz', '--sha256', '0'.repeat(64)],
      ['--package', tgz],
      ['--package', tgz, '--sha256', 'x'],
      ['--package', 'http://example.com/a.tgz', '--sha256', digest],
      ['--package', 'https://user:SECRET@example.com/a.tgz', '--sha256', digest],
      ['--package', 'https://example.com/a.tgz?token=SECRET', '--sha256', digest],
      ['--package', 'https://example.com/$(id).tgz', '--sha256', digest],
      ['--package', "https://example.com/a'b.tgz", '--sha256', digest],
      ['--package', 'git+ssh://example.com/a.tgz', '--sha256', digest],
    ]) {
      const { failure, stdout } = await init('github', ...args);
      assert.notEqual(failure, '', args.join(' '));
      assert.doesNotMatch(failure, /SECRET/);
      assert.equal(stdout, '');
    }
    await assert.rejects(readdir(path.join(folder, '.github')));
  });

  it('writes through no link', async () => {
    await locked({ integrity: 'sha512-abc' });
    const outside = path.join(root, 'outside');
    await mkdir(outside);
    for (const link of ['.github', '.github/workflows', '.github/workflows/identity-queries.yml']) {
      await rm(path.join(folder, '.github'), { recursive: true, force: true });
      await mkdir(path.dirname(path.join(folder, link)), { recursive: true });
      await symlink(outside, path.join(folder, link));
      for (const more of [[], ['--force']]) {
        const { failure } = await init('github', ...more);
        assert.match(failure, /was not written: it is a link/, link);
      }
      assert.deepEqual(await readdir(outside), []);
    }
    await rm(path.join(folder, '.github'), { recursive: true });
    assert.equal((await init('github')).failure, '');
    assert.match(
      await readFile(path.join(folder, '.github/workflows/identity-queries.yml'), 'utf8'),
      /npm ci/,
    );
  });
});
