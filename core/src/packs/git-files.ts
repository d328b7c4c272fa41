/**
 * Reads a pack's files from Git at one tag. Nothing is checked out: files are read from a bare repository in a
 * temporary folder. The pack's links, hooks, filters and submodules thus have no effect.
 */
import { spawn, type ChildProcess } from 'node:child_process';
import { lstat, readdir, rm } from 'node:fs/promises';
import path from 'node:path';
import { reasonOf } from '#api/client/abort.ts';
import { makeScratchFolder } from '#base/files/scratch-folder.ts';
import { blobsOf } from '#core/sync/git/batch.ts';
import { gitFileOutside, pathOutside } from '#core/sync/git/git-program.ts';
import type { GitAddress } from './git-address.ts';
import { fileBytesMax, type PackEntry, type PackFiles } from './pack-files.ts';

export interface GitPack {
  readonly commit: string;
  readonly files: PackFiles;
}

export class GitError extends Error {
  /** `missing`: Git is not installed; `failed`: Git reported an error; `tooLarge`: the repository is. */
  readonly problem: 'missing' | 'failed' | 'timeLimit' | 'tooLarge';
  readonly said: string;

  constructor(problem: GitError['problem'], said = '') {
    super(`git: ${problem}`);
    this.name = 'GitError';
    this.problem = problem;
    this.said = said;
  }
}

export interface GitOptions {
  readonly environment: NodeJS.ProcessEnv;
  /** The folder that the pack is for: a program named git in it never runs. */
  readonly target: string;
  readonly signal?: AbortSignal;
  readonly timeLimitMs?: number;
  /** Maximum size of the repository at its tag, as Git stores it. */
  readonly bytesMax?: number;
}

const settings = [
  'protocol.allow=never',
  'protocol.https.allow=always',
  'protocol.ssh.allow=always',
  'protocol.file.allow=always',
  'core.fsmonitor=false',
  'core.hooksPath=/dev/null',
  'submodule.recurse=false',
  'fetch.recurseSubmodules=false',
  'transfer.fsckObjects=true',
  'http.followRedirects=initial',
  // A larger file is streamed, so that only what is no file of a pack meets the limit of memory.
  'core.bigFileThreshold=16m',
  'pack.threads=1',
  // What a server sends is stored as it is, and so has its size.
  'fetch.unpackLimit=1',
] as const;

/** Clones a pack and removes the clone after `use`. @throws GitError */
export async function withGitPack<Result>(
  { url, tag }: GitAddress,
  options: GitOptions,
  use: (pack: GitPack) => Promise<Result>,
): Promise<Result> {
  // Git runs in a separate folder, because Windows would look for `git` in the current folder first.
  const folder = await makeScratchFolder();
  const { target } = options;
  const program = await gitFileOutside(options.environment, target);
  // Git starts others, such as ssh.
  const searched = (await pathOutside(options.environment, target)).join(path.delimiter);
  const environment = { ...withoutVariables(options.environment), PATH: searched };
  const git = (args: readonly string[], input?: string): Promise<Buffer> =>
    runGit(args, { ...options, environment, folder, program, input });
  try {
    await git(['init', '--bare', '--quiet', '--template=', 'pack.git']);
    const inPack: RunGit = (args, input) => git(['--git-dir=pack.git', ...args], input);
    // The full name: a branch of the same name is no tag.
    const ref = `refs/tags/${tag}`;
    const fetchOptions = ['--quiet', '--depth=1', '--no-tags', '--no-recurse-submodules'];
    await withinSize(folder, options, (signal) =>
      runGit(['--git-dir=pack.git', 'fetch', ...fetchOptions, '--', url, `${ref}:${ref}`], {
        ...options,
        ...{ environment, folder, program, signal },
        // SSH asks for passphrases at the terminal, which a group of its own does not have.
        isGroup: process.platform !== 'win32' && (/^(?:https|file):/i.test(url) || !process.stdin.isTTY),
      }),
    );
    const commit = (await inPack(['rev-parse', '--verify', `${ref}^{commit}`])).toString('utf8').trim();
    return await use({ commit, files: await treeFiles(inPack, commit) });
  } finally {
    // A process of Windows that is just ending holds its files.
    await rm(folder, { recursive: true, force: true, maxRetries: 5 });
  }
}

