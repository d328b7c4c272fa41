/** Translation catalogs for the manifest (package.nls) and the code (l10n/bundle.l10n). */
import { existsSync, globSync, readFileSync } from 'node:fs';
import { readGlossary, wordProblemsOf } from './glossary.js';
import { madeFromFile, staleOf } from './made-from.js';
import { fromRoot } from './paths.js';
import { textsOf, translatedFolders } from './texts.js';

/**
 * @typedef {Record<string, string>} Catalogue texts by key. In code, the key is the English text itself.
 * @typedef {{ name: string, english: Catalogue, pattern: string }} CatalogueKind
 */

/** @returns {CatalogueKind[]} */
export function catalogueKinds() {
  return [
    { name: 'package.nls', english: readCatalogue('package.nls.json'), pattern: 'package.nls.*.json' },
    { name: 'bundle.l10n', english: textsInCode(), pattern: 'l10n/bundle.l10n.*.json' },
  ];
}

/** @returns {Catalogue} */
export function textsInCode() {
  const texts = translatedFolders.flatMap((folder) => [...textsOf(folder).keys()]).sort();
  return Object.fromEntries(texts.map((text) => [text, text]));
}

/**
 * @param {string} file relative to the root
 * @returns {Catalogue}
 */
export function readCatalogue(file) {
  return JSON.parse(readFileSync(fromRoot(file), 'utf8'));
}

/**
 * Finds the existing translations.
 * @param {string} pattern
 * @returns {{ language: string, file: string }[]}
 */
export function translationsOf(pattern) {
  return globSync(pattern, { cwd: fromRoot('.') })
    .map((file) => ({ language: /\.([a-zA-Z-]+)\.json$/.exec(file)?.[1] ?? '', file }))
    .sort((a, b) => a.language.localeCompare(b.language));
}

/**
 * Finds what a release must still translate or remove. Contributors write English: a missing text is shown in English.
 * @param {Catalogue} english
 * @param {Catalogue} translated
 * @returns {string[]}
 */
export function gapsOfCatalogue(english, translated) {
  const missing = Object.keys(english).filter((key) => !Object.hasOwn(translated, key));
  const stale = Object.keys(translated).filter((key) => !Object.hasOwn(english, key));
  return [
    ...missing.map((key) => `not translated: ${JSON.stringify(key)}`),
    ...stale.map((key) => `no longer used: ${JSON.stringify(key)}`),
  ];
}

/**
 * Finds what prevents a release: gaps, and translations whose English text has changed since.
 * @returns {string[]} one line per problem, with the file
 */
export function releaseGaps() {
  return allTranslations().flatMap(({ file, ...translation }) => [
    ...gapsOfCatalogue(translation.english, translation.translated).map((gap) => `${file}: ${gap}`),
    ...stalenessOf(translation).map(({ key, why }) => `${file}: ${why}: ${JSON.stringify(key)}`),
  ]);
}

/**
 * Finds the faults of all translations. A new or changed English text causes none: who writes English need not translate.
 * @returns {string[]} one line per problem, with the file
 */
export function translationProblems() {
  const glossary = readGlossary();
  return allTranslations().flatMap(({ file, ...translation }) => {
    const { language, english, translated } = translation;
    const stale = stalenessOf(translation);
    const old = new Set(stale.filter(({ why }) => why === 'English changed').map(({ key }) => key));
    const current = Object.fromEntries(Object.entries(translated).filter(([key]) => !old.has(key)));
    return [
      ...problemsOfCatalogue(english, translated),
      ...wordProblemsOf(language, english, current, glossary),
      ...stale.filter(({ key }) => !old.has(key)).map(({ key, why }) => `${why}: ${JSON.stringify(key)}`),
    ].map((problem) => `${file}: ${problem}`);
  });
}

/** Returns each catalogue in each language. */
export function allTranslations() {
  return catalogueKinds().flatMap(({ name, english, pattern }) =>
    translationsOf(pattern).map(({ language, file }) => ({
      kind: name,
      language,
      file,
      english,
      translated: readCatalogue(file),
    })),
  );
}

/**
 * @param {string} language
 * @returns {Record<string, import('./made-from.js').MadeFrom>} by the name of the catalogue
 */
export function readMadeFrom(language) {
  const file = madeFromFile(language);
  return existsSync(fromRoot(file)) ? JSON.parse(readFileSync(fromRoot(file), 'utf8')) : {};
}

/** @param {{ kind: string, language: string } & import('./made-from.js').Translation} translation */
const stalenessOf = (translation) =>
  staleOf(translation, readMadeFrom(translation.language)[translation.kind] ?? {});

/**
 * Finds the faults of a translation: lost parts that every translation must keep.
 * @param {Catalogue} english
 * @param {Catalogue} translated
 * @returns {string[]}
 */
export function problemsOfCatalogue(english, translated) {
  return Object.entries(translated).flatMap(([key, text]) => {
    const source = Object.hasOwn(english, key) ? english[key] : undefined;
    if (source === undefined) return [];
    return keptParts
      .filter(({ of }) => of(source).join(' ') !== of(text).join(' '))
      .map(({ name }) => `${name} differ: ${JSON.stringify(key)}`);
  });
}

/**
 * @param {RegExp} pattern
 * @returns {(text: string) => string[]} matches in sorted order, since word order differs between languages
 */
const all = (pattern) => (text) => [...text.matchAll(pattern)].map(([match]) => match).sort();

/** Parts that the program interprets. They must be the same in every language. */
const keptParts = [
  { name: 'placeholders', of: all(/\{\d+\}/g) },
  { name: 'quoted names', of: all(/`[^`\n]+`/g) },
  { name: 'links', of: all(/\]\([a-z]+:[^)\s]*\)/g) },
  { name: 'settings', of: all(/#[a-zA-Z.]+#/g) },
  { name: 'icons', of: all(/\$\([a-z-]+\)/g) },
  { name: 'outer spaces', of: all(/^\s|\s$/g) },
];
