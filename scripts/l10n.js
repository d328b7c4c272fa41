/**
 * Writes l10n/bundle.l10n.json with all English strings in the client and pages. Translations are in
 * l10n/bundle.l10n.<language>.json and, for package.nls.json, in package.nls.<language>.json. It also records from which
 * English texts new and changed translations were made (l10n/made-from.<language>.json) and puts translations in the
 * order of the English texts.
 * `--still-right KEY...` also records translations that stayed while their English text changed.
 * `--check` writes nothing and fails if a translation lost a placeholder or link, breaks l10n/glossary.json or is not
 * recorded. `--missing` lists the texts that a release must translate or remove, and fails if there are any.
 */
import { mkdirSync, writeFileSync } from 'node:fs';
import { parseArgs } from 'node:util';
import {
  allTranslations,
  readMadeFrom,
  releaseGaps,
  textsInCode,
  translationProblems,
} from './lib/catalogues.js';
import { madeFromFile, recordOf } from './lib/made-from.js';
import { fromRoot } from './lib/paths.js';

const { values: flags, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    check: { type: 'boolean', default: false },
    missing: { type: 'boolean', default: false },
    'still-right': { type: 'boolean', default: false },
  },
});

if (flags.missing || flags.check) {
  const problems = flags.missing ? releaseGaps() : translationProblems();
  for (const problem of problems) process.stdout.write(`${problem}\n`);
  process.exitCode = problems.length === 0 ? 0 : 1;
} else write();

function write() {
  mkdirSync(fromRoot('l10n'), { recursive: true });
  const bundle = textsInCode();
  writeJson('l10n/bundle.l10n.json', bundle);
  process.stdout.write(`l10n/bundle.l10n.json: ${Object.keys(bundle).length} texts\n`);
  const translations = allTranslations();
  const stillRight = new Set(flags['still-right'] ? positionals : []);
  for (const [language, own] of Map.groupBy(translations, (translation) => translation.language)) {
    const record = readMadeFrom(language);
    writeJson(
      madeFromFile(language),
      Object.fromEntries(
        own.map((translation) => [
          translation.kind,
          recordOf(translation, record[translation.kind] ?? {}, stillRight),
        ]),
      ),
    );
  }
  for (const { file, english, translated } of translations)
    writeJson(file, {
      ...Object.fromEntries(
        Object.keys(english).flatMap((key) =>
          translated[key] === undefined ? [] : [[key, translated[key]]],
        ),
      ),
      ...translated,
    });
}

/** @param {string} file relative to the root @param {unknown} value */
function writeJson(file, value) {
  writeFileSync(fromRoot(file), `${JSON.stringify(value, undefined, 2)}\n`);
}
