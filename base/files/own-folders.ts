/**
 * The person's own folders. Never a relative one: a variable that is empty or relative would name a folder in the
 * folder where the program was started, which a stranger may have made.
 */
import { homedir, userInfo } from 'node:os';
import path from 'node:path';

/** Returns the folder that a variable names; undefined if it names none. */
export function folderOf(
  environment: Readonly<Record<string, string | undefined>>,
  variable: string,
  platform = process.platform,
): string | undefined {
  const given = environment[variable] ?? '';
  const rules = platform === 'win32' ? path.win32 : path.posix;
  return rules.isAbsolute(given) ? given : undefined;
}

/** Returns the person's home folder, or the root of the file system if there is none. */
export function homeFolder(): string {
  for (const read of [homedir, () => userInfo().homedir]) {
    try {
      const home = read();
      if (path.isAbsolute(home)) return home;
    } catch {
      // The system does not know this user.
    }
  }
  return path.parse(process.cwd()).root;
}
