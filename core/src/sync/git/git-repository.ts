/** The parts of a Git repository that a plan needs: its location, its last commit, and earlier contents of files. */
import { existsSync } from 'node:fs';
import { realpath } from 'node:fs/promises';
import path from 'node:path';
import { typedLine } from '#base/advice.ts';
import { t } from '#base/texts.ts';
import { SyncError } from '../sync-error.ts';
import { blobsOf } from './batch.ts';
import { gitAdvice, type GitOperation } from './git-advice.ts';
import type { GitAnswer, GitProgram } from './git-program.ts';
import { placeOfRemote } from './place-of-remote.ts';

export interface TreeEntry {
  readonly mode: string;
  readonly id: string;
  /** Relative to the repository root, with slashes. */
  readonly path: string;
  /** Of a blob. */
  readonly size: number | undefined;
}

/** Starting Git takes longer than most of what it reads, so this much that was read is kept. */
const keptBytesMax = 16 * 1_048_576;

export interface Head {
  readonly commit: string;
  /** Undefined if HEAD is detached. */
  readonly branch: string | undefined;
}

export interface FileChange {
  readonly path: string;
  readonly id: string;
  readonly commit: string;
}

/** What Git has begun and waits for the user to end, with its file in Git's folder; the first that is there counts. */
const operations = [
  ['rebase', 'rebase-merge'],
  ['am', 'rebase-apply/applying'],
  ['rebase', 'rebase-apply'],
  ['cherry-pick', 'CHERRY_PICK_HEAD'],
  ['revert', 'REVERT_HEAD'],
  ['merge', 'MERGE_HEAD'],
  ['bisect', 'BISECT_LOG'],
] as const satisfies readonly (readonly [GitOperation, string])[];

/** Finding the repository reads a few small files. */
const openLimitMs = 30_000;

export class GitRepository {
  /** The root folder of the repository. */
  readonly top: string;
  readonly #git: GitProgram;
  readonly #signal: AbortSignal | undefined;
  /** By the ID of a blob, which never changes. */
  readonly #sizes = new Map<string, number>();
  readonly #kept = new Map<string, Buffer>();
  #isSparse = false;
  #keptBytes = 0;

  private constructor(git: GitProgram, top: string, signal: AbortSignal | undefined) {
    this.#git = git;
    this.top = top;
    this.#signal = signal;
  }

  /** @throws SyncError unless the folder is in a repository with its complete history. */
  static async open(git: GitProgram, folder: string, signal?: AbortSignal): Promise<GitRepository> {
    const answer = await git.run(['rev-parse', '--is-shallow-repository', '--show-toplevel'], {
      cwd: folder,
      signal,
      limitMs: openLimitMs,
    });
    if (answer.code !== 0) throw notOpened(answer, folder);
    const [shallow, ...rest] = answer.stdout.toString('utf8').split('\n');
    const repository = new GitRepository(
      git,
      await realpath(path.normalize(rest.join('\n').trimEnd())),
      signal,
    );
    if (shallow === 'true')
      throw new SyncError(
        'shallow',
        t('This clone is shallow: the history that a plan needs is missing. Fetch it:'),
        gitAdvice.fetchHistory().map(typedLine),
      );
    await repository.#requireObjects();
    return repository;
  }

