/** Packs that ship with this program. */
import { existsSync } from 'node:fs';
import path from 'node:path';

export const shippedPacks = ['identity-review-essentials', 'postgresql-roles'] as const;

/**
 * Returns the folder of a shipped pack; undefined for other names, or if the installation is incomplete.
 * @param program the folder of the package, or a folder inside it.
 */
export function shippedPackFolder(name: string, program: string): string | undefined {
  if (!shippedPacks.some((each) => each === name)) return undefined;
  let folder = program;
  for (let above = 0; above <= levelsMax; above += 1) {
    const found = path.join(folder, 'library', name);
    if (existsSync(path.join(found, 'pack.json'))) return found;
    folder = path.dirname(folder);
  }
  return undefined;
}

/** Number of levels from `cli/src/packs` or `dist` up to the package. */
const levelsMax = 3;
