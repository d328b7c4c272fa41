/** The state that both sides share after a pull. Pure. */
import type { AgreedQueries } from './agreed-store.ts';
import type { Comparison } from './compare.ts';
import type { Agreed, QueryThere } from './plan/pair.ts';

/** The values shared from now on, or already. */
/** @param added new files, by ID. */
export function agreedAfterPull(
  { plan, agreed, pairs, filesBefore }: Pick<Comparison, 'plan' | 'agreed' | 'pairs' | 'filesBefore'>,
  added: ReadonlyMap<string, string>,
): AgreedQueries {
  const next = new Map<string, Agreed>();
  const keep = (there: Agreed) => next.set(there.id, there);
  /** Until it is committed, the text of a new file remains its base. */
  const settle = (there: QueryThere) => {
    const before = agreed.get(there.id);
    const isStill = JSON.stringify(before?.draft) === JSON.stringify(there.draft);
    const file = added.get(there.id);
    // A path with history says nothing about the origin of the next file there.
    const isNew = file !== undefined && !filesBefore.has(file);
    const newFile = isNew ? file : isStill && file === undefined ? before?.newFile : undefined;
    keep(newFile === undefined ? there : { ...there, newFile });
  };
  for (const { there } of plan.same) settle(there);
  for (const item of plan.items) {
    if (!('there' in item) || item.there === undefined) continue;
    const isSettled = ['linked', 'changedThere', 'newThere', 'merge', 'update'].includes(item.kind);
    const before = agreed.get(item.there.id);
    if (isSettled) settle(item.there);
    else if (before !== undefined) keep(before);
  }
  for (const { goneId } of pairs.onlyHere) {
    const before = goneId === undefined ? undefined : agreed.get(goneId);
    if (before !== undefined) keep(before);
  }
  return next;
}
