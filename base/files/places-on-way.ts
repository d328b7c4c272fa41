/** Where a path leads. Whoever can change one of these places decides what is behind the path. */
import { readlink } from 'node:fs/promises';
import path from 'node:path';

/** As many links as Linux follows. */
const linksMax = 40;

/**
 * Returns each link on the way, by the real path of its folder, and what is there in the end. What is missing or must not
 * be looked at is taken as it is written.
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
  return [...places, at];
}

function split(file: string): { readonly root: string; readonly rest: readonly string[] } {
  const whole = path.isAbsolute(file) ? file : `${process.cwd()}${path.sep}${file}`;
  const { root } = path.parse(whole);
  const parts = whole.slice(root.length).split(path.sep === '\\' ? /[\\/]/ : '/');
  return { root, rest: parts.filter((part) => part !== '' && part !== '.') };
}
