/** Finds the parts of a repository that need CI jobs. */
import path from 'node:path';
import { readBoundedText } from '#base/files/bounded-file.ts';
import { findControls } from '#core/controls/find-controls.ts';
import { queriesFolder } from '#core/sync/format/layout.ts';
import { holdsQueries } from '#core/sync/workspace.ts';
import type { CliContext } from '../context.ts';
import type { CiContent } from './jobs.ts';

/** Returns every part if the repository has none yet. */
export async function contentOf({ cwd, signal }: Pick<CliContext, 'cwd' | 'signal'>): Promise<CiContent> {
  const { controls } = await findControls([cwd], { root: cwd, signal });
  const hasQueries = await holdsQueries(path.join(cwd, queriesFolder));
  const hasControls = controls.length > 0;
  const branch = await mainBranch(cwd);
  return hasQueries || hasControls
    ? { hasQueries, hasControls, branch }
    : { hasQueries: true, hasControls: true, branch };
}

/** Names that mean the same in YAML, a shell and an expression. */
const places = [
  ['refs/remotes/origin/HEAD', /^ref: refs\/remotes\/origin\/([A-Za-z][\w./-]*)\s*$/],
  ['HEAD', /^ref: refs\/heads\/(master|trunk)\s*$/],
] as const;

/** Returns the default branch of the remote as the clone recorded it, else a usual name that is checked out, else `main`. */
async function mainBranch(cwd: string): Promise<string> {
  for (const [file, pattern] of places) {
    const limits = { maxBytes: 1_000, within: cwd };
    // A worktree has it elsewhere, and a new repository has no remote.
    const text = await readBoundedText(path.join(cwd, '.git', file), limits).catch(() => '');
    const [, branch] = pattern.exec(text) ?? [];
    if (branch !== undefined) return branch;
  }
  return 'main';
}