  /**
   * Refuses a partial clone, which would fetch old file contents one at a time using programs chosen by its settings.
   */
  async #requireObjects(): Promise<void> {
    const { stdout } = await this.#run([
      'config',
      '--get-regexp',
      '^(extensions\\.partialclone|remote\\..*\\.promisor|core\\.sparsecheckout)$',
    ]);
    const settings = stdout.toString('utf8').split('\n').filter(Boolean);
    const others = settings.filter((setting) => !setting.startsWith('core.sparsecheckout'));
    this.#isSparse = others.length < settings.length;
    if (others.length > 0)
      throw new SyncError(
        'partial',
        t(
          'This clone was made with --filter, so older texts are missing. Clone the repository again without --filter.',
        ),
      );
  }

  /**
   * Refuses a checkout that leaves out files of a folder, which would count as deleted.
   * @param folder relative to the root, with slashes.
   * @throws SyncError
   */
  async requireCheckedOut(folder: string): Promise<void> {
    if (!this.#isSparse) return;
    const files = await this.#read(['ls-files', '-t', '-z', '--', folder]);
    if (
      !files
        .toString('utf8')
        .split('\0')
        .some((line) => line.startsWith('S '))
    )
      return;
    throw new SyncError(
      'sparse',
      t('This checkout is sparse: files of "{0}" are left out, but not deleted. Check them out:', folder),
      gitAdvice.checkOut(this.top, folder).map(typedLine),
    );
  }

  /** @throws SyncError if there is no commit yet. */
  async head(): Promise<Head> {
    const { code, stdout } = await this.#run(['rev-parse', 'HEAD^{commit}', '--symbolic-full-name', 'HEAD']);
    if (code !== 0)
      throw new SyncError(
        'noCommit',
        t('Nothing is committed here yet. Pull, then commit:'),
        gitAdvice.commitFirst().map(typedLine),
      );
    const [commit = '', name = ''] = stdout.toString('utf8').split('\n');
    const [, branch] = /^refs\/heads\/(.+)$/.exec(name) ?? [];
    return { commit, branch };
  }

  /** Returns what clones have in common, where they came from; for one without, what its worktrees have in common. */
  async origin(): Promise<string> {
    const { code, stdout } = await this.#run(['config', '--get', 'remote.origin.url']);
    const address = stdout.toString('utf8').trim();
    if (code === 0 && address !== '') return placeOfRemote(address);
    const common = await this.#read(['rev-parse', '--git-common-dir']);
    return placeOfRemote(await realpath(path.resolve(this.top, common.toString('utf8').trimEnd())));
  }

  /** Returns a local branch to work on: the usual one if there is one. Undefined if there is none. */
  async usualBranch(): Promise<string | undefined> {
    const out = await this.#read(['for-each-ref', '--format=%(refname:short)', 'refs/heads']);
    const names = out.toString('utf8').split('\n').filter(Boolean);
    return ['main', 'master'].find((name) => names.includes(name)) ?? names[0];
  }

  /** Returns what Git is in the middle of; undefined for nothing. */
  async underWay(): Promise<GitOperation | undefined> {
    const out = await this.#read(['rev-parse', ...operations.flatMap(([, file]) => ['--git-path', file])]);
    const files = out.toString('utf8').split('\n');
    return operations.find((_, index) => existsSync(path.resolve(this.top, files[index] ?? '')))?.[0];
  }

  /** @returns undefined if there is no commit yet. */
  async headIfAny(): Promise<Head | undefined> {
    try {
      return await this.head();
    } catch (error) {
      if (error instanceof SyncError && error.kind === 'noCommit') return undefined;
      throw error;
    }
  }

  /** Returns a commit's files below the given repository folder. */
  async tree(commit: string, folder: string): Promise<readonly TreeEntry[]> {
    const out = await this.#read(['ls-tree', '-r', '-l', '-z', '--full-tree', commit, '--', `${folder}/`]);
    return out
      .toString('utf8')
      .split('\0')
      .flatMap((line) => {
        const [, mode = '', type = '', id = '', length = '', file = ''] =
          /^(\d+) (\w+) ([0-9a-f]+) +(\S+)\t(.*)$/s.exec(line) ?? [];
        const size = type === 'blob' && /^\d+$/.test(length) ? Number(length) : undefined;
        if (size !== undefined) this.#sizes.set(id, size);
        return file === '' ? [] : [{ mode, id, path: file, size }];
      });
  }

  /** Returns changes to files below the given folder, newest first. Merges are compared with each parent. */
  async changes(commit: string, folder: string): Promise<readonly FileChange[]> {
    const out = await this.#read([
      'log',
      ...['--topo-order', '--full-history', '-m', '--root', '--raw', '-z', '--no-abbrev', '--no-renames'],
      ...['--no-show-signature', '--no-ext-diff', '--no-textconv', '--no-color', '--format=%x01%H'],
      commit,
      '--',
      `${folder}/`,
    ]);
    const tokens = out.toString('utf8').split('\0');
    const changes: FileChange[] = [];
    let at = '';
    for (let index = 0; index < tokens.length; index += 1) {
      const token = tokens[index] ?? '';
      if (token.startsWith('\u0001')) at = token.slice(1).trim();
      const [, mode = '', id = ''] = /^\n?:\d+ (\d+) [0-9a-f]+ ([0-9a-f]+) \w+$/.exec(token) ?? [];
      if (mode === '') continue;
      index += 1; // the path follows
      if (mode === '100644' || mode === '100755') changes.push({ path: tokens[index] ?? '', id, commit: at });
    }
    return changes;
  }

  /**
   * Returns the blob IDs of each file in a folder along a commit's first parents, newest first; `undefined` where the
   * file was deleted.
   */
  async versions(
    commit: string,
    folder: string,
  ): Promise<ReadonlyMap<string, readonly (string | undefined)[]>> {
    const out = await this.#read([
      'log',
      ...['--first-parent', '-m', '--root', '--raw', '-z', '--no-abbrev', '--no-renames'],
      ...['--no-show-signature', '--no-ext-diff', '--no-textconv', '--no-color', '--format='],
      commit,
      '--',
      `${folder}/`,
    ]);
    const found = new Map<string, (string | undefined)[]>();
    for (const [, id, status, file = ''] of out
      .toString('utf8')
      .matchAll(/:\d+ \d+ [0-9a-f]+ ([0-9a-f]+) (\w)\0([^\0]*)\0/g)) {
      const versions = found.get(file) ?? [];
      versions.push(status === 'D' ? undefined : id);
      found.set(file, versions);
    }
    return found;
  }

  /** Returns the commits made in this clone, as far back as the reflog goes. */
  async madeHere(): Promise<ReadonlySet<string>> {
    const { code, stdout } = await this.#run([
      'log',
      '--walk-reflogs',
      '-z',
      '--no-show-signature',
      '--format=%H %gs',
      'HEAD',
    ]);
    if (code !== 0) return new Set(); // a clone may have no reflog
    const lines = stdout.toString('utf8').split('\0');
    return new Set(
      lines.filter((line) => /^[0-9a-f]+ commit/.test(line)).map((line) => line.split(' ')[0] ?? ''),
    );
  }

  /** Returns whether Git leaves the file's line endings unchanged. */
  async keepsLineEnds(file: string): Promise<boolean> {
    const out = await this.#read(['check-attr', '-z', 'text', '--', file]);
    return out.toString('utf8').split('\0')[2] === 'unset';
  }

  /** Returns blob contents by ID. Larger ones are omitted: a commit of a stranger may have any size. */
  async blobs(ids: Iterable<string>, maxBytes: number): Promise<ReadonlyMap<string, Buffer>> {
    const wanted = await this.#notLarger([...new Set(ids)], maxBytes);
    const found = new Map<string, Buffer>();
    const unread: string[] = [];
    for (const id of wanted) {
      const kept = this.#kept.get(id);
      if (kept === undefined) unread.push(id);
      else found.set(id, kept);
    }
    if (unread.length === 0) return found;
    const out = await this.#read(['cat-file', '--batch'], `${unread.join('\n')}\n`);
    const isKept = this.#keptBytes + out.length <= keptBytesMax;
    if (isKept) this.#keptBytes += out.length;
    for (const [id, bytes] of blobsOf(out)) {
      found.set(id, bytes);
      if (isKept) this.#kept.set(id, bytes);
    }
    return found;
  }

  async #notLarger(ids: readonly string[], maxBytes: number): Promise<readonly string[]> {
    const unknown = ids.filter((id) => !this.#sizes.has(id));
    if (unknown.length > 0) {
      const out = await this.#read(['cat-file', '--batch-check'], `${unknown.join('\n')}\n`);
      for (const [, id = '', size] of out.toString('latin1').matchAll(/^([0-9a-f]+) blob (\d+)$/gm))
        this.#sizes.set(id, Number(size));
    }
    return ids.filter((id) => (this.#sizes.get(id) ?? Infinity) <= maxBytes);
  }

  async #read(args: readonly string[], input?: string): Promise<Buffer> {
    const { code, stdout, stderr } = await this.#run(args, input);
    if (code === 0) return stdout;
    throw new SyncError('gitFailed', t('Git failed: {0}', firstLine(stderr)));
  }

  async #run(args: readonly string[], input?: string): Promise<GitAnswer> {
    return await this.#git.run(args, {
      cwd: this.top,
      signal: this.#signal,
      ...(input === undefined ? {} : { input }),
    });
  }
}

