/** Explains why a file could not be written or read, as text that follows a colon. */
import path from 'node:path';
import { t } from '../texts.ts';
import { TargetError } from './target-error.ts';

/** File operations. Network and process errors share some codes, so other operations are excluded. */
const ofFiles =
  /^(?:access|open|read|write|close|fsync|ftruncate|f?stat|lstat|rename|copyfile|mkdir|unlink|scandir)$/;

/** @returns undefined if the error is not a disk error. */
export function diskWords(error: unknown): string | undefined {
  if (error instanceof TargetError) return error.reason;
  const { code, syscall } = causeOf(error);
  if (code === undefined || syscall === undefined || !ofFiles.test(syscall)) return undefined;
  switch (code) {
    case 'ENOSPC':
    case 'EDQUOT':
      return t('the disk is full');
    case 'EFBIG':
      return t('it would be larger than a file may be here');
    case 'ENAMETOOLONG':
      return t('its name is too long');
    case 'ENOENT':
    case 'ENOTDIR':
      return t('its folder does not exist');
    case 'EISDIR':
      return t('a folder has this name');
    case 'EACCES':
    case 'EPERM':
    case 'EROFS':
      return t('you have no permission to write there');
    case 'EPIPE':
      return t('its reader has ended');
    default:
      return code;
  }
}

/**
 * Returns the failure of a write as one of its target: its folder may be missing, the draft beside it has another name,
 * and an open file none. A failure elsewhere stays as it is.
 * @param real where the target is, if it is a link.
 */
export function asTargetError(error: unknown, target: string, real = target): unknown {
  const reason = error instanceof TargetError ? undefined : diskWords(error);
  const place = diskPath(error);
  const folders = [path.dirname(target), path.dirname(real)];
  const isElsewhere =
    place !== undefined && !folders.includes(place) && !folders.includes(path.dirname(place));
  return reason === undefined || isElsewhere ? error : new TargetError(reason, target, { cause: error });
}

/** Returns the path that an operation failed at; undefined for one on an open file, such as `write`. */
export function diskPath(error: unknown): string | undefined {
  if (!(error instanceof Error)) return undefined;
  if ('path' in error && typeof error.path === 'string') return error.path;
  return /^E[A-Z0-9]+: [^,]*, [a-z]+ '(.+?)'(?: ->|$)/.exec(error.message)?.[1];
}

/** Returns the reason that a file could not be read; undefined for unknown errors. */
export function unreadableWords(error: unknown): string | undefined {
  switch (causeOf(error).code) {
    case 'ENOENT':
    case 'ENOTDIR':
      return t('it does not exist');
    case 'EISDIR':
      return t('it is a folder');
    case 'EACCES':
    case 'EPERM':
      return t('you have no permission to read it');
    default:
      return undefined;
  }
}

/** Only an error's message is passed between threads: `ENOSPC: no space left on device, write`. */
function causeOf(error: unknown): {
  readonly code?: string | undefined;
  readonly syscall?: string | undefined;
} {
  if (!(error instanceof Error)) return {};
  if ('code' in error && 'syscall' in error)
    return { code: String(error.code), syscall: String(error.syscall) };
  const [, code, syscall] = /^(E[A-Z0-9]+): [^,]*, ([a-z]+)/.exec(error.message) ?? [];
  return { code, syscall };
}
