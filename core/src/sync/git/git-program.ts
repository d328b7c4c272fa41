/**
 * Runs `git` to read a repository. The folder is untrusted: programs in it are never run, and its settings cannot start
 * any. Only git-repository.ts runs commands, and all of them are read-only.
 */
import { spawn } from 'node:child_process';
import { constants } from 'node:fs';
import { access, realpath } from 'node:fs/promises';
import path from 'node:path';
import { pathFolders } from '#base/files/find-program.ts';
import { isWithin } from '#base/files/is-within.ts';
import { homeFolder } from '#base/files/own-folders.ts';
import { placesOnWay } from '#base/files/places-on-way.ts';
import { repositoryOf } from '#base/files/repository-of.ts';
import { t } from '#base/texts.ts';
import { SyncError } from '../sync-error.ts';

export interface GitAnswer {
  readonly code: number | null;
  readonly stdout: Buffer;
  readonly stderr: string;
}

interface GitOptions {
  readonly cwd: string;
  readonly input?: string;
  readonly signal?: AbortSignal | undefined;
  /** 10 minutes if undefined. */
  readonly limitMs?: number;
}

export interface GitProgram {
  run(args: readonly string[], options: GitOptions): Promise<GitAnswer>;
}

/** Disables repository settings that would start a program, and ways to read objects from outside the repository. */
const safe = [
  '--no-pager',
  '--no-replace-objects',
  '--literal-pathspecs',
  ...[
    'core.fsmonitor=false',
    `core.hooksPath=${process.platform === 'win32' ? 'NUL' : '/dev/null'}`,
    'core.pager=cat',
    'core.sshCommand=false',
    'core.askPass=',
    'credential.helper=',
    'diff.external=',
    'log.showSignature=false',
    'log.follow=false',
    'gc.auto=0',
    'maintenance.auto=false',
    'protocol.allow=never',
  ].flatMap((setting) => ['-c', setting]),
];

/** @throws SyncError if there is no `git` outside the folder. */
export async function findGit(environment: NodeJS.ProcessEnv, folder: string): Promise<GitProgram> {
  const file = await gitFileOutside(environment, folder);
  if (file === undefined)
    throw new SyncError('noGit', t('Git was not found. Install it, or put its folder on the PATH.'), [
      '  https://git-scm.com/downloads',
    ]);
  return { run: (args, options) => run(file, args, { ...options, environment }) };
}

/**
 * Searches the PATH here, because the operating system may search the current folder first.
 * @returns undefined if there is no `git` outside the folder; the root of a file system is no such folder.
 */
export async function gitFileOutside(
  environment: NodeJS.ProcessEnv,
  target: string,
): Promise<string | undefined> {
  const name = process.platform === 'win32' ? 'git.exe' : 'git';
  for (const place of await pathOutside(environment, target)) {
    const file = path.join(place, name);
    try {
      await access(file, constants.X_OK);
      if (!(await isInside(file, target))) return file;
    } catch {
      // missing or not executable: try the next folder
    }
  }
  return undefined;
}

/** Returns the folders of the PATH that are outside of a folder, in which a stranger's programs may be. */
export async function pathOutside(
  environment: NodeJS.ProcessEnv,
  target: string,
): Promise<readonly string[]> {
  const places = pathFolders(environment).filter((place) => path.isAbsolute(place));
  const inside = await Promise.all(places.map(async (place) => await isInside(place, target)));
  return places.filter((_, at) => inside[at] === false);
}

/** Whether a path is in the folder's repository, or leads through it. A home that is one is no stranger's. */
async function isInside(place: string, target: string): Promise<boolean> {
  const [folder = target, home = ''] = await Promise.all(
    [target, homeFolder()].map(async (each) => await realpath(each).catch(() => each)),
  );
  const repository = repositoryOf(folder);
  const root = isWithin(home, repository) ? folder : repository;
  const places = [place, ...(await placesOnWay(place))];
  return path.dirname(root) !== root && places.some((each) => isWithin(each, root));
}

