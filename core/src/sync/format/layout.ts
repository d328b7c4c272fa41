/** Names in a folder of saved queries, as Git and packs keep it (docs/guide/git.md). */

/** In a repository or pack. Paths of queries are relative to it, with slashes. */
export const queriesFolder = 'queries';
/** What the texts do not say: names, models, descriptions, ids. */
export const indexFile = 'saved-queries.json';
/** What models there are, for `check` without credentials. */
export const modelsFile = 'models.json';
export const attributesFile = '.gitattributes';
export const queryEnding = '.identity.sql';

/**
 * Keeps Git from converting line ends: texts are kept byte for byte, and a diff stays a diff of text. A checkout with
 * `core.autocrlf` would otherwise change every query that it writes.
 */
export const attributesText = [
  '# Texts of saved queries are kept byte for byte.',
  `*${queryEnding} -text diff whitespace=-blank-at-eol,-blank-at-eof,cr-at-eol`,
  `${indexFile} text eol=lf`,
  `${modelsFile} text eol=lf`,
  '',
].join('\n');

/** Whether a `.gitattributes` pins the line ends of queries; other lines of a person stay. */
export function pinsLineEnds(text: string): boolean {
  return text
    .split(/\r?\n/)
    .some((line) => line.split(/\s+/)[0] === `*${queryEnding}` && /\s-text(?:\s|$)/.test(line));
}
