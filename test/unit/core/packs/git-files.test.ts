/** Packs from real Git repositories: valid addresses, their content, and side effects that must not happen. */
import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { createReadStream } from 'node:fs';
import { chmod, mkdir, mkdtemp, readdir, readFile, rm, symlink, writeFile } from 'node:fs/promises';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { createServer } from 'node:https';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { after, before, describe, it } from 'node:test';
import { pathToFileURL } from 'node:url';
import { parseGitAddress } from '#core/packs/git-address.ts';
import { GitError, withGitPack } from '#core/packs/git-files.ts';
import { sayPackProblem } from '#core/packs/pack-messages.ts';
import { readPack } from '#core/packs/read-pack.ts';
import { createPrivateAuthority } from '#test/helpers/forward-proxy.ts';
import { plainQueries, writePack } from '#test/helpers/packs.ts';

describe('an address', () => {
  const accepted: readonly (readonly [string, string, string])[] = [
    ['https://git.example.com/a/b.git@v1.0.0', 'https://git.example.com/a/b.git', 'v1.0.0'],
    ['https://me@git.example.com/a.git@v1', 'https://me@git.example.com/a.git', 'v1'],
    ['ssh://git@host:22/a/b@release/2', 'ssh://git@host:22/a/b', 'release/2'],
    ['git@host:team/a.git@v1', 'git@host:team/a.git', 'v1'],
    ['file:///srv/packs/a@v1', 'file:///srv/packs/a', 'v1'],
  ];
  for (const [text, url, tag] of accepted) {
    it(`${text} is valid`, () => {
      assert.deepEqual(parseGitAddress(text), { address: { url, tag } });
    });
  }

  const refused: readonly (readonly [string, string])[] = [
    ['ext::sh -c touch% /tmp/x@v1', 'protocol'],
    ['http://git.example.com/a.git@v1', 'protocol'],
    ['git://git.example.com/a.git@v1', 'protocol'],
    ['fd::17@v1', 'protocol'],
    ['https://git.example.com/a.git', 'noTag'],
    ['https://me@git.example.com/a.git', 'noTag'],
    ['git@host:team/a.git', 'noTag'],
    ['https://git.example.com/a.git@--upload-pack=x', 'tag'],
    ['https://git.example.com/a.git@v1..v2', 'tag'],
    ['https://git.example.com/a.git@', 'tag'],
    ['ssh://-oProxyCommand=x/a@v1', 'address'],
    ['ssh://me@-oProxyCommand=x/a@v1', 'address'],
    ['https:///git.example.com/a@v1', 'address'],
    ['https:///me:SECRET@git.example.com/a@v1', 'secret'],
    ['https:////me:SECRET@git.example.com/a@v1', 'secret'],
    ['https://me%3aSECRET@git.example.com/a@v1', 'secret'],
    ['https://user:SECRET@git.example.com/a.git@v1', 'secret'],
    ['https://:SECRET@git.example.com/a.git@v1', 'secret'],
    ['ssh://user:SECRET@git.example.com/a.git@v1', 'secret'],
    ['https://ghp_abcdefghijklmnopqrstuvwxyz0123456789@git.example.com/a.git@v1', 'secret'],
    ['https://git.example.com/a.git?private_token=SECRET@v1', 'secret'],
    ['https://git.example.com/a.git#SECRET@v1', 'secret'],
    ['https://git.example.com/a b@v1', 'address'],
    ['https://git.example.com/a\n@v1', 'address'],
  ];
  for (const [text, problem] of refused) {
    it(`${JSON.stringify(text)} is refused: ${problem}`, () => {
      assert.deepEqual(parseGitAddress(text), { problem });
    });
  }

  it('is not a folder name', () => {
    for (const text of [
      'library/pack',
      './a@v1',
      '/srv/a',
      'C:\\packs\\a',
      'identity-review-essentials',
      '-oProxyCommand=x@h:p',
    ])
      assert.equal(parseGitAddress(text), undefined, text);
  });
});

