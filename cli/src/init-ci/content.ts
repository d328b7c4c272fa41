/** Finds the parts of a repository that need CI jobs. */
import { stat } from 'node:fs/promises';
import path from 'node:path';
import { findControls } from '#core/controls/find-controls.ts';
import { indexFile, queriesFolder } from '#core/sync/format/layout.ts';
import { isMissingFile } from '#base/errors.ts';
import type { CliContext } from '../context.ts';
import type { CiContent } from './jobs.ts';

/** Returns every part if the repository has none yet. */
export async function contentOf({ cwd, signal }: Pick<CliContext, 'cwd' | 'signal'>): Promise<CiContent> {
  const { controls } = await findControls([cwd], { root: cwd, signal });
  const hasQueries = await isThere(path.join(cwd, queriesFolder, indexFile));
  const hasControls = controls.length > 0;
  return hasQueries || hasControls ? { hasQueries, hasControls } : { hasQueries: true, hasControls: true };
}

async function isThere(file: string): Promise<boolean> {
  try {
    await stat(file);
    return true;
  } catch (error) {
    if (isMissingFile(error)) return false;
    throw error;
  }
}
