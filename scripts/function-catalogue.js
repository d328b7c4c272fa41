/**
 * Writes server/src/language/checks/read-only/effects/function-catalogue.ts from PostgreSQL's own catalog (pg_proc in
 * PGlite). It lists every function that a query can call, including those of PGlite's extensions. To generate another
 * file about arguments and results, add a `write` for the same database.
 */
import { writeFileSync } from 'node:fs';
import { openCatalogue, readCatalogue, writtenCatalogue } from './lib/function-catalogue.js';
import { fromRoot } from './lib/paths.js';

const database = await openCatalogue();
const catalogue = await readCatalogue(database);
await database.close();
const file = 'server/src/language/checks/read-only/effects/function-catalogue.ts';
writeFileSync(fromRoot(file), await writtenCatalogue(catalogue));
process.stdout.write(`${file}: ${catalogue.version}\n`);
