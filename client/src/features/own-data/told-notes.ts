/** Keeps which notes about a login were shown, so that they are shown once. */
import { createHash } from 'node:crypto';
import type { KeyValueStore } from '#base/key-value-store.ts';

const storedUnder = 'identityQueries.ownDataNotes';

/** Returns whether these notes are to be shown for the database, and from then on counts them as shown. */
export async function tellOnce(
  store: KeyValueStore,
  key: string,
  notes: readonly string[],
): Promise<boolean> {
  const before = toldIn(store);
  const digest = createHash('sha256').update(JSON.stringify(notes)).digest('hex').slice(0, 16);
  if (notes.length === 0 || before[key] === digest) return false;
  await store.update(storedUnder, { ...before, [key]: digest });
  return true;
}

export async function forgetTold(store: KeyValueStore, key: string): Promise<void> {
  const { [key]: _, ...others } = toldIn(store);
  await store.update(storedUnder, others);
}

function toldIn(store: KeyValueStore): Readonly<Record<string, unknown>> {
  const told = store.get(storedUnder);
  return typeof told === 'object' && told !== null ? { ...told } : {};
}
