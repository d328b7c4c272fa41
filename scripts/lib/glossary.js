/**
 * Checks the words of translations against `l10n/glossary.json`: one word for one thing, in each language. `terms` has,
 * for an English term, what its translation must contain; `never` has words and characters that a translation must not
 * contain, with what to write; `exceptTerms` are English texts with words of SQL or no room. All patterns are regular expressions. Terms of VS Code are its own translations.
 */
import { readFileSync } from 'node:fs';
import { fromRoot } from './paths.js';

/**
 * @import { Catalogue } from './catalogues.js'
 * @typedef {Record<string, string>} Term the pattern of the English words and, by language, of their translation
 * @typedef {{ terms: Record<string, Term>, exceptTerms: string[], never: Record<string, Record<string, string>> }} Glossary
 */

/** @returns {Glossary} */
export function readGlossary() {
  return JSON.parse(readFileSync(fromRoot('l10n/glossary.json'), 'utf8'));
}

/**
 * @param {string} language
 * @param {Catalogue} english
 * @param {Catalogue} translated
 * @param {Glossary} glossary
 * @returns {string[]}
 */
export function wordProblemsOf(language, english, translated, { terms, exceptTerms, never }) {
  const wanted = Object.entries(terms).flatMap(([term, patterns]) => {
    const pattern = patterns[language];
    return pattern === undefined || patterns.english === undefined
      ? []
      : [
          {
            term,
            english: new RegExp(`\\b(?:${patterns.english})\\b`, 'i'),
            pattern: new RegExp(pattern, 'iu'),
          },
        ];
  });
  const unwanted = Object.entries(never[language] ?? {}).map(([pattern, say]) => ({
    pattern: new RegExp(pattern, 'u'),
    say,
  }));
  return Object.entries(translated).flatMap(([key, text]) => {
    const source = Object.hasOwn(english, key) ? english[key] : undefined;
    if (source === undefined) return [];
    const said = exceptTerms.includes(source) ? '' : wordsOf(source);
    const shown = text.replaceAll(code, '');
    return [
      ...wanted.flatMap(({ term, english: words, pattern }) =>
        words.test(said) && !pattern.test(text) ? [`"${term}" is not ${pattern.source}`] : [],
      ),
      ...unwanted.flatMap(({ pattern, say }) =>
        pattern.test(shown) ? [`${pattern.exec(shown)?.[0]}: write ${say}`] : [],
      ),
    ].map((problem) => `${problem}: ${JSON.stringify(key)}`);
  });
}

const code = /`[^`]*`|\]\([a-z]+:[^)]*\)|#[\w.]+#/g;
/** Names that stay as they are: quoted names of fields, directives, options, SQL and what stands in parentheses after it. */
const names =
  /"[a-zA-Z]+"|@\w+|--?[a-z][\w-]*|\b(?:pull|push) --\w+|\bFROM \w+|\b[A-Z_]{2,}\b|\bIdentity (?:Queries|and Access Data Services?)/g;

/** @param {string} text @returns {string} its words, without names that a translation keeps */
const wordsOf = (text) => text.replaceAll(code, '').replaceAll(names, '');
