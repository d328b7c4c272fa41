/**
 * Encodes any text as one path segment of a document's URI, as readably as possible, since tabs and breadcrumbs show
 * it.
 */
import { hiddenIn } from '../shown-text/hidden-characters.ts';

/** Includes the middle of a Markdown link, since the editor's messages quote paths. */
const meansSomething = /[%/\\\p{Cc}]|(?<=\])\(/gu;

/** Encodes text so that `decodeURIComponent` restores it. */
export function pathSegment(text: string): string {
  // Dot segments would be resolved as relative paths.
  if (text === '.' || text === '..') return text.replaceAll('.', '%2E');
  // The editor converts drive letters to lower case.
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
  // An unpaired surrogate cannot be encoded in a URI.
  return character.isWellFormed() ? encodeURIComponent(character) : character;
}
