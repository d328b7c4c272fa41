/** Checks user-visible strings against docs/glossary.md and plain-English rules. */
import { readFileSync } from 'node:fs';
import ts from 'typescript-api';
import { fromRoot } from './paths.js';
import { sourcesOf, textsOf, translatedFolders } from './texts.js';

/** @typedef {{ pattern: RegExp, say: string }} Rule */

/** @type {readonly Rule[]} */
export const rules = [
  { pattern: /…/, say: 'write three dots: "..."' },
  { pattern: /\b(?:some|any|no)body\b|\bwhoever\b/i, say: 'name the actor' },
  { pattern: /\b(?:log|logged|logging) ?(?:in|out)\b(?! a\b)/i, say: 'write "sign in" or "sign out"' },
  { pattern: /\bany ?more\b/i, say: 'write "no longer"' },
  { pattern: /\bcan not\b/i, say: 'write "cannot" or "can\'t"' },
  { pattern: /\bg(?:o|oes|oing|one) on\b/i, say: 'write "continue", "resume" or "retry"' },
  { pattern: /\bby (?:itself|themselves)\b/i, say: 'write "automatically"' },
  { pattern: /\b(?:canceled|canceling)\b/i, say: 'write "cancelled"' },
  { pattern: /\b(?:please|simply|obviously)\b/i, say: 'leave it out' },
  { pattern: /\bis there already\b/i, say: 'write "already exists"' },
  { pattern: /\b(?:one|a tab|an object) a (?:line|row|document|query|tab)\b/i, say: 'write "per"' },
  { pattern: /\bwhat became of\b/i, say: 'name the outcome' },
  { pattern: /\bproven to only read\b|\bproven that it only reads\b/i, say: 'write "proven read-only"' },
  { pattern: /\breplace (?:it|them|this) by\b/i, say: 'write "replace with"' },
  { pattern: /\bwindow of time\b/i, say: 'write "time window"' },
  { pattern: /\bgone on with\b|\bbegins? anew\b/i, say: 'write "resumed" or "starts again"' },
  {
    pattern:
      /\b(?:connection|table|folder|value set) \{\d+\}|\b(?:an?|no|the) (?:column|model|parameter|name|function) \{\d+\}/i,
    say: 'quote the name: "{0}"',
  },
];

/** Folders that contain visible sentences outside `t`. */
const english = ['server/src', 'cli/src'];

/** @param {string} text @returns {string[]} the text's problems */
export function problemsOf(text) {
  return rules.filter(({ pattern }) => pattern.test(text)).map(({ say }) => say);
}

/** @returns {Map<string, string>} each visible text with one of its locations */
export function shownTexts() {
  /** @type {Record<string, string>} */
  const manifest = JSON.parse(readFileSync(fromRoot('package.nls.json'), 'utf8'));
  const texts = new Map(Object.entries(manifest).map(([key, text]) => [text, `package.nls.json: ${key}`]));
  for (const folder of translatedFolders) for (const [text, place] of textsOf(folder)) texts.set(text, place);
  for (const folder of english)
    for (const file of sourcesOf(folder))
      for (const [text, place] of sentencesOf(file)) texts.set(text, place);
  return texts;
}

/**
 * Finds string literals that look like sentences: a capital letter, then several words.
 * @param {ts.SourceFile} file
 */
function sentencesOf(file) {
  /** @type {Map<string, string>} */
  const sentences = new Map();
  /** @param {ts.Node} node */
  const enter = (node) => {
    const text =
      ts.isStringLiteral(node) || ts.isNoSubstitutionTemplateLiteral(node) || ts.isTemplateHead(node)
        ? node.text
        : '';
    if (/^[A-Z][^\n]* [^\n]*[a-z]/.test(text) && !ts.isImportDeclaration(node.parent)) {
      const { line } = file.getLineAndCharacterOfPosition(node.getStart(file));
      sentences.set(text, `${file.fileName}:${line + 1}`);
    }
    ts.forEachChild(node, enter);
  };
  enter(file);
  return sentences;
}
