/** The names of temporary files, which are renamed once they are complete. */

/** Returns the suffix of a new temporary file. It identifies the writer (see `removeLeftOvers`). */
export function draftEnding(): string {
  // Not from `node:crypto`, which takes longer to load than the rest of a start's file work.
  return `${process.pid}.${crypto.randomUUID()}.tmp`;
}