describe('a pack in Git', () => {
  let root: string;
  let repository: string;

  const git = (...args: readonly string[]): string => {
    const identity = ['-c', 'user.name=Tester', '-c', 'user.email=tester@example.com'];
    const done = spawnSync('git', [...identity, '-c', 'protocol.file.allow=always', ...args], {
      cwd: repository,
      encoding: 'utf8',
    });
    assert.equal(done.status, 0, done.stderr);
    return done.stdout.trim();
  };
  const commit = (tag: string): void => {
    git('add', '-A');
    git('commit', '-q', '-m', tag);
    git('tag', '-a', tag, '-m', tag);
  };
  const read = async (tag: string) =>
    await withGitPack(
      { url: pathToFileURL(repository).href, tag },
      { environment: process.env, target: root },
      async (pack) => ({ commit: pack.commit, read: await readPack(pack.files) }),
    );
  const refusal = async (tag: string): Promise<string> => {
    const { read: outcome } = await read(tag);
    assert.ok('problem' in outcome);
    return sayPackProblem(outcome.problem);
  };
  const clones = async () =>
    (await readdir(tmpdir())).filter(
      (name) => name.startsWith('identity-queries-pack-') && !name.includes('test'),
    );

  before(async () => {
    root = await mkdtemp(path.join(tmpdir(), 'identity-queries-pack-test-'));
    repository = path.join(root, 'repository');
    await mkdir(repository);
    git('init', '-q');
    await writePack(repository);
    commit('v1');
    await writePack(repository, { version: '2.0.0' });
    commit('v2');
  });
  after(() => rm(root, { recursive: true }));

  it('comes from a tag, not from a branch of that name', async () => {
    git('branch', 'only-a-branch');
    const use = withGitPack(
      { url: pathToFileURL(repository).href, tag: 'only-a-branch' },
      { environment: process.env, target: root },
      () => Promise.resolve(),
    );
    await assert.rejects(use, GitError);
  });

  it('is read at its tag, with the commit, and leaves nothing behind', async () => {
    const before = await clones();
    const outcome = await read('v1');
    assert.equal(outcome.commit, git('rev-parse', 'v1^{commit}'));
    assert.ok('pack' in outcome.read, JSON.stringify(outcome.read));
    assert.equal(outcome.read.pack.manifest.version, '1.0.0');
    assert.deepEqual(
      outcome.read.pack.queries.map(({ text }) => text),
      Object.values(plainQueries),
    );
    // Other tests on this machine may be cloning at the same time.
    const left = (await clones()).filter((name) => !before.includes(name));
    assert.ok(left.length <= 3, left.join());
  });

  it('is read by few processes, whatever lies before its files', async () => {
    const bin = path.join(root, 'counting');
    await mkdir(bin);
    const { PATH = '' } = process.env;
    const log = path.join(root, 'log');
    const counting = `#!/bin/sh\nfor each; do :; done\ncase "$*" in *cat-file*) echo "$each" >> '${log}' ;; esac\nPATH='${PATH}' exec git "$@"\n`;
    await writeFile(path.join(bin, 'git'), counting, { mode: 0o755 });
    const address = (tag: string) => ({ url: pathToFileURL(repository).href, tag });
    const environment = { ...process.env, PATH: `${bin}:${PATH}` };
    const reads = async (tag: string) => {
      await writeFile(log, '');
      const outcome = await withGitPack(address(tag), { environment, target: repository }, ({ files }) =>
        readPack(files),
      );
      assert.ok('pack' in outcome, JSON.stringify(outcome));
      assert.equal(outcome.pack.queries.length, Object.keys(plainQueries).length);
      return (await readFile(log, 'utf8')).trim().split('\n');
    };
    assert.deepEqual(await reads('v2'), ['--batch']);
    // So much that what comes after it is read file by file.
    git('checkout', '-q', '-b', 'large');
    for (let number = 0; number < 10; number += 1)
      await writeFile(path.join(repository, `.a${number}`), `${number}${'x'.repeat(999_999)}`);
    commit('large');
    const [first, ...more] = await reads('large');
    assert.equal(first, '--batch');
    assert.ok(more.length > 2 && more.every((id) => /^[0-9a-f]{40}$/.test(id)), more.join(' '));
    git('checkout', '-q', '-');
  });

  it('is never read by a program in the folder that it is for', async () => {
    const bin = path.join(root, 'project', 'node_modules', '.bin');
    await mkdir(bin, { recursive: true });
    await writeFile(path.join(bin, 'git'), `#!/bin/sh\ntouch '${root}/ran'\n`, { mode: 0o755 });
    await symlink(bin, path.join(root, 'linked-bin'));
    const { PATH = '' } = process.env;
    for (const place of [bin, path.join(root, 'linked-bin'), '.', ''])
      await withGitPack(
        { url: pathToFileURL(repository).href, tag: 'v1' },
        {
          environment: { ...process.env, PATH: `${place}:${PATH}` },
          target: path.join(root, 'project'),
        },
        () => Promise.resolve(),
      );
    assert.ok(!(await readdir(root)).includes('ran'));
  });

  it('starts no program in the folder that it is for, such as ssh', async () => {
    const bin = path.join(root, 'project', 'bin');
    await mkdir(bin, { recursive: true });
    await writeFile(path.join(bin, 'ssh'), `#!/bin/sh\ntouch '${root}/ran'\nexit 1\n`, { mode: 0o755 });
    const { PATH = '' } = process.env;
    await assert.rejects(
      withGitPack(
        { url: 'ssh://127.0.0.1:1/pack.git', tag: 'v1' },
        {
          environment: { ...process.env, PATH: `${bin}:bin:${PATH}` },
          target: path.join(root, 'project'),
        },
        () => Promise.resolve(),
      ),
    );
    assert.ok(!(await readdir(root)).includes('ran'));
  });

  it('leaves nothing running that Git started, when it is left', async () => {
    const bin = path.join(root, 'slow-bin');
    await mkdir(bin);
    const pipe = path.join(root, 'pipe');
    assert.equal(spawnSync('mkfifo', [pipe]).status, 0);
    const unpacking = `(exec > '${pipe}' 2>&1; echo started; sleep 5; echo survived)`;
    await writeFile(
      path.join(bin, 'git'),
      `#!/bin/sh\ncase "$*" in *' fetch '*) ${unpacking} & wait ;; esac\n`,
      {
        mode: 0o755,
      },
    );
    const leaving = new AbortController();
    const fetched = withGitPack(
      { url: 'https://127.0.0.1:1/a', tag: 'v1' },
      {
        environment: { ...process.env, PATH: `${bin}:${process.env['PATH'] ?? ''}` },
        target: repository,
        signal: leaving.signal,
      },
      () => Promise.resolve(),
    );
    const left = assert.rejects(fetched, { name: 'AbortError' });
    let told = '';
    for await (const text of createReadStream(pipe, 'utf8')) {
      told += String(text);
      leaving.abort();
    }
    await left;
    assert.equal(told, 'started\n');
  });

  it("fails for a missing tag, with Git's reason", async () => {
    await assert.rejects(read('v9'), (error) => error instanceof GitError && /v9/.test(error.said));
  });

  it('runs no hook and no filter of the repository', async () => {
    const mark = path.join(root, 'ran');
    await writeFile(path.join(repository, '.gitattributes'), '* filter=evil\n');
    for (const hook of ['post-checkout', 'post-merge', 'pre-commit']) {
      await mkdir(path.join(repository, 'hooks'), { recursive: true });
      await writeFile(path.join(repository, 'hooks', hook), `#!/bin/sh\ntouch '${mark}'\n`);
      await chmod(path.join(repository, 'hooks', hook), 0o755);
    }
    commit('v3');
    const { read: outcome } = await read('v3');
    assert.ok('pack' in outcome, JSON.stringify(outcome));
    assert.ok(!(await readdir(root)).includes('ran'));
  });

  it('is refused if it contains a link or a submodule, without following either', async () => {
    await symlink('/etc/passwd', path.join(repository, 'queries/link.identity.sql'));
    commit('v4');
    assert.match(await refusal('v4'), /link\.identity\.sql" is a symbolic link/);
    git('rm', '-q', 'queries/link.identity.sql');
    git('update-index', '--add', '--cacheinfo', `160000,${git('rev-parse', 'HEAD')},sub`);
    git('commit', '-q', '-m', 'sub');
    git('tag', 'v5');
    assert.match(await refusal('v5'), /"sub" is a Git submodule/);
  });

  it('is refused if it is too large, also by what was deleted', async () => {
    await writeFile(path.join(repository, 'noise'), randomBytes(400_000).toString('base64'));
    commit('noise');
    const url = pathToFileURL(repository).href;
    const use = () => Promise.resolve();
    const fetched = withGitPack(
      { url, tag: 'noise' },
      { environment: process.env, target: root, bytesMax: 300_000 },
      use,
    );
    await assert.rejects(fetched, (error) => error instanceof GitError && error.problem === 'tooLarge');
  });

  it('uses no protocol that is not allowed, whatever the Git settings', async () => {
    await assert.rejects(
      withGitPack(
        { url: `ext::sh -c "touch ${path.join(root, 'ran')}"`, tag: 'v1' },
        {
          target: root,
          environment: {
            ...process.env,
            GIT_ALLOW_PROTOCOL: 'ext',
            GIT_CONFIG_COUNT: '1',
            GIT_CONFIG_KEY_0: 'protocol.ext.allow',
            GIT_CONFIG_VALUE_0: 'always',
          },
        },
        () => Promise.resolve(),
      ),
      GitError,
    );
    assert.ok(!(await readdir(root)).includes('ran'));
  });
});

describe('a hostile server of packs', () => {
  const packet = (text: string): string => (text.length + 4).toString(16).padStart(4, '0') + text;
  const refs = [
    `${packet('# service=git-upload-pack\n')}0000`,
    packet(`${'1'.repeat(40)} refs/tags/v1\0shallow\n`),
  ].join('');
  const shallow = `${packet(`shallow ${'1'.repeat(40)}`)}0000`;
  /** A pack that says it has one file of 133 GB, which is not compressed. */
  const start = Buffer.concat([
    Buffer.from(`${shallow}${packet('NAK\n')}`),
    Buffer.from('PACK\0\0\0\u0002\0\0\0\u0001', 'latin1'),
    Buffer.from([0xb0, 0x80, 0x80, 0x80, 0x80, 0x1f, 0x78, 0x01]),
  ]);
  const block = Buffer.concat([Buffer.from([0, 0xff, 0xff, 0, 0]), Buffer.alloc(65_535, 1)]);
  let root: string;

  before(async () => (root = await mkdtemp(path.join(tmpdir(), 'identity-queries-git-server-'))));
  after(() => rm(root, { recursive: true }));

  for (const kind of ['list of tags', 'pack'] as const)
    it(`is left while it sends a ${kind} without end`, async (t) => {
      const { caFile, certificate, key } = await createPrivateAuthority(root);
      let sent = 0;
      const answer = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
        const asked = Buffer.concat(await request.toArray()).toString('latin1');
        const isList = request.url?.includes('/info/refs') === true;
        const type = isList ? 'advertisement' : 'result';
        response.setHeader('content-type', `application/x-git-upload-pack-${type}`);
        if (isList && kind === 'pack') return void response.end(`${refs}0000`);
        if (!isList && !asked.endsWith('done\n')) return void response.end(shallow);
        response.write(isList ? refs : start);
        const more = isList
          ? Buffer.from(packet(`${'2'.repeat(40)} refs/heads/main\n`).repeat(1_000))
          : block;
        const send = (): void => {
          while (!response.destroyed && response.write(more)) sent += more.length;
          sent += more.length;
        };
        response.on('drain', send);
        send();
      };
      const server = createServer({ cert: certificate, key }, (...exchange) => void answer(...exchange));
      server.on('tlsClientError', () => undefined).listen(0, '127.0.0.1');
      t.after(() => {
        server.closeAllConnections();
        server.close();
      });
      await once(server, 'listening');
      const { port } = server.address() as AddressInfo;
      const environment = { ...process.env, GIT_SSL_CAINFO: caFile };
      const fetched = withGitPack(
        { url: `https://127.0.0.1:${port}/a`, tag: 'v1' },
        { environment, target: root, bytesMax: 20_000_000, timeLimitMs: 30_000 },
        () => Promise.resolve(),
      );
      await assert.rejects(fetched, (error) => {
        assert.ok(error instanceof GitError, String(error));
        assert.equal(error.problem, 'tooLarge', error.said);
        return true;
      });
      assert.ok(sent > 10_000_000 && sent < 2_000_000_000, String(sent));
    });
});
