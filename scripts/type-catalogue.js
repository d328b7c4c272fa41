/**
 * Writes server/src/language/types/catalogue/type-catalogue.bin, used to infer expression types: the types, functions,
 * operators and casts in PostgreSQL's own catalog (in PGlite). `--check` only reports whether the file is up to date.
 */
import { readFileSync, writeFileSync } from 'node:fs';
import { deflateRawSync, inflateRawSync } from 'node:zlib';
import { openCatalogue } from './lib/function-catalogue.js';
import { fromRoot } from './lib/paths.js';
import { readTypeCatalogue } from './lib/type-catalogue.js';

const file = fromRoot('server/src/language/types/catalogue/type-catalogue.bin');
const database = await openCatalogue();
const catalogue = await readTypeCatalogue(database);
await database.close();
const text = JSON.stringify(catalogue);
if (process.argv.includes('--check')) {
  const isCurrent = inflateRawSync(readFileSync(file)).toString() === text;
  process.stdout.write(isCurrent ? 'up to date\n' : 'old: run node scripts/type-catalogue.js\n');
  process.exitCode = isCurrent ? 0 : 1;
} else {
  const packed = deflateRawSync(text, { level: 9 });
  writeFileSync(file, packed);
  process.stdout.write(`${file}: ${catalogue.version}, ${text.length} characters, ${packed.length} bytes\n`);
}
