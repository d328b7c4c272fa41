/**
 * Whether a program, or one of its arguments, is a file of a folder. A person allows a command line: anyone who changes
 * the folder could change such a file later while the command line stays the same.
 */
import { realpath } from 'node:fs/promises';
import { homedir } from 'node:os';
import path from 'node:path';

export interface ProgramPlaces {
  /** The open folders. */
  readonly folders: readonly string[];
  /** `PATH`: searched for a program named without a folder. */
  readonly searchPath: string;
  /** Working directory of programs (secret-sources.ts). */
  readonly runsIn?: string;
}

export async function namesFileOf(
  command: readonly string[],
  { folders, searchPath, runsIn = homedir() }: ProgramPlaces,
): Promise<boolean> {
  const places = (await Promise.all(folders.map(real))).concat(folders);
  if (places.some((place) => command.some((text) => mentions(text, place)))) return true;
  const named = command.flatMap(pathsIn).map((each) => path.resolve(runsIn, each));
  const files = await Promise.all([...named, ...foundIn(searchPath, command[0] ?? '')].map(real));
  return files.some((file) => places.some((place) => isWithin(file, place)));
}

/** Anywhere in it: a shell may change into it. */
function mentions(text: string, place: string): boolean {
  const [whole, part] = [comparable(text), comparable(place)];
  for (let at = whole.indexOf(part); at >= 0; at = whole.indexOf(part, at + 1)) {
    if (!/[\w.-]/.test(whole[at + part.length] ?? '')) return true;
  }
  return false;
}

/** An argument may be a path, or an option containing one. */
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

/** Resolves links; a missing path is returned unchanged. */
async function real(file: string): Promise<string> {
  try {
    return await realpath(file);
  } catch {
    return file; // it does not exist, or is not a path
  }
}

function isWithin(file: string, folder: string): boolean {
  const relative = path.relative(comparable(folder), comparable(file));
  return relative !== '..' && !relative.startsWith(`..${path.sep}`) && !path.isAbsolute(relative);
}

/** On systems with case-insensitive paths. */
function comparable(file: string): string {
  return process.platform === 'linux' ? file : file.toLowerCase();
}
