/** Real Git repositories for tests: clones of one bare repository, isolated from the user's Git configuration. */
import { spawnSync } from 'node:child_process';
import {
  appendFileSync,
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';

export interface Clone {
  readonly folder: string;
  git(...args: readonly string[]): string;
  read(file: string): string;
  write(file: string, text: string): void;
  /** Changes the metadata of a query, `queries/<name>.identity.json`; creates it if it is missing. */
  describe(name: string, change: Readonly<Record<string, unknown>>): void;
  /** Commits every change in the clone. */
  commit(message?: string): void;
}

const environment = {
  ...process.env,
  GIT_CONFIG_GLOBAL: path.join(import.meta.dirname, 'no-such-file'),
  GIT_CONFIG_NOSYSTEM: '1',
  GIT_AUTHOR_NAME: 'A',
  GIT_AUTHOR_EMAIL: 'a@example.com',
  GIT_COMMITTER_NAME: 'A',
  GIT_COMMITTER_EMAIL: 'a@example.com',
};

/** Git looks after each commit and push for work to do, with another process. */
const quick = ['gc.auto=0', 'maintenance.auto=false'].flatMap((set) => ['-c', set]);

export function git(folder: string, ...args: readonly string[]): string {
  const { status, stdout, stderr } = spawnSync('git', [...quick, ...args], {
    cwd: folder,
    encoding: 'utf8',
    env: environment,
  });
  if (status !== 0) throw new Error(`git ${args.join(' ')}: ${stderr}`);
  return stdout;
}

let firstOne: string | undefined;

/** Creates a bare repository with a first commit on `main`, for `cloneOf`. */
export function bareRepository(folder: string): string {
  firstOne ??= makeBareRepository();
  const bare = path.join(folder, 'bare.git');
  cpSync(firstOne, bare, { recursive: true });
  return bare;
}

/** Git starts some twenty processes for it, so each process of tests makes one, and copies that. */
function makeBareRepository(): string {
  const folder = mkdtempSync(path.join(tmpdir(), 'identity-queries-bare-'));
  process.once('exit', () => rmSync(folder, { recursive: true, force: true }));
  const bare = path.join(folder, 'bare.git');
  git(folder, 'init', '-q', '--bare', '-b', 'main', bare);
  appendFileSync(path.join(bare, 'config'), '[receive]\n\tautogc = false\n');
  const first = cloneOf(bare, path.join(folder, 'first'));
  first.git('checkout', '-q', '-b', 'main');
  first.write('README.md', 'queries\n');
  first.commit('Begin');
  first.git('push', '-q', 'origin', 'main');
  return bare;
}

export function cloneOf(bare: string, folder: string, ...options: readonly string[]): Clone {
  git(path.dirname(folder), 'clone', '-q', ...options, bare, folder);
  return repositoryAt(folder);
}

export function repositoryAt(folder: string): Clone {
  const at = (file: string) => path.join(folder, file);
  return {
    folder,
    git: (...args) => git(folder, ...args),
    read: (file) => readFileSync(at(file), 'utf8'),
    write: (file, text) => {
      mkdirSync(path.dirname(at(file)), { recursive: true });
      writeFileSync(at(file), text);
    },
    describe: (name, change) => {
      const file = at(`queries/${name}.identity.json`);
      const before: unknown = existsSync(file)
        ? JSON.parse(readFileSync(file, 'utf8'))
        : { model: 'platform_identity' };
      mkdirSync(path.dirname(file), { recursive: true });
      writeFileSync(file, `${JSON.stringify(Object.assign({}, before, change), undefined, 2)}\n`);
    },
    commit: (message = 'Change') => {
      git(folder, 'add', '-A');
      git(folder, 'commit', '-q', '--allow-empty', '-m', message);
    },
  };
}
