/**
 * Reads a pack's files from Git at one tag. Nothing is checked out: files are read from a bare repository in a
 * temporary folder. The pack's links, hooks, filters and submodules thus have no effect.
 */
import { spawn } from 'node:child_process';
import { rm } from 'node:fs/promises';
import { makeScratchFolder } from '#base/files/scratch-folder.ts';
import type { GitAddress } from './git-address.ts';
import { fileBytesMax, type PackEntry, type PackFiles } from './pack-files.ts';

export interface GitPack {
  readonly commit: string;
  readonly files: PackFiles;
}

export class GitError extends Error {
  /** `missing`: Git is not installed; `failed`: Git reported an error. */
  readonly problem: 'missing' | 'failed' | 'timeLimit';
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
  readonly signal?: AbortSignal;
  readonly timeLimitMs?: number;
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
] as const;

/** Clones a pack and removes the clone after `use`. @throws GitError */
export async function withGitPack<Result>(
  { url, tag }: GitAddress,
  options: GitOptions,
  use: (pack: GitPack) => Promise<Result>,
): Promise<Result> {
  // Git runs in a separate folder, because Windows would look for `git` in the current folder first.
  const folder = await makeScratchFolder();
  const git = (args: readonly string[]): Promise<Buffer> => runGit(args, { ...options, folder });
  try {
    await git(['init', '--bare', '--quiet', '--template=', 'pack.git']);
    const inPack = (args: readonly string[]) => git(['--git-dir=pack.git', ...args]);
    // The full name: a branch of the same name is no tag.
    const ref = `refs/tags/${tag}`;
    const fetchOptions = ['--quiet', '--depth=1', '--no-tags', '--no-recurse-submodules'];
    await inPack(['fetch', ...fetchOptions, '--', url, `${ref}:${ref}`]);
    const commit = (await inPack(['rev-parse', '--verify', `${ref}^{commit}`])).toString('utf8').trim();
    return await use({ commit, files: await treeFiles(inPack, commit) });
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

async function treeFiles(
  git: (args: readonly string[]) => Promise<Buffer>,
  commit: string,
): Promise<PackFiles> {
  const listed = (await git(['ls-tree', '-r', '-l', '-z', '--full-tree', commit])).toString('utf8');
  const blobs = new Map<string, string>();
  const entries = listed.split('\0').flatMap((line): PackEntry[] => {
    const match = /^(\d+) (\w+) ([0-9a-f]+) +(\d+|-)\t([\s\S]+)$/.exec(line);
    const [, mode = '', type, id = '', bytes = '', name = ''] = match ?? [];
    if (match === null) return [];
    blobs.set(name, id);
    return [{ path: name, kind: kindOf(mode, type), bytes: bytes === '-' ? undefined : Number(bytes) }];
  });
  return {
    list: () => Promise.resolve(entries),
    read: async (file) => {
      const id = blobs.get(file);
      const size = entries.find((entry) => entry.path === file)?.bytes ?? Infinity;
      return id === undefined || size > fileBytesMax ? undefined : await git(['cat-file', 'blob', id]);
    },
  };
}

function kindOf(mode: string, type: string | undefined): PackEntry['kind'] {
  if (mode === '120000') return 'link';
  if (mode === '160000' || type === 'commit') return 'submodule';
  return type === 'blob' ? 'file' : 'other';
}

const outputMax = 20_000_000;
const saidMax = 2_000;

function runGit(
  args: readonly string[],
  { environment, signal, folder, timeLimitMs = 120_000 }: GitOptions & { readonly folder: string },
): Promise<Buffer> {
  return new Promise((resolve, reject) => {
    const child = spawn('git', [...settings.flatMap((each) => ['-c', each]), ...args], {
      cwd: folder,
      shell: false,
      stdio: ['ignore', 'pipe', 'pipe'],
      windowsHide: true,
      env: {
        ...withoutGitVariables(environment),
        GIT_TERMINAL_PROMPT: '0',
        GIT_ALLOW_PROTOCOL: 'https:ssh:file',
        GIT_LFS_SKIP_SMUDGE: '1',
        LC_ALL: 'C',
      },
      ...(signal === undefined ? {} : { signal }),
    });
    const out: Buffer[] = [];
    let [size, said] = [0, ''];
    const timer = setTimeout(() => {
      child.kill('SIGKILL');
      reject(new GitError('timeLimit'));
    }, timeLimitMs);
    child.stdout.on('data', (chunk: Buffer) => {
      size += chunk.byteLength;
      if (size > outputMax) child.kill('SIGKILL');
      else out.push(chunk);
    });
    child.stderr.setEncoding('utf8').on('data', (chunk: string) => {
      said = (said + chunk).slice(-saidMax);
    });
    child.once('error', (error: NodeJS.ErrnoException) => {
      clearTimeout(timer);
      reject(error.code === 'ENOENT' ? new GitError('missing') : error);
    });
    child.once('close', (code) => {
      clearTimeout(timer);
      if (code === 0) resolve(Buffer.concat(out));
      else reject(new GitError('failed', said.trim()));
    });
  });
}

/** Variables such as `GIT_DIR` would make Git work outside the temporary folder. */
function withoutGitVariables(environment: NodeJS.ProcessEnv): NodeJS.ProcessEnv {
  const kept = /^GIT_(?:SSH|SSH_COMMAND|ASKPASS|SSL_.+|PROXY_.+|CONFIG_(?:GLOBAL|SYSTEM|NOSYSTEM))$/;
  return Object.fromEntries(
    Object.entries(environment).filter(([name]) => !name.startsWith('GIT_') || kept.test(name)),
  );
}
