/** Chooses the compile cache folder. */
import path from 'node:path';
import { folderOf, homeFolder } from '#base/files/own-folders.ts';

/**
 * Returns the folder in `NODE_COMPILE_CACHE`, which the extension sets, or by default a folder in the user's system
 * cache. Never returns a folder that other users can write to, since its content is executed.
 */
export function compileCacheFolder(
  environment: Readonly<Record<string, string | undefined>>,
  platform: NodeJS.Platform,
): string {
  return (
    folderOf(environment, 'NODE_COMPILE_CACHE') ??
    path.join(cachesOf(environment, platform), 'identity-queries', 'compiled')
  );
}

function cachesOf(
  environment: Readonly<Record<string, string | undefined>>,
  platform: NodeJS.Platform,
): string {
  switch (platform) {
    case 'win32':
      return folderOf(environment, 'LOCALAPPDATA', platform) ?? path.join(homeFolder(), 'AppData', 'Local');
    case 'darwin':
      return path.join(homeFolder(), 'Library', 'Caches');
    default:
      return folderOf(environment, 'XDG_CACHE_HOME') ?? path.join(homeFolder(), '.cache');
  }
}