function notOpened({ stderr }: GitAnswer, folder: string): SyncError {
  if (/dubious ownership/.test(stderr))
    return new SyncError(
      'distrusted',
      t('Git does not read this repository, because another user owns it. If you trust it:'),
      gitAdvice.trustFolder(folder).map(typedLine),
    );
  if (/must be run in a work tree/.test(stderr)) {
    const [name, above] = [path.basename(folder), path.dirname(folder)];
    const parts = folder.split(path.sep);
    const gitFolder = parts.lastIndexOf('.git');
    const typed =
      gitFolder > 0
        ? gitAdvice.leaveGitFolder(parts.slice(0, gitFolder).join(path.sep) || path.sep)
        : gitAdvice.cloneBeside(folder, path.join(above, `${name.replace(/\.git$/, '')}-clone`));
    return new SyncError(
      'noRepository',
      t('"{0}" is a repository without files. Make a clone of it, or change to yours:', folder),
      typed.map(typedLine),
    );
  }
  if (/not a git repository/.test(stderr))
    return new SyncError(
      'noRepository',
      t('"{0}" is not in a Git repository. Create one, or change to your clone:', folder),
      gitAdvice.createRepository(folder).map(typedLine),
    );
  return new SyncError('gitFailed', t('Git failed: {0}', firstLine(stderr)));
}

function firstLine(text: string): string {
  return text.trim().split('\n')[0] ?? '';
}
