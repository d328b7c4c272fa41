/**
 * Checks whether a program or one of its arguments is a file in an open folder. When a user allows a command line,
 * anyone who can write to the folder could later change the file without changing the command line.
 */
import { realpath } from 'node:fs/promises';
import path from 'node:path';
import { comparablePath, isWithin } from '#base/files/is-within.ts';
import { homeFolder } from '#base/files/own-folders.ts';

export interface ProgramPlaces {
  readonly folders: readonly string[];
  /** `PATH`, which is searched if the program is named without a folder. */
  readonly searchPath: string;
  /** Working directory of programs (see secret-sources.ts). */
  readonly runsIn?: string;
}

export async function namesFileOf(
  command: readonly string[],
  { folders, searchPath, runsIn = homeFolder() }: ProgramPlaces,
): Promise<boolean> {
  const places = (await Promise.all(folders.map(real))).concat(folders);
  if (places.some((place) => command.some((text) => mentions(text, place)))) return true;
  const named = command.flatMap(pathsIn).map((each) => path.resolve(runsIn, each));
  const files = await Promise.all([...named, ...foundIn(searchPath, command[0] ?? '')].map(real));
  return files.some((file) => places.some((place) => isWithin(file, place)));
}

/** Returns whether an argument mentions the path anywhere, since a shell may `cd` into it. */
function mentions(text: string, place: string): boolean {
  const [whole, part] = [comparablePath(text), comparablePath(place)];
  for (let at = whole.indexOf(part); at >= 0; at = whole.indexOf(part, at + 1)) {
    if (!/[\w.-]/.test(whole[at + part.length] ?? '')) return true;
  }
  return false;
}

/** Returns the possible paths in an argument: the argument itself, and the value of an option. */
function pathsIn(text: string): readonly string[] {
  const at = text.indexOf('=');
  return at < 0 ? [text] : [text, text.slice(at + 1)];
}

function foundIn(searchPath: string, program: string): readonly string[] {
  if (program === '' || path.basename(program) !== program) return [];
  return searchPath
    .split(path.delimiter)
    .filter((folder) => folder !== '')
    .map((folder) => path.join(folder, program));
}

/** Resolves symbolic links. A missing path is returned unchanged. */
async function real(file: string): Promise<string> {
  try {
    return await realpath(file);
  } catch {
    return file; // the path does not exist or is invalid
  }
}
