/** Canonical JSON, so that equal values have equal digests (docs/evidence.md). Numbers are lossless. */
import { writeDeepJson } from '../../../api/client/answers/deep-json.ts';
import { scalarText } from '../../../api/client/json.ts';

/**
 * Without white space, members ordered by UTF-16 code units of their names, undefined members omitted.
 * @param scalar the text of a scalar, undefined for lists and objects.
 */
export function canonicalJson(value: unknown, scalar: typeof scalarText = scalarText): string {
  return writeDeepJson(value, {
    scalar,
    order: (members) => members.sort(([a], [b]) => (a < b ? -1 : a > b ? 1 : 0)),
  });
}