/** Reading a long history takes minutes. A pipe in place of a file of the repository is waited for without an end. */
const limitMsDefault = 600_000;
/** Maximum number of characters of Git's error output to keep. */
const stderrMax = 10_000;

function run(
  file: string,
  args: readonly string[],
  options: GitOptions & { readonly environment: NodeJS.ProcessEnv },
): Promise<GitAnswer> {
  const { cwd, input, signal, limitMs = limitMsDefault, environment } = options;
  const limit = AbortSignal.timeout(limitMs);
  return new Promise((resolve, reject) => {
    const child = spawn(file, [...safe, ...args], {
      cwd,
      env: cleanEnvironment(environment),
      stdio: ['pipe', 'pipe', 'pipe'],
      windowsHide: true,
      signal: signal === undefined ? limit : AbortSignal.any([signal, limit]),
    });
    const out: Buffer[] = [];
    let stderr = '';
    child.stdout.on('data', (bytes: Buffer) => out.push(bytes));
    child.stderr.setEncoding('utf8').on('data', (text: string) => {
      if (stderr.length < stderrMax) stderr += text.slice(0, stderrMax - stderr.length);
    });
    child.once('error', (error) =>
      reject(limit.aborted && signal?.aborted !== true ? tooSlow(error) : error),
    );
    child.once('close', (code) => resolve({ code, stdout: Buffer.concat(out), stderr }));
    // Git may exit before it has read all input; its exit code says why.
    child.stdin.on('error', () => undefined);
    child.stdin.end(input ?? '');
  });
}

function tooSlow(cause: Error): SyncError {
  const message = t(
    'Git did not end in time, so it was stopped. A pipe in place of a file in the folder "{0}" may keep it waiting.',
    '.git',
  );
  return new SyncError('gitFailed', message, [], { cause });
}

/** Keeps the folders of other users that a container trusts in variables, since it often has no home for Git's settings. */
function trustedFolders(environment: NodeJS.ProcessEnv): NodeJS.ProcessEnv {
  const count = Math.min(Number(environment['GIT_CONFIG_COUNT'] ?? 0) || 0, trustedMax);
  const folders = Array.from({ length: count }, (_, at) => at).flatMap((at) => {
    const isTrust = environment[`GIT_CONFIG_KEY_${at}`]?.toLowerCase() === 'safe.directory';
    return isTrust ? [environment[`GIT_CONFIG_VALUE_${at}`] ?? ''] : [];
  });
  if (folders.length === 0) return {};
  const kept: NodeJS.ProcessEnv = { GIT_CONFIG_COUNT: String(folders.length) };
  for (const [at, folder] of folders.entries()) {
    kept[`GIT_CONFIG_KEY_${at}`] = 'safe.directory';
    kept[`GIT_CONFIG_VALUE_${at}`] = folder;
  }
  return kept;
}

const trustedMax = 1_000;

/** Removes environment variables that could redirect Git to another repository, as they do inside a hook. */
function cleanEnvironment(environment: NodeJS.ProcessEnv): NodeJS.ProcessEnv {
  const kept = Object.entries(environment).filter(
    ([name]) =>
      !/^GIT_/i.test(name) || /^GIT_(?:CONFIG_(?:GLOBAL|SYSTEM|NOSYSTEM)|CEILING_DIRECTORIES)$/i.test(name),
  );
  return {
    ...Object.fromEntries(kept),
    ...trustedFolders(environment),
    LC_ALL: 'C',
    GIT_OPTIONAL_LOCKS: '0',
    GIT_NO_LAZY_FETCH: '1',
    // Older versions ignore the line above, and a repository's own settings may allow a protocol that runs a program.
    GIT_ALLOW_PROTOCOL: 'none',
    GIT_TERMINAL_PROMPT: '0',
  };
}
