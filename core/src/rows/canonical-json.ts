/** Canonical JSON, so that equal values have equal digests (docs/evidence.md). Numbers are lossless. */
import { writeDeepJson } from '#api/client/answers/deep-json.ts';
import { scalarText } from '#api/client/json.ts';

/**
 * Serializes without whitespace or undefined members, with members ordered by the UTF-16 code units of their names.
 * @param scalar returns the text of a scalar, and undefined for lists and objects.
 */
export function canonicalJson(value: unknown, scalar: typeof scalarText = scalarText): string {
  return writeDeepJson(value, {
    scalar,
    order: (members) => members.sort(([a], [b]) => (a < b ? -1 : a > b ? 1 : 0)),
  });
}
