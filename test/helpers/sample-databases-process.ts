/**
 * A PostgreSQL server for the sample databases of a stage. Prints its URL and the folder of its programs, which other
 * servers of the stage use, too, and stops it when the input ends, so that it never outlives the stage. Without the npm
 * package's programs (musl) it prints nothing, and sandboxes use PGlite.
 */
import { once } from 'node:events';
import { packagedPostgres, startPostgres } from './postgres.ts';

const bin = packagedPostgres();
if (bin !== undefined) {
  const server = await startPostgres(bin);
  process.stdout.write(`${JSON.stringify([server.url(), bin])}\n`);
  await once(process.stdin.resume(), 'end');
  await server.stop();
}
