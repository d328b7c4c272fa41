/** Any text as one segment of a document's path, as readable as it can be: people see it in tabs and breadcrumbs. */

const meansSomethingInPaths = /[%/\\\p{Cc}]/gu;

/** `decodeURIComponent` gives the text back. */
export function pathSegment(text: string): string {
  // Segments of dots would be walked up.
  if (text === '.' || text === '..') return text.replaceAll('.', '%2E');
  // The editor writes what looks like the letter of a drive in lower case.
  if (/^[A-Za-z]:/.test(text)) return `${text.slice(0, 1)}%3A${pathSegment(text.slice(2))}`;
  return text.replaceAll(meansSomethingInPaths, encodeURIComponent);
}
