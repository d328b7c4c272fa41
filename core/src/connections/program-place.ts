/**
 * Checks whether a program or one of its arguments is a file in an open folder. When a user allows a command line,
 * anyone who can write to the folder could later change the file without changing the command line.
 */
import { existsSync, readdirSync } from 'node:fs';
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
  const located = (words: readonly string[]) =>
    words.map((each) => path.resolve(runsIn, inHome(each, runsIn)));
  const named = command.flatMap(pathsIn);
  const words = command.flatMap(wordsIn);
  const isPath = (word: string) => /^[./\\~$%]/.test(word) || path.isAbsolute(word);
  const sure = [...located([...named, ...words.filter(isPath)]), ...foundIn(searchPath, command[0] ?? '')];
  // The name of a secret looks like a path, too: `vault read project/secret`.
  const perhaps = located(words.filter((word) => !isPath(word))).filter(mayBeFile);
  const files = await Promise.all([...new Set([...sure, ...perhaps])].map(real));
  return files.some((file) => places.some((place) => isWithin(file, place)));
}

/** A shell completes a pattern, and many a program the end of a name: `node project/x` runs `x.js`. */
function mayBeFile(file: string): boolean {
  if (/[*?[{]/.test(file) || existsSync(file)) return true;
  try {
    return readdirSync(path.dirname(file)).some((name) => name.startsWith(`${path.basename(file)}.`));
  } catch {
    return false; // no folder
  }
}

/** Returns whether an argument mentions the path anywhere, since a shell may `cd` into it. */
function mentions(text: string, place: string): boolean {
  const [whole, part] = [comparablePath(text), comparablePath(place)];
  for (let at = whole.indexOf(part); at >= 0; at = whole.indexOf(part, at + 1)) {
    if (!/[\w.-]/.test(whole[at + part.length] ?? '')) return true;
  }
  return false;
}

/** Returns an argument and the value of an option. */
function pathsIn(text: string): readonly string[] {
  const at = text.indexOf('=');
  return withOptions([text, ...(at < 0 ? [] : [text.slice(at + 1)])]);
}

/** Returns the words of a text that a shell reads, as far as they are written out. */
function wordsIn(text: string): readonly string[] {
  const words = [text, text.replaceAll(quotes, '')].flatMap((each) => each.split(betweenWords));
  return withOptions([...words, ...text.split(quotes)]);
}

const withOptions = (parts: readonly string[]): readonly string[] =>
  [...parts, ...parts.flatMap(valuesOfOption)].filter((part) => part !== '');

const quotes = /["'`]/g;
/** A colon is between paths, but not in the address of another machine. */
const betweenWords = /[\s"'`;|&<>()=,]+|:(?!\/\/)/;

/** `-fFILE`, also behind other letters if the path shows itself. */
function valuesOfOption(word: string): readonly string[] {
  if (!word.startsWith('-')) return [];
  const start = word.search(/[./~$]/);
  return [word.slice(2), ...(start < 0 ? [] : [word.slice(start)])];
}

/** Returns a path with the folder that shells write as `~` or by its variable. */
function inHome(word: string, home: string): string {
  const [written] = /^(?:~|\$HOME|\$\{HOME\}|\$env:USERPROFILE|%USERPROFILE%)(?=$|[/\\])/i.exec(word) ?? [];
  return written === undefined ? word : `${home}${word.slice(written.length)}`;
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
