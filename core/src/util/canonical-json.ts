/** JSON in one written form, so that the same value always has the same digest (docs/evidence.md). Lossless numbers. */
import { writeDeepJson } from '../../../api/client/answers/deep-json.ts';
import { scalarText } from '../../../api/client/json.ts';

/**
 * Without white space, members ordered by UTF-16 code units of their names; members without a value are left out.
 * @param scalar the text of what is neither a list nor an object, undefined for those.
 */
export function canonicalJson(value: unknown, scalar: typeof scalarText = scalarText): string {
  return writeDeepJson(value, {
    scalar,
    order: (members) => members.sort(([a], [b]) => (a < b ? -1 : a > b ? 1 : 0)),
  });
}
