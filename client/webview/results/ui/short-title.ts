/** Titles of results, whose name tells more than the folders before it. */

/** A folder with its slash; a slash between spaces separates words instead. */
const folders = /^(?:[^/]*[^/\s]\/(?=[^/\s]))+/;

/** Returns the folders at the start of a title, with their last slash. */
function foldersOf(title: string): string {
  return folders.exec(title)?.[0] ?? '';
}

/**
 * Returns a title without its folders, also on both sides of the arrow of a comparison. `folder` is empty if the sides
 * are in different folders.
 */
export function nameAndFolder(title: string): { readonly name: string; readonly folder: string } {
  const arrow = ' → ';
  const sides = title.split(arrow).map((side) => ({ side, folder: foldersOf(side) }));
  const [first] = sides;
  const isSame = sides.every(({ folder }) => folder === first?.folder);
  return {
    name: sides.map(({ side, folder }) => side.slice(folder.length)).join(arrow),
    folder: isSame ? (first?.folder.slice(0, -1) ?? '') : '',
  };
}

export interface TitleParts {
  readonly before: string;
  /** The name without its folders. */
  readonly name: string;
  readonly after: string;
  readonly folder: string;
}

/** Splits a title around the name of the rows that it summarizes. The name is all of any other title. */
export function titleParts(title: string, summarized: string | undefined): TitleParts {
  const at = summarized === undefined ? -1 : title.indexOf(summarized);
  if (summarized === undefined || at < 0) return { before: '', ...nameAndFolder(title), after: '' };
  return {
    before: title.slice(0, at),
    ...nameAndFolder(summarized),
    after: title.slice(at + summarized.length),
  };
}

/**
 * Returns what two different titles share at their start: the whole name if only the versions differ, otherwise the
 * folders. Names are never cut.
 */
export function sharedStart(one: string, other: string): string {
  if (one === other) return '';
  const nameOf = (title: string) => /^.* (?=v\d+(?: |$))/.exec(title)?.[0] ?? `${title} `;
  const name = nameOf(one);
  if (name === nameOf(other)) return one.startsWith(name) ? name : '';
  const folders = foldersOf(one);
  return folders === foldersOf(other) ? folders : '';
}
