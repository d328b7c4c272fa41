/** The folder for the user's local data. */
import path from 'node:path';
import { folderOf, homeFolder } from './own-folders.ts';

export function dataFolder(
  environment: NodeJS.ProcessEnv,
  { platform = process.platform, home = homeFolder() }: { platform?: NodeJS.Platform; home?: string } = {},
): string {
  const set = folderOf(environment, 'XDG_DATA_HOME');
  if (set !== undefined) return path.join(set, 'identity-queries');
  if (platform === 'win32')
    return path.join(
      folderOf(environment, 'LOCALAPPDATA', platform) ?? path.join(home, 'AppData', 'Local'),
      'identity-queries',
    );
  if (platform === 'darwin') return path.join(home, 'Library', 'Application Support', 'identity-queries');
  return path.join(home, '.local', 'share', 'identity-queries');
}
