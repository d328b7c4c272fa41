/** File names in a folder of saved queries, for Git and packs (docs/guide/git.md). */

/** The query folder in a repository or pack. Query paths are relative to it, with slashes. */
export const queriesFolder = 'queries';
/** The index of a pack's queries, and of a folder that an earlier version pulled. */
export const indexFile = 'saved-queries.json';
/** The models, so that `check` works without credentials. */
export const modelsFile = 'models.json';
/** The names that the folder owns; without it, all of them. */
export const scopeFile = 'scope.json';
export const attributesFile = '.gitattributes';
/** How many folders may lie in one another; deeper ones are not read. */
export const foldersMax = 20;
export const queryEnding = '.identity.sql';
/** The ending of the file beside a query's text, with its name, model, description and IDs. */
export const metadataEnding = '.identity.json';

export function metadataFileOf(queryFile: string): string {
  return queryFile.slice(0, -queryEnding.length) + metadataEnding;
}

export function queryFileOf(metadataFile: string): string {
  return metadataFile.slice(0, -metadataEnding.length) + queryEnding;
}

/**
 * Stops Git from converting line endings, so that text is stored byte for byte and diffs remain textual. Otherwise, a
 * checkout with `core.autocrlf` would change every query.
 */
export const attributesText = [
  '# Texts of saved queries are kept byte for byte.',
  `*${queryEnding} -text diff whitespace=-blank-at-eol,-blank-at-eof,cr-at-eol`,
  `*${metadataEnding} text eol=lf`,
  `${modelsFile} text eol=lf`,
  '',
].join('\n');

/** Returns whether a `.gitattributes` file already protects the line endings of queries, whatever else it contains. */
export function pinsLineEnds(text: string): boolean {
  return text
    .split(/\r?\n/)
    .some((line) => line.split(/\s+/)[0] === `*${queryEnding}` && /\s-text(?:\s|$)/.test(line));
}
