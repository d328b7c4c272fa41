import assert from 'node:assert/strict';
import { execFileSync, spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import {
  chmodSync,
  chownSync,
  linkSync,
  lstatSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { writeFile } from 'node:fs/promises';
import { createServer } from 'node:net';
import os from 'node:os';
import path from 'node:path';
import type { Readable } from 'node:stream';
import { text as textOf } from 'node:stream/consumers';
import { afterEach, beforeEach, describe, it } from 'node:test';
import { asTargetError, diskPath, diskWords } from '#base/files/disk-messages.ts';
import { TargetError } from '#base/files/target-error.ts';
import { saveFile, targetPath, type WriteOptions } from '#base/files/target-file.ts';
import { failureOf } from '#core/failures/failure.ts';

/** A file system without links, pipes and owners has nothing to test here. */
const isPosix = process.platform !== 'win32';
const isRoot = process.getuid?.() === 0;
const makeNull = (name: string): boolean =>
  isRoot && spawnSync('mknod', [name, 'c', '1', '3'], { stdio: 'ignore' }).status === 0;
/** Containers may forbid root to make devices. */
const makesDevices = (() => {
  const probe = mkdtempSync(path.join(os.tmpdir(), 'device-'));
  const isMade = makeNull(path.join(probe, 'null'));
  rmSync(probe, { recursive: true });
  return isMade;
})();

describe('a target that a person names', { skip: !isPosix }, () => {
  let folder = '';
  beforeEach(() => {
    folder = mkdtempSync(path.join(os.tmpdir(), 'target-'));
  });
  afterEach(() => {
    chmodSync(folder, 0o700);
    rmSync(folder, { recursive: true, force: true });
  });
  const at = (...names: string[]) => path.join(folder, ...names);
  const save = (target: string, text: string, options?: WriteOptions) =>
    saveFile(target, (draft) => writeFile(draft, text, { flag: 'wx' }), options);
  const refused = (target: string, reason: RegExp, options?: WriteOptions) =>
    assert.rejects(save(target, 'new', options), (error: unknown) => {
      assert.ok(error instanceof TargetError, String(error));
      assert.match(error.reason, reason);
      return true;
    });
  const pipe = (name: string) => {
    execFileSync('mkfifo', [at(name)]);
    return at(name);
  };

  it('is named, with what is wrong with it', async () => {
    mkdirSync(at('folder'));
    const failure = (target: string) =>
      save(target, 'text').then(String, (error: unknown) => `${diskPath(error)}: ${diskWords(error)}`);
    assert.equal(await failure(at('folder')), `${at('folder')}: a folder has this name`);
    const long = at('n'.repeat(300));
    assert.equal(await failure(long), `${long}: its name is too long`);
  });
  it('that grows too large is told in words, whatever writes it', () => {
    for (const syscall of ['write', 'copyfile']) {
      const error = Object.assign(new Error(`EFBIG: file too large, ${syscall}`), { code: 'EFBIG', syscall });
      assert.equal(diskWords(error), 'it would be larger than a file may be here');
    }
  });
  it('is named if the disk is full, and nothing of it is left', async () => {
    writeFileSync(at('old'), 'old');
    for (const name of ['old', 'new']) {
      const failed = saveFile(at(name), async (draft) => {
        await writeFile(draft, 'half');
        throw Object.assign(new Error('ENOSPC: no space left on device, write'), {
          ...{ code: 'ENOSPC', syscall: 'write' },
        });
      });
      await assert.rejects(failed, (error: unknown) => {
        assert.deepEqual(failureOf(error), {
          ...{ kind: 'expected', actions: [] },
          message: `"${at(name)}" could not be written: the disk is full.`,
        });
        return true;
      });
    }
    assert.deepEqual(readdirSync(folder), ['old']);
    assert.equal(readFileSync(at('old'), 'utf8'), 'old');
  });
  it('that really grows too large is named, and nothing of it is left', () => {
    const module = new URL('../../../../base/files/target-file.ts', import.meta.url).href;
    const write = `const { saveFile } = await import(${JSON.stringify(module)});
      const { writeFile } = await import('node:fs/promises');
      await saveFile(${JSON.stringify(at('large'))}, (draft) => writeFile(draft, 'x'.repeat(1_000_000))).catch(
        ({ path, reason }) => console.log(JSON.stringify([path, reason])));`;
    // The limit is that of a process, like the size of a disk.
    const { stdout } = spawnSync(
      'sh',
      ['-c', 'ulimit -f 64 && exec "$@"', 'sh', process.execPath, '--input-type=module', '-e', write],
      { encoding: 'utf8' },
    );
    assert.deepEqual(JSON.parse(stdout), [at('large'), 'it would be larger than a file may be here']);
    assert.deepEqual(readdirSync(folder), []);
  });
  it('with another name stays as it is if there is no room for the new bytes', () => {
    writeFileSync(at('old'), 'old');
    linkSync(at('old'), at('other'));
    const module = new URL('../../../../base/files/target-file.ts', import.meta.url).href;
    // The draft has room, so the limit that this process has is lifted for it.
    const write = `const { saveFile } = await import(${JSON.stringify(module)});
      const { execFileSync } = await import('node:child_process');
      const lifted = 'ulimit -S -f unlimited && head -c 1000000 /dev/zero > "$1"';
      await saveFile(${JSON.stringify(at('old'))}, async (draft) => execFileSync('sh', ['-c', lifted, 'sh', draft])).catch(
        ({ reason }) => console.log(reason));`;
    const { stdout } = spawnSync(
      'sh',
      ['-c', 'ulimit -S -f 64 && exec "$@"', 'sh', process.execPath, '--input-type=module', '-e', write],
      { encoding: 'utf8' },
    );
    assert.equal(stdout, 'it would be larger than a file may be here\n');
    assert.deepEqual(readdirSync(folder).sort(), ['old', 'other']);
    assert.equal(readFileSync(at('other'), 'utf8'), 'old');
  });
  it('is named if its folder is missing, or cannot be written where a link leads', async () => {
    await refused(at('none', 'new'), /./);
    const error = Object.assign(new Error('x'), {
      code: 'ENOSPC',
      syscall: 'open',
      path: at('real', '.draft'),
    });
    const told = asTargetError(error, at('link'), at('real', 'file'));
    assert.ok(told instanceof TargetError);
    assert.deepEqual([told.path, told.reason], [at('link'), 'the disk is full']);
  });
  it('whose draft is elsewhere, where it cannot be written, leaves the blame there', () => {
    const error = Object.assign(new Error('x'), { code: 'EACCES', syscall: 'open', path: '/tmp/x/draft' });
    assert.equal(asTargetError(error, at('new')), error);
  });
  it('is a new file with the mode of its draft', async () => {
    await save(at('new'), 'text');
    assert.equal(readFileSync(at('new'), 'utf8'), 'text');
    assert.deepEqual(readdirSync(folder), ['new']);
  });

  for (const mode of [0o600, 0o644, 0o664, 0o4755]) {
    it(`keeps the mode ${mode.toString(8)} of an existing file`, async () => {
      writeFileSync(at('old'), 'a longer text than the new one');
      chmodSync(at('old'), mode);
      await save(at('old'), 'new');
      assert.equal(readFileSync(at('old'), 'utf8'), 'new');
      assert.equal(statSync(at('old')).mode & 0o7777, mode);
    });
  }

  it('keeps the owner of an existing file', { skip: !isRoot }, async () => {
    writeFileSync(at('old'), 'old');
    chownSync(at('old'), 1234, 4321);
    await save(at('old'), 'new');
    const { uid, gid } = statSync(at('old'));
    assert.deepEqual(
      { uid, gid, text: readFileSync(at('old'), 'utf8') },
      { uid: 1234, gid: 4321, text: 'new' },
    );
  });

  it('keeps the other names of an existing file', async () => {
    writeFileSync(at('old'), 'a longer text than the new one');
    linkSync(at('old'), at('other'));
    await save(at('old'), 'new');
    assert.equal(readFileSync(at('other'), 'utf8'), 'new');
    assert.equal(statSync(at('old')).ino, statSync(at('other')).ino);
  });

  for (const [name, to] of [
    ['a relative link', '../real/file'],
    ['a link to a link', 'second'],
  ] as const) {
    it(`follows ${name}`, async () => {
      mkdirSync(at('real'));
      mkdirSync(at('links'));
      symlinkSync('../real/file', at('links', 'second'));
      symlinkSync(to, at('links', 'first'));
      for (const text of ['created', 'replaced']) {
        await save(at('links', 'first'), text);
        assert.equal(readFileSync(at('real', 'file'), 'utf8'), text);
      }
      assert.ok(lstatSync(at('links', 'first')).isSymbolicLink());
      assert.deepEqual(readdirSync(at('real')), ['file']);
      assert.deepEqual(readdirSync(at('links')), ['first', 'second']);
    });
  }

  it('refuses a circle of links', async () => {
    symlinkSync('b', at('a'));
    symlinkSync('a', at('b'));
    await refused(at('a'), /circle/);
  });

  it('refuses a folder, also behind a link', async () => {
    mkdirSync(at('real'));
    symlinkSync('real', at('link'));
    await refused(at('real'), /a folder/);
    await refused(at('link'), /a folder/);
  });

  it('refuses a name like that of a folder, whether there is one or not', async () => {
    mkdirSync(at('real'));
    for (const name of ['new/', 'real/', 'new/.', './', 'plain/', '']) {
      writeFileSync(at('plain'), 'old');
      await refused(
        targetPath(folder, name),
        /^new|^plain/.test(name) ? /does not end like this/ : /a folder/,
      );
      assert.equal(readFileSync(at('plain'), 'utf8'), 'old');
      assert.deepEqual(readdirSync(folder), ['plain', 'real']);
    }
    assert.equal(targetPath(folder, 'sub/new'), at('sub', 'new'));
  });

  it('refuses a socket', async () => {
    const server = createServer().listen(at('socket'));
    await once(server, 'listening');
    await refused(at('socket'), /a socket/);
    assert.ok(lstatSync(at('socket')).isSocket());
    server.close();
  });

  it('writes through a device, which stays one', { skip: !makesDevices }, async () => {
    makeNull(at('null'));
    symlinkSync('null', at('link'));
    for (const name of ['null', 'link']) await save(at(name), 'gone');
    assert.ok(lstatSync(at('null')).isCharacterDevice());
    assert.deepEqual(readdirSync(folder).sort(), ['link', 'null']);
  });

  it('writes everything through a pipe, whose reader may come later', async () => {
    const target = pipe('pipe');
    const text = 'A line of text.\n'.repeat(100_000);
    const saving = save(target, text);
    const reader = spawn('cat', [target], { stdio: ['ignore', 'pipe', 'ignore'] });
    assert.equal(await textOf(reader.stdout), text);
    await saving;
    assert.ok(lstatSync(target).isFIFO());
    assert.deepEqual(readdirSync(folder), ['pipe']);
  });

  it('gives up on a pipe without a reader', async () => {
    await refused(pipe('pipe'), /nothing has read from it for 0.1 s/, { readerWaitMs: 100 });
  });

  it('stops waiting for a reader when interrupted', async () => {
    const controller = new AbortController();
    const saving = save(pipe('pipe'), 'new', { signal: controller.signal });
    setImmediate(() => controller.abort());
    await assert.rejects(saving, { name: 'AbortError' });
  });

  it('says that a reader has ended', async () => {
    const target = pipe('pipe');
    spawn('head', ['-c', '1', target], { stdio: 'ignore' });
    await assert.rejects(save(target, 'x'.repeat(1_000_000)), {
      reason: 'its reader has ended',
      path: target,
    });
  });

  it('stays as it is if the draft fails', async () => {
    writeFileSync(at('old'), 'old');
    const failing = saveFile(at('old'), async (draft) => {
      await writeFile(draft, 'half');
      throw new Error('no');
    });
    await assert.rejects(failing, { message: 'no' });
    assert.equal(readFileSync(at('old'), 'utf8'), 'old');
    assert.deepEqual(readdirSync(folder), ['old']);
  });

  describe('an open file', { skip: process.platform !== 'linux' }, () => {
    const text = 'A line of text.\n'.repeat(20_000);
    const script = `
      import { writeFile } from 'node:fs/promises';
      import { saveFile } from ${JSON.stringify(import.meta.resolve('#base/files/target-file.ts'))};
      process.stdout.write('first ');
      for (const target of process.argv.slice(1))
        await saveFile(target, (draft) => writeFile(draft, 'A line of text.\\n'.repeat(20_000))).catch((error) =>
          process.stdout.write(error.message));
      process.stdout.write('last');`;
    const program = ['--input-type=module', '--eval', script, '--'];
    const names = [
      '/dev/stdout',
      '/dev/fd/1',
      '/proc/self/fd/1',
      '/proc/thread-self/fd/1',
      '/proc/self/task/../fd/1',
    ];

    // Node.js connects its children by sockets, which no name opens, and shells by pipes and files.
    for (const target of names) {
      it(`is written through by the name ${target}, be it a socket, a pipe or a file`, async () => {
        const child = spawn(process.execPath, [...program, target], { stdio: ['ignore', 'pipe', 'inherit'] });
        assert.ok((await textOf(child.stdout)) === `first ${text}last`, 'socket');
        const line = `"$0" "$@" | cat > ${at('piped')}; "$0" "$@" > ${at('file')}`;
        execFileSync('sh', ['-c', line, process.execPath, ...program, target], { stdio: 'pipe' });
        assert.ok(readFileSync(at('piped'), 'utf8') === `first ${text}last`, 'pipe');
        assert.ok(readFileSync(at('file'), 'utf8') === `first ${text}last`, 'file');
        assert.deepEqual(readdirSync(folder).sort(), ['file', 'piped']);
      });
    }

    it('is found behind links, also of its folder', () => {
      symlinkSync('/dev/fd', at('streams'));
      symlinkSync('streams/1', at('link'));
      execFileSync('sh', ['-c', `"$0" "$@" > ${at('file')}`, process.execPath, ...program, at('link')]);
      assert.ok(readFileSync(at('file'), 'utf8') === `first ${text}last`);
      assert.deepEqual(readdirSync(folder).sort(), ['file', 'link', 'streams']);
    });

    it('is any that this process was started with, and goes on where it is', async () => {
      const stdio = ['ignore', 'pipe', 'pipe', 'pipe'] as const;
      const targets = ['/dev/stderr', '/dev/fd/3', '/dev/fd/3'];
      const child = spawn(process.execPath, [...program, ...targets], { stdio: [...stdio] });
      const [, out, error, third] = child.stdio;
      const texts = await Promise.all(
        [out, error, third].map(async (stream) => await textOf(stream as Readable)),
      );
      assert.equal(texts[0], 'first last');
      assert.ok(texts[1] === text && texts[2] === text + text);
    });

    it('is refused if it is open for reading, or was never given', () => {
      const line = `"$0" "$@" 3< /dev/null > ${at('file')}`;
      const targets = ['/dev/fd/0', '/dev/fd/3', '/dev/fd/9', '/dev/fd/99'];
      execFileSync('sh', ['-c', line, process.execPath, ...program, ...targets], { stdio: 'ignore' });
      const told = 'it is not open for writing.'.repeat(targets.length);
      assert.equal(readFileSync(at('file'), 'utf8'), `first ${told}last`);
    });
  });
});