/** Looks at what a server has sent while it sends: Git takes whatever comes. @throws GitError */
async function withinSize(
  folder: string,
  { signal, bytesMax = 200_000_000 }: GitOptions,
  receive: (signal: AbortSignal) => Promise<unknown>,
): Promise<void> {
  const ending = new AbortController();
  const look = async (): Promise<void> => {
    if ((await sizeOf(folder)) > bytesMax) ending.abort(new GitError('tooLarge'));
  };
  // Git removes folders meanwhile, and at the end all of it goes; what a look misses, the last one sees.
  const looking = setInterval(() => void look().catch(() => undefined), lookMs);
  try {
    await receive(signal === undefined ? ending.signal : AbortSignal.any([signal, ending.signal]));
    await look();
  } catch (error) {
    ending.signal.throwIfAborted();
    throw error;
  } finally {
    clearInterval(looking);
  }
  ending.signal.throwIfAborted();
}

const lookMs = 200;

async function sizeOf(folder: string): Promise<number> {
  const names = await readdir(folder, { recursive: true });
  // Git renames and removes files meanwhile.
  const sizes = names.map(
    async (name) => (await lstat(path.join(folder, name)).catch(() => undefined))?.size,
  );
  return (await Promise.all(sizes)).reduce<number>((sum, size = 0) => sum + size, 0);
}

type RunGit = (args: readonly string[], input?: string) => Promise<Buffer>;

async function treeFiles(git: RunGit, commit: string): Promise<PackFiles> {
  const listed = (await git(['ls-tree', '-r', '-l', '-z', '--full-tree', commit])).toString('utf8');
  const blobs = new Map<string, string>();
  const entries = listed.split('\0').flatMap((line): PackEntry[] => {
    const match = /^(\d+) (\w+) ([0-9a-f]+) +(\d+|-)\t([\s\S]+)$/.exec(line);
    const [, mode = '', type, id = '', bytes = '', name = ''] = match ?? [];
    if (match === null) return [];
    const size = bytes === '-' ? undefined : Number(bytes);
    if (size !== undefined && size <= fileBytesMax) blobs.set(name, id);
    return [{ path: name, kind: kindOf(mode, type), bytes: size }];
  });
  let together: Promise<ReadonlyMap<string, Buffer>> | undefined;
  return {
    list: () => Promise.resolve(entries),
    read: async (file) => {
      const id = blobs.get(file);
      if (id === undefined) return undefined;
      together ??= readTogether(git, entries, blobs);
      return (await together).get(id) ?? (await git(['cat-file', 'blob', id]));
    },
  };
}

/** Reads the first files in one go, since starting Git takes longer than reading one. */
async function readTogether(
  git: RunGit,
  entries: readonly PackEntry[],
  blobs: ReadonlyMap<string, string>,
): Promise<ReadonlyMap<string, Buffer>> {
  let left = togetherMax;
  const ids = new Set<string>();
  for (const { path, bytes = 0 } of entries) {
    const id = blobs.get(path);
    if (id !== undefined && bytes <= left) {
      ids.add(id);
      left -= bytes;
    }
  }
  return blobsOf(await git(['cat-file', '--batch'], `${[...ids].join('\n')}\n`));
}

function kindOf(mode: string, type: string | undefined): PackEntry['kind'] {
  if (mode === '120000') return 'link';
  if (mode === '160000' || type === 'commit') return 'submodule';
  return type === 'blob' ? 'file' : 'other';
}

/** Maximum size of one thing in Git's memory, such as what a server says before it sends files. */
const allocationMax = '64m';
const outputMax = 20_000_000;
const togetherMax = outputMax / 2;
const saidMax = 2_000;

