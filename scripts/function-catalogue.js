/**
 * Writes server/src/language/checks/read-only/effects/function-catalogue.ts and server/src/language/tree/function-names.ts from PostgreSQL's own catalog (pg_proc in
 * PGlite). It lists every function that a query can call, including those of PGlite's extensions. To generate another
 * file about arguments and results, add a `write` for the same database.
 */
import { writeFileSync } from 'node:fs';
import { openCatalogue, readCatalogue, writtenCatalogue, writtenNames } from './lib/function-catalogue.js';
import { fromRoot } from './lib/paths.js';

const database = await openCatalogue();
const catalogue = await readCatalogue(database);
await database.close();
write(
  'server/src/language/checks/read-only/effects/function-catalogue.ts',
  await writtenCatalogue(catalogue),
);
write('server/src/language/tree/function-names.ts', await writtenNames(catalogue));

/**
 * @param {string} file
 * @param {string} text
 */
function write(file, text) {
  writeFileSync(fromRoot(file), text);
  process.stdout.write(`${file}: ${catalogue.version}\n`);
}
