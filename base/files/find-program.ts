/** Finds out, as starting it would, whether a program exists and can be started. */
import { constants } from 'node:fs';
import { access, stat } from 'node:fs/promises';
import path from 'node:path';
import { isMissingPath } from '../errors.ts';
import { homeFolder } from './own-folders.ts';

export type ProgramProblem = 'missing' | 'not-executable';

/**
 * @param name a program that is searched on the PATH, or its whole path.
 * @returns undefined if it can be started.
 */
export async function programProblem(
  name: string,
  environment: NodeJS.ProcessEnv,
  runsIn = homeFolder(),
): Promise<ProgramProblem | undefined> {
  let problem: ProgramProblem = 'missing';
  for (const place of placesOf(name, environment, runsIn)) {
    const found = await problemAt(place);
    if (found === undefined) return undefined;
    if (found === 'not-executable') problem = found;
  }
  return problem;
}

/** Returns the folders of the PATH, in which a relative one counts from where a program runs. */
export function pathFolders(environment: NodeJS.ProcessEnv): readonly string[] {
  return (environment['PATH'] ?? environment['Path'] ?? '').split(path.delimiter);
}

function placesOf(name: string, environment: NodeJS.ProcessEnv, runsIn: string): readonly string[] {
  const isNamed = path.basename(name) !== name;
  const folders = isNamed ? [''] : pathFolders(environment);
  const own = path.extname(name) === '' ? [] : [''];
  const endings = process.platform === 'win32' ? [...own, '.com', '.exe'] : [''];
  return folders.flatMap((folder) => endings.map((ending) => path.resolve(runsIn, folder, name + ending)));
}

async function problemAt(file: string): Promise<ProgramProblem | undefined> {
  try {
    await access(file, constants.X_OK);
    return (await stat(file)).isFile() ? undefined : 'not-executable';
  } catch (error) {
    return isMissingPath(error) ? 'missing' : 'not-executable';
  }
}
