/** Titles of results, whose name tells more than the folders before it. */

/** A folder with its slash; a slash between spaces separates words instead. */
const folders = /^(?:[^/]*[^/\s]\/(?=[^/\s]))+/;

/** Returns the folders at the start of a title, with their last slash. */
export function foldersOf(title: string): string {
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
