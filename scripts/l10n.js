/**
 * Writes l10n/bundle.l10n.json with all English strings in the client and pages. Translations are in
 * l10n/bundle.l10n.<language>.json and, for package.nls.json, in package.nls.<language>.json. `--check` writes nothing
 * and fails if a translation lacks a string, has an unused one, or lost a placeholder or link.
 */
import { mkdirSync, writeFileSync } from 'node:fs';
import {
  catalogueKinds,
  problemsOfCatalogue,
  readCatalogue,
  textsInCode,
  translationsOf,
} from './lib/catalogues.js';
import { fromRoot } from './lib/paths.js';

if (process.argv.includes('--check')) {
  let count = 0;
  for (const { english, pattern } of catalogueKinds()) {
    for (const { file } of translationsOf(pattern)) {
      for (const problem of problemsOfCatalogue(english, readCatalogue(file))) {
        count += 1;
        process.stdout.write(`${file}: ${problem}\n`);
      }
    }
  }
  process.exit(count === 0 ? 0 : 1);
}
mkdirSync(fromRoot('l10n'), { recursive: true });
const bundle = textsInCode();
writeFileSync(fromRoot('l10n/bundle.l10n.json'), `${JSON.stringify(bundle, undefined, 2)}\n`);
process.stdout.write(`l10n/bundle.l10n.json: ${Object.keys(bundle).length} texts\n`);
