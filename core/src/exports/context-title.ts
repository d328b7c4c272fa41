/** Titles of data sets. Separate from export-contexts.ts, which loads schemas that are not needed at startup. */

/** Returns "Access inventory NHI v2" for `accessInventoryNhiV2`. */
export function contextTitle(context: string): string {
  const words = context
    .replaceAll(/([a-z])([A-Z])/g, '$1 $2')
    .split(' ')
    .map(
      (word, index) =>
        abbreviations.get(word.toLowerCase()) ?? (index === 0 ? capital(word) : word.toLowerCase()),
    );
  return words.join(' ').replace(/ ?v2$/i, ' v2');
}

const abbreviations: ReadonlyMap<string, string> = new Map([
  ['ilm', 'ILM'],
  ['nhi', 'NHI'],
  ['nhiv2', 'NHI v2'],
]);

function capital(word: string): string {
  return word.charAt(0).toUpperCase() + word.slice(1);
}
