/** Validates the paths of a pack's files, wherever they are read: in a pack, in the lock file, or in a base file. */
import { pathProblem, type PathProblem } from '../sync/format/safe-path.ts';

/** Files that are not queries are refused only if an operating system treats their names specially. */
export function packPathProblem(path: string): PathProblem | undefined {
  const parts = path.split('/');
  if (parts.some((part) => /^\.+$/.test(part))) return 'outside';
  return pathProblem(`${parts.map((part) => part.replace(/^\.+/, '')).join('/')}.identity.sql`);
}
