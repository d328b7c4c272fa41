/** Where a path leads. Whoever can change one of these places decides what is behind the path. */
import { readlink, realpath } from 'node:fs/promises';
import path from 'node:path';

/** As many links as Linux follows. */
const linksMax = 40;

/**
 * Returns each link on the way, by the real path of its folder, and what is there in the end. What is missing or must not
 * be looked at is taken as it is written. Each place is also named as the system does: Windows knows short names of folders
 * and drives that stand for one.
 */
export async function placesOnWay(file: string): Promise<readonly string[]> {
  const places: string[] = [];
  const isWindows = process.platform === 'win32';
  // Windows leaves a folder by `..` before it follows links.
  let { root: at, rest } = split(isWindows ? path.resolve(file) : file);
  for (let [part] = rest; part !== undefined; [part] = rest) {
    rest = rest.slice(1);
    const next = path.join(at, part);
    const target = part === '..' ? undefined : await readlink(next).catch(() => undefined); // no link, or missing
    if (target === undefined || places.length >= linksMax) at = next;
    else {
      places.push(next);
      const behind = split(path.isAbsolute(target) ? target : `${at}${path.sep}${target}`);
      at = behind.root;
      rest = [...behind.rest, ...rest];
    }
  }
  const named = places.map(async (place) => path.join(await real(path.dirname(place)), path.basename(place)));
  return [...new Set([...places, at, ...(await Promise.all([...named, real(at)]))])];
}

/** Returns the system's name of a path, or of as much of it as is there. */
async function real(file: string): Promise<string> {
  const folder = path.dirname(file);
  return await realpath(file).catch(async () =>
    folder === file ? file : path.join(await real(folder), path.basename(file)),
  );
}

function split(file: string): { readonly root: string; readonly rest: readonly string[] } {
  const whole = path.isAbsolute(file) ? file : `${process.cwd()}${path.sep}${file}`;
  const { root } = path.parse(whole);
  const parts = whole.slice(root.length).split(path.sep === '\\' ? /[\\/]/ : '/');
  return { root, rest: parts.filter((part) => part !== '' && part !== '.') };
}
