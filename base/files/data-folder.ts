/** The folder for the user's local data. */
import { homedir } from 'node:os';
import path from 'node:path';

export function dataFolder(
  environment: NodeJS.ProcessEnv,
  { platform = process.platform, home = homedir() }: { platform?: NodeJS.Platform; home?: string } = {},
): string {
  const set = environment['XDG_DATA_HOME'];
  if (set !== undefined && path.isAbsolute(set)) return path.join(set, 'identity-queries');
  if (platform === 'win32')
    return path.join(environment['LOCALAPPDATA'] ?? path.join(home, 'AppData', 'Local'), 'identity-queries');
  if (platform === 'darwin') return path.join(home, 'Library', 'Application Support', 'identity-queries');
  return path.join(home, '.local', 'share', 'identity-queries');
}
