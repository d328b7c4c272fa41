/** The keys of results that show a collection. */
import { collectionIds, type CollectionId } from '#api/contract/tables.ts';

/** @param field the field through which the records refer to another one. */
export function recordsKey(connectionKey: string, collection: CollectionId, field?: string): string {
  return ['records', connectionKey, collection, ...(field === undefined ? [] : [field])].join(':');
}

/** Returns the collection that a result shows, by the result's key; undefined for other results. */
export function collectionOfKey(key: string | undefined): CollectionId | undefined {
  const [start, , collection] = key?.split(':') ?? [];
  return start === 'records' ? collectionIds.find((one) => one === collection) : undefined;
}
