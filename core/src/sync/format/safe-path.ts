/** Paths that stand in files of a folder: whoever wrote the folder wrote them, so none may lead out of it. */
import { hasHiddenCharacters } from '../../shown-text/hidden-characters.ts';
import { queryEnding } from './layout.ts';

export type PathProblem =
  | 'empty'
  | 'absolute'
  /** `..`, `.` or an empty part. */
  | 'outside'
  /** A name that Git or Windows keeps for itself, or changes. */
  | 'reserved'
  /** A character that some file system does not take, or that is not seen. */
  | 'character'
  | 'ending'
  | 'long';

const pathMax = 400;
const partBytesMax = 255;

/** Of a path relative to the folder of queries, with slashes. Undefined: it is safe to read and to write on every system. */
export function pathProblem(path: string): PathProblem | undefined {
  if (path === '') return 'empty';
  if (/^[/\\]|^[A-Za-z]:/.test(path)) return 'absolute';
  if (path.length > pathMax) return 'long';
  const parts = path.split('/');
  if (parts.some((part) => part === '' || part === '.' || part === '..')) return 'outside';
  if (/[\\<>:"|?*]/.test(path) || hasHiddenCharacters(path) || !path.isWellFormed()) return 'character';
  if (parts.some(isReserved)) return 'reserved';
  if (parts.some((part) => Buffer.byteLength(part) > partBytesMax)) return 'long';
  return path.endsWith(queryEnding) && path.length > queryEnding.length ? undefined : 'ending';
}

/** Windows drops dots and blanks at the end of a name, and has devices; `.git` in any spelling is Git's own. */
function isReserved(part: string): boolean {
  return (
    /[. ]$/.test(part) ||
    /^(?:con|prn|aux|nul|conin\$|conout\$|(?:com|lpt)[\d¹²³])(?:\s*\.|$)/i.test(part) ||
    /^\.?git(?:~\d+)?$/i.test(part) ||
    part.startsWith('.')
  );
}
