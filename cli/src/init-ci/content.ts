/** Finds the parts of a repository that need CI jobs. */
import path from 'node:path';
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
  return hasQueries || hasControls ? { hasQueries, hasControls } : { hasQueries: true, hasControls: true };
}
