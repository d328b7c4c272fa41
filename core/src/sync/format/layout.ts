/** File names in a folder of saved queries, for Git and packs (docs/guide/git.md). */

/** The query folder in a repository or pack. Query paths are relative to it, with slashes. */
export const queriesFolder = 'queries';
/** The index of the queries, with their names, models, descriptions and IDs. */
export const indexFile = 'saved-queries.json';
/** The models, so that `check` works without credentials. */
export const modelsFile = 'models.json';
export const attributesFile = '.gitattributes';
export const queryEnding = '.identity.sql';

/**
 * Stops Git from converting line endings, so that text is stored byte for byte and diffs remain textual. Otherwise, a
 * checkout with `core.autocrlf` would change every query.
 */
export const attributesText = [
  '# Texts of saved queries are kept byte for byte.',
  `*${queryEnding} -text diff whitespace=-blank-at-eol,-blank-at-eof,cr-at-eol`,
  `${indexFile} text eol=lf`,
  `${modelsFile} text eol=lf`,
  '',
].join('\n');

/** Returns whether a `.gitattributes` file already protects the line endings of queries, whatever else it contains. */
export function pinsLineEnds(text: string): boolean {
  return text
    .split(/\r?\n/)
    .some((line) => line.split(/\s+/)[0] === `*${queryEnding}` && /\s-text(?:\s|$)/.test(line));
}