interface GitRun {
  readonly folder: string;
  /** Undefined if Git is not installed. */
  readonly program: string | undefined;
  readonly input?: string | undefined;
  /** Whether it and what it starts are a group of processes, which ends together. */
  readonly isGroup?: boolean;
}

function runGit(
  args: readonly string[],
  {
    environment,
    signal,
    folder,
    program,
    input = '',
    isGroup = false,
    timeLimitMs = 120_000,
  }: GitOptions & GitRun,
): Promise<Buffer> {
  return new Promise((resolve, reject) => {
    if (program === undefined) {
      reject(new GitError('missing'));
      return;
    }
    signal?.throwIfAborted();
    const child = spawn(program, [...settings.flatMap((each) => ['-c', each]), ...args], {
      cwd: folder,
      shell: false,
      stdio: ['pipe', 'pipe', 'pipe'],
      windowsHide: true,
      env: {
        ...environment,
        GIT_TERMINAL_PROMPT: '0',
        GIT_ALLOW_PROTOCOL: 'https:ssh:file',
        GIT_LFS_SKIP_SMUDGE: '1',
        GIT_ALLOC_LIMIT: allocationMax,
        LC_ALL: 'C',
      },
      detached: isGroup,
    });
    const out: Buffer[] = [];
    let [size, said] = [0, ''];
    const end = (reason: Error): void => {
      killAll(child, isGroup);
      settled();
      reject(reason);
    };
    const onAbort = (): void => {
      if (signal !== undefined) end(reasonOf(signal));
    };
    const timer = setTimeout(() => end(new GitError('timeLimit')), timeLimitMs);
    signal?.addEventListener('abort', onAbort);
    const settled = (): void => {
      clearTimeout(timer);
      signal?.removeEventListener('abort', onAbort);
    };
    child.stdout.on('data', (chunk: Buffer) => {
      size += chunk.byteLength;
      if (size > outputMax) end(new GitError('tooLarge'));
      else out.push(chunk);
    });
    child.stderr.setEncoding('utf8').on('data', (chunk: string) => {
      said = (said + chunk).slice(-saidMax);
    });
    // Git may exit before it has read all; its exit code says why.
    child.stdin.on('error', () => undefined).end(input);
    child.once('error', (error) => {
      settled();
      reject(error);
    });
    child.once('close', (code) => {
      settled();
      if (isOutOfMemory(said)) reject(new GitError('tooLarge'));
      else if (code === 0) resolve(Buffer.concat(out));
      else reject(new GitError('failed', said.trim()));
    });
  });
}

/** Git does not end what it started: the part that unpacks would go on as long as a server's pack makes it. */
function killAll(child: ChildProcess, isGroup: boolean): void {
  if (process.platform === 'win32' && child.pid !== undefined) {
    // By its whole path: Windows looks for a name in the current folder first, which may be a stranger's.
    const program = path.join(
      process.env['SystemRoot'] ?? String.raw`C:\Windows`,
      'System32',
      'taskkill.exe',
    );
    const ending = spawn(program, ['/pid', String(child.pid), '/t', '/f'], {
      stdio: 'ignore',
      windowsHide: true,
    });
    ending.once('error', () => void child.kill('SIGKILL'));
    return;
  }
  if (!isGroup || child.pid === undefined) return void child.kill('SIGKILL');
  try {
    process.kill(-child.pid, 'SIGKILL');
  } catch {
    // it has ended
  }
}

const isOutOfMemory = (said: string): boolean => /attempting to allocate \d+ over limit/.test(said);

/** Variables such as `GIT_DIR` would make Git work outside the temporary folder. `Path` is what Windows calls it. */
function withoutVariables(environment: NodeJS.ProcessEnv): NodeJS.ProcessEnv {
  const kept = /^GIT_(?:SSH|SSH_COMMAND|ASKPASS|SSL_.+|PROXY_.+|CONFIG_(?:GLOBAL|SYSTEM|NOSYSTEM))$/;
  return Object.fromEntries(
    Object.entries(environment).filter(([name]) => !/^(?:GIT_|PATH$)/i.test(name) || kept.test(name)),
  );
}
