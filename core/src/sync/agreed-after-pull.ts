/** The state that both sides share after a pull. Pure. */
import type { AgreedQueries } from './agreed-store.ts';
import type { Comparison } from './compare.ts';
import { agreedOn, type Agreed } from './plan/pair.ts';

/** Returns the values that both sides share from now on. @param added new files by query ID. */
export function agreedAfterPull(
  {
    plan,
    agreed,
    pairs,
    filesBefore,
    hidden,
  }: Pick<Comparison, 'plan' | 'agreed' | 'pairs' | 'filesBefore' | 'hidden'>,
  added: ReadonlyMap<string, string>,
): AgreedQueries {
  const next = new Map<string, Agreed>();
  const keep = (there: Agreed) => next.set(there.id, there);
  /** Keeps `newFile` while the shared values are unchanged, so that they remain the base of the new file. */
  const settle = (shared: Agreed) => {
    const { here: _here, ...there } = shared;
    const before = agreed.get(there.id);
    const isStill = JSON.stringify(before?.draft) === JSON.stringify(there.draft);
    const file = added.get(there.id);
    // A path with history may have belonged to another query, so its file does not count as new.
    const isNew = file !== undefined && !filesBefore.has(file);
    const newFile = isNew ? file : isStill && file === undefined ? before?.newFile : undefined;
    const here = shared.here ?? (isStill && file === undefined ? before?.here : undefined);
    keep({
      ...there,
      ...(newFile === undefined ? {} : { newFile }),
      ...(here === undefined ? {} : { here }),
    });
  };
  for (const { here, there } of plan.same) settle(agreedOn(here.draft, there));
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
  for (const id of hidden) {
    const before = agreed.get(id);
    if (before !== undefined) keep(before);
  }
  return next;
}
