/** The compile cache folder for the next start. */
import { homedir } from 'node:os';
import path from 'node:path';

/**
 * The folder of `NODE_COMPILE_CACHE`, which the extension sets; else one below the person's system cache. Never a
 * folder that others can write: its content is executed.
 */
export function compileCacheFolder(
  environment: Readonly<Record<string, string | undefined>>,
  platform: NodeJS.Platform,
): string {
  const given = environment['NODE_COMPILE_CACHE'];
  return given === undefined || given === ''
    ? path.join(cachesOf(environment, platform), 'identity-queries', 'compiled')
    : given;
}

function cachesOf(
  environment: Readonly<Record<string, string | undefined>>,
  platform: NodeJS.Platform,
): string {
  switch (platform) {
    case 'win32':
      return environment['LOCALAPPDATA'] ?? path.join(homedir(), 'AppData', 'Local');
    case 'darwin':
      return path.join(homedir(), 'Library', 'Caches');
    default: {
      // XDG Base Directory Specification: relative paths must be ignored.
      const given = environment['XDG_CACHE_HOME'] ?? '';
      return path.isAbsolute(given) ? given : path.join(homedir(), '.cache');
    }
  }
}
