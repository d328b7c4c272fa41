/**
 * Writes l10n/bundle.l10n.json with all English strings in the client and pages. Translations are in
 * l10n/bundle.l10n.<language>.json and, for package.nls.json, in package.nls.<language>.json. `--check` writes nothing
 * and fails if a translation lost a placeholder or link. `--missing` lists the texts that a release must translate or
 * remove, and fails if there are any.
 */
import { mkdirSync, writeFileSync } from 'node:fs';
import {
  catalogueKinds,
  gapsOfCatalogue,
  problemsOfCatalogue,
  readCatalogue,
  textsInCode,
  translationsOf,
} from './lib/catalogues.js';
import { fromRoot } from './lib/paths.js';

const isMissing = process.argv.includes('--missing');
if (isMissing || process.argv.includes('--check')) {
  const problemsOf = isMissing ? gapsOfCatalogue : problemsOfCatalogue;
  let count = 0;
  for (const { english, pattern } of catalogueKinds()) {
    for (const { file } of translationsOf(pattern)) {
      for (const problem of problemsOf(english, readCatalogue(file))) {
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
