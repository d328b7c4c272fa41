/**
 * Finds the person's own DuckDB, the npm package `@duckdb/node-api`: where the person says, or where npm installs
 * globally. Never in a folder that is worked in or in one above it: what lies there may be a stranger's.
 */
import { realpath } from 'node:fs/promises';
import path from 'node:path';
import { readBoundedText } from '#base/files/bounded-file.ts';
import { pathFolders } from '#base/files/find-program.ts';
import { isWithin } from '#base/files/is-within.ts';
import { placesOnWay } from '#base/files/places-on-way.ts';
import { isObject } from '#base/values/is-object.ts';

const packageName = '@duckdb/node-api';

/** Of a package's description, which has a few hundred. */
const maxBytes = 1_000_000;

export interface DuckDbPlaces {
  /** A path that the person set: the package's folder, or a folder that has it. */
  readonly named?: string | undefined;
  readonly environment: NodeJS.ProcessEnv;
  /** The folders that are worked in; a named path is relative to the first one. */
  readonly folders: readonly string[];
  /** The program that runs; Node.js installs globally beside itself. */
  readonly program?: string;
  readonly platform?: NodeJS.Platform;
}

/** @returns the package's folder; undefined if there is none. */
export async function findDuckDb(places: DuckDbPlaces): Promise<string | undefined> {
  const { named, folders } = places;
  if (named !== undefined && named !== '') return await packageIn(path.resolve(folders[0] ?? '', named));
  const own = await Promise.all(folders.map(async (folder) => await realpath(folder).catch(() => folder)));
  for (const place of await globalFolders(places)) {
    const found = await packageIn(path.join(place, packageName));
    if (found === undefined) continue;
    const way = [found, ...(await placesOnWay(path.join(place, packageName)))];
    const isStrange = way.some((one) => own.some((folder) => isBeside(one, folder)));
    if (!isStrange) return found;
  }
  return undefined;
}

async function globalFolders({
  environment,
  program = process.execPath,
  platform = process.platform,
}: DuckDbPlaces): Promise<readonly string[]> {
  const isWindows = platform === 'win32';
  const searched = pathFolders(environment)
    .filter((place) => path.isAbsolute(place))
    .map((place) => path.join(place, isWindows ? 'node.exe' : 'node'));
  const folders: string[] = [];
  const roaming = environment['APPDATA'];
  if (isWindows && roaming !== undefined) folders.push(path.join(roaming, 'npm', 'node_modules'));
  for (const node of [program, ...searched]) {
    const places = [node, await realpath(node).catch(() => node)].map((each) => path.dirname(each));
    for (const place of places)
      folders.push(
        isWindows ? path.join(place, 'node_modules') : path.join(place, '..', 'lib', 'node_modules'),
      );
  }
  return [...new Set(folders)];
}

/** Returns the real folder of the package at a path, or in its `node_modules`. */
async function packageIn(place: string): Promise<string | undefined> {
  for (const folder of [
    place,
    path.join(place, packageName),
    path.join(place, 'node_modules', packageName),
  ]) {
    try {
      const description = await readBoundedText(path.join(folder, 'package.json'), { maxBytes });
      const value: unknown = JSON.parse(description);
      if (isObject(value) && value['name'] === packageName) return await realpath(folder);
    } catch {
      // missing, or no package: try the next one
    }
  }
  return undefined;
}

/** Whether a package is in the folder, or where a program in the folder would find it: in one above. */
function isBeside(found: string, folder: string): boolean {
  const modules = found.lastIndexOf(`${path.sep}node_modules${path.sep}`);
  return isWithin(found, folder) || (modules > 0 && isWithin(folder, found.slice(0, modules)));
}
