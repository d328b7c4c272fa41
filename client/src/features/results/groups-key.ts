/** The keys of the groups of a result. */
import type { Result } from './result.ts';

/** Returns the start of these keys; the rest says how the rows are grouped. */
export function groupsKeyOf({ id }: Pick<Result, 'id'>): string {
  return `groups:${id}:`;
}
