/** Chooses the compile cache folder. */
import { homedir } from 'node:os';
import path from 'node:path';

/**
 * Returns the folder in `NODE_COMPILE_CACHE`, which the extension sets, or by default a folder in the user's system
 * cache. Never returns a folder that other users can write to, since its content is executed.
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
