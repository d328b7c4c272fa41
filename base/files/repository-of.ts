/** The repository that a folder is in. */
import { existsSync } from 'node:fs';
import path from 'node:path';

/** Returns the root of the repository that contains a folder; the folder itself if there is none. */
export function repositoryOf(folder: string): string {
  for (let at = path.resolve(folder); ; at = path.dirname(at)) {
    if (existsSync(path.join(at, '.git'))) return at;
    if (path.dirname(at) === at) return path.resolve(folder);
  }
}
