/** Validates the untrusted paths in a folder. None may lead out of it. */
import { hasHiddenCharacters } from '#base/shown-text/hidden-characters.ts';
import { queryEnding } from './layout.ts';

export type PathProblem =
  | 'empty'
  | 'absolute'
  /** Contains `..`, `.` or an empty part. */
  | 'outside'
  /** Contains a name that Git or Windows reserves or changes. */
  | 'reserved'
  /** Contains an invisible character, or one that some file systems forbid. */
  | 'character'
  | 'ending'
  | 'long';

const pathMax = 400;
const partBytesMax = 255;

/**
 * Returns the problem with a path relative to the query folder, with slashes. Undefined if it is safe on every system.
 */
export function pathProblem(path: string): PathProblem | undefined {
  if (path === '') return 'empty';
  if (/^[/\\]|^[A-Za-z]:/.test(path)) return 'absolute';
  if (path.length > pathMax) return 'long';
  const parts = path.split('/');
  if (parts.some((part) => part === '' || part === '.' || part === '..')) return 'outside';
  if (/[\\<>:"|?*]/.test(path) || hasHiddenCharacters(path) || !path.isWellFormed()) return 'character';
  if (parts.some(isReservedPart)) return 'reserved';
  if (parts.some((part) => Buffer.byteLength(part) > partBytesMax)) return 'long';
  return path.endsWith(queryEnding) && path.length > queryEnding.length ? undefined : 'ending';
}

/**
 * Windows strips trailing dots and spaces and reserves device names. `.git` is reserved in every spelling. Names that
 * are made (slugs.ts) ask here, too.
 */
export function isReservedPart(part: string): boolean {
  return (
    /[. ]$/.test(part) ||
    /^(?:con|prn|aux|nul|conin\$|conout\$|(?:com|lpt)[\d\xb9\xb2\xb3])(?:\s*\.|$)/i.test(part) ||
    /^\.?git(?:~\d+)?$/i.test(part) ||
    part.startsWith('.')
  );
}
