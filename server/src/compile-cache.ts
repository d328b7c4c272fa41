/** Where compiled code is kept for the next start. */
import { homedir } from 'node:os';
import path from 'node:path';

/**
 * The folder of `NODE_COMPILE_CACHE`, which the extension sets to a folder of its own; else one below the place that the
 * system has for caches of this person. Never a folder that others can write: what lies there is run.
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
      // XDG Base Directory Specification: what is not absolute is to be ignored.
      const given = environment['XDG_CACHE_HOME'] ?? '';
      return path.isAbsolute(given) ? given : path.join(homedir(), '.cache');
    }
  }
}
