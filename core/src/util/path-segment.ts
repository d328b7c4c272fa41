/** Any text as one segment of a document's path, as readable as it can be: people see it in tabs and breadcrumbs. */
import { hiddenIn } from '../shown-text/hidden-characters.ts';

/** And what means something in messages of the editor, which quote paths: the middle of a link. */
const meansSomething = /[%/\\\p{Cc}]|(?<=\])\(/gu;

/** `decodeURIComponent` gives the text back. */
export function pathSegment(text: string): string {
  // Segments of dots would be walked up.
  if (text === '.' || text === '..') return text.replaceAll('.', '%2E');
  // The editor writes what looks like the letter of a drive in lower case.
  if (/^[A-Za-z]:/.test(text)) return `${text.slice(0, 1)}%3A${pathSegment(text.slice(2))}`;
  const written = text.replaceAll(meansSomething, percentOf);
  return [...hiddenIn(written)].reduceRight(
    (path, { character, offset }) =>
      path.slice(0, offset) + percentOf(character) + path.slice(offset + character.length),
    written,
  );
}

function percentOf(character: string): string {
  if (character === '(') return '%28';
  // Half a character cannot be written in an address.
  return character.isWellFormed() ? encodeURIComponent(character) : character;
}
