/** Why a file could not be written, in words that follow a colon. */
import { t } from './texts.ts';

/** What a network or a program that cannot be started calls itself is none of these. */
const ofFiles = /^(?:access|open|read|write|close|fsync|ftruncate|f?stat|lstat|rename|mkdir|unlink|scandir)$/;

/** @returns undefined when it is not the disk that failed. */
export function diskWords(error: unknown): string | undefined {
  if (!(error instanceof Error) || !('code' in error) || !('syscall' in error)) return undefined;
  if (!ofFiles.test(String(error.syscall))) return undefined;
  switch (error.code) {
    case 'ENOSPC':
    case 'EDQUOT':
      return t('the disk is full');
    case 'ENOENT':
    case 'ENOTDIR':
      return t('its folder is not there');
    case 'EISDIR':
      return t('a folder has this name');
    case 'EACCES':
    case 'EPERM':
    case 'EROFS':
      return t('nothing may be written there');
    default:
      return String(error.code);
  }
}
