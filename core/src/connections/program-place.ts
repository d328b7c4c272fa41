/**
 * Checks whether a program or one of its arguments is a file in an open folder. When a user allows a command line,
 * anyone who can write to the folder could later change the file without changing the command line.
 */
import { lstat, readdir, realpath } from 'node:fs/promises';
import path from 'node:path';
import { comparablePath, isWithin } from '#base/files/is-within.ts';
import { homeFolder } from '#base/files/own-folders.ts';
import { placesOnWay } from '#base/files/places-on-way.ts';

export interface ProgramPlaces {
  readonly folders: readonly string[];
  /** `PATH`, which is searched if the program is named without a folder. */
  readonly searchPath: string;
  /** Working directory of programs (see secret-sources.ts). */
  readonly runsIn?: string;
  /** Of the program. */
  readonly environment?: Readonly<Record<string, string | undefined>>;
}

export async function namesFileOf(
  command: readonly string[],
  { folders, searchPath, runsIn = homeFolder(), environment = process.env }: ProgramPlaces,
): Promise<boolean> {
  const places = (await Promise.all(folders.map(real))).concat(folders);
  const read = command.flatMap((text) => [text, ...unescaped(text)]);
  if (places.some((place) => read.some((text) => mentions(text, place)))) return true;
  const written = (word: string) => withValues(inHome(word, runsIn), { command, environment });
  const named = command.flatMap(pathsIn);
  const words = read.flatMap(wordsIn);
  const isPath = (word: string) => /^[./\\~$%]/.test(word) || path.isAbsolute(word);
  // A shell may go to a folder that is written out.
  const parents = [...new Set(words.filter(isPath).map((each) => joined(runsIn, written(each))))].filter(
    (parent) => places.some((place) => isWithin(place, parent)),
  );
  const bases = [runsIn, ...parents.slice(0, parentsMax)];
  const located = (parts: readonly string[]) =>
    parts.flatMap((each) => bases.map((base) => joined(base, written(each))));
  const found = foundIn(searchPath, command[0] ?? '').map((file) => joined(runsIn, file));
  const sure = [...located([...named, ...words.filter(isPath)]), ...found];
  const files = await Promise.all([...new Set(sure)].map(placesOnWay));
  // The name of a secret looks like a path, too: `vault read project/secret`.
  for (const file of new Set(located(words.filter((word) => !isPath(word)))))
    if (await mayBeThere(file)) files.push(await placesOnWay(file));
  if (files.flat().some((file) => places.some((place) => isWithin(file, place)))) return true;
  const isShell = command.some((word) => /^(?:\w*sh|powershell|cmd)(?:\.exe)?$/i.test(path.basename(word)));
  const unsure = isShell ? read.flatMap(expandedIn).map(written) : [];
  return unsure.some((word) => places.some((place) => bases.some((base) => mayLeadTo(place, word, base))));
}

/** Folders in one text that hold an open one. */
const parentsMax = 20;

/** Returns a text as a shell reads it that takes a backslash away; on Windows it is between names. */
const unescaped = (text: string): readonly string[] =>
  text.includes('\\')
    ? [text.replaceAll(/\\([\s\S])/g, (_, next: string) => (next === '\n' ? '' : next))]
    : [];

/** What a shell replaces by names. */
const replaced = /[*?[$]/;

/** Returns the words of a text in which a shell replaces something. */
function expandedIn(text: string): readonly string[] {
  return (
    text
      .replace(/'[^']*'|"[^"]*"/g, (quoted) =>
        quoted.slice(1, -1).replace(quoted.startsWith("'") ? /[*?[{$\s]/g : /[*?[\s]|(?<!\$)\{/g, '_'),
      )
      .replace(/\$\{\w+[^\w{}][^{}]*\}/g, '$?')
      // Arithmetic, and the last branch of a `case`, name no files.
      .replace(/\$\(\([^()]*\)\)|(?<=\bin\s+|;;\s*)\*\s*\)/g, '')
      .split(/[\s`;|&<>()=:]+/)
      .map(withoutBraces)
      .filter((word) => replaced.test(word) && /[\w/\\*?]/.test(word))
  );
}

/** Returns a word with a star for its choices in braces, which may hold others. */
function withoutBraces(word: string): string {
  const [open, close] = [word.indexOf('{'), word.lastIndexOf('}')];
  const isChoice = open >= 0 && /,|\.\./.test(word.slice(open, Math.max(open, close)));
  return isChoice ? `${word.slice(0, open)}*${word.slice(close + 1)}` : word;
}

/** Whether some expansion of a word may lead into a folder. */
function mayLeadTo(place: string, word: string, runsIn: string): boolean {
  // A variable may hold any folder.
  if (word.startsWith('$')) return namesIn(word).includes(comparablePath(path.basename(place)));
  const names = namesIn(joined(runsIn, word));
  const any = names.indexOf('**');
  return namesIn(place)
    .slice(0, any < 0 ? undefined : any)
    .every((name, at) => {
      const [known = '', ...others] = (names[at] ?? '').split(replaced);
      return others.length > 0 ? name.startsWith(known) : name === known;
    });
}

const namesIn = (file: string): readonly string[] =>
  comparablePath(file)
    .split(/[\\/]/)
    .filter((name) => name !== '' && name !== '.');

/** Keeps each `..`, which leaves what a link before it leads to. */
const joined = (folder: string, file: string): string =>
  path.isAbsolute(file) ? file : `${folder}${path.sep}${file}`;

/**
 * Also a link that leads nowhere, as it may be changed, and a pattern. Many a program completes the end of a name:
 * `node project/x` runs `x.js`.
 */
async function mayBeThere(file: string): Promise<boolean> {
  if (/[*?[{]/.test(file)) return true;
  return await lstat(file).then(
    () => true,
    async () => {
      const names = await readdir(path.dirname(file)).catch(() => []); // no folder
      return names.some((name) => name.startsWith(`${path.basename(file)}.`));
    },
  );
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

/** Returns a path with the folder that shells write as `~` or by its variable, in which the program runs. */
function inHome(word: string, home: string): string {
  const [written] =
    /^(?:~|\$(?:HOME|PWD)|\$\{(?:HOME|PWD)\}|\$env:USERPROFILE|%USERPROFILE%|\/proc\/self\/cwd)(?=$|[/\\])/i.exec(
      word,
    ) ?? [];
  return written === undefined ? word : `${home}${word.slice(written.length)}`;
}

/** Returns a word with the variables of the environment that the command gives no other value. */
function withValues(
  word: string,
  {
    command,
    environment,
  }: { readonly command: readonly string[] } & Pick<Required<ProgramPlaces>, 'environment'>,
): string {
  return word.replace(/\$\{(\w+)\}|\$(\w+)/g, (written, braced?: string, bare?: string) => {
    const name = braced ?? bare ?? '';
    const value = Object.hasOwn(environment, name) ? environment[name] : undefined;
    // A shell itself sets these.
    const isSet = /^(?:_|PWD|OLDPWD|REPLY)$/.test(name) || command.some((text) => setsIn(text).has(name));
    return value === undefined || value === '' || isSet ? written : value;
  });
}

/** Returns the words of which one may be a variable that is set: `x=~/project`, `read x`, `for x in *`. */
function setsIn(text: string): ReadonlySet<string> {
  return new Set(text.match(/(?<![\w$]|\$\{)\w+/g));
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
