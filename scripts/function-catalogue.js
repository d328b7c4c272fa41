/**
 * Writes server/src/language/checks/read-only/effects/function-catalogue.ts from PostgreSQL's own catalogue (pg_proc,
 * in PGlite): every function that a query can call, including those of PGlite's extensions. A further file about
 * their arguments and results would be one more `write` over the same database.
 */
import { writeFileSync } from 'node:fs';
import { fromRoot } from './lib/paths.js';
import { openCatalogue, readCatalogue, writtenCatalogue } from './lib/function-catalogue.js';

const database = await openCatalogue();
const catalogue = await readCatalogue(database);
await database.close();
const file = 'server/src/language/checks/read-only/effects/function-catalogue.ts';
writeFileSync(fromRoot(file), await writtenCatalogue(catalogue));
process.stdout.write(`${file}: ${catalogue.version}\n`);
