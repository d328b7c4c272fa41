/** Paging shared by all list operations (specification, "Pagination and filters"). */
import { Type, type Static, type TSchema } from 'typebox';
import { limits } from './limits.ts';

/** Query parameters that every list accepts. */
export const ListParameters = Type.Object({
  pageSize: Type.Optional(
    Type.Integer({
      minimum: limits.pageSizeMin,
      maximum: limits.pageSizeMax,
      default: limits.pageSizeDefault,
      description: 'Maximum number of items per page.',
    }),
  ),
  pageToken: Type.Optional(
    Type.String({ description: 'The `nextPageToken` of the page before, passed back exactly as received.' }),
  ),
  applicationInstanceId: Type.Optional(
    Type.String({ format: 'uuid', description: 'Only records of this application instance.' }),
  ),
});
export type ListParameters = Static<typeof ListParameters>;

/**
 * Creates the list envelope. A page may be empty and still carry a `nextPageToken` while results are being prepared:
 * only a missing token ends the list.
 */
export function ListOf<Item extends TSchema>(item: Item) {
  return Type.Object({
    items: Type.Array(item),
    nextPageToken: Type.Optional(
      Type.String({ minLength: 1, description: 'Opaque; present while more pages remain.' }),
    ),
  });
}

/** Opaque: specified as a string, but other JSON values are sent back unchanged, too. */
export type PageToken = string | number | true | object;

/** One page of a list as the client returns it. */
export interface Page<Item> {
  readonly items: readonly Item[];
  readonly nextPageToken?: PageToken | undefined;
  /** The reason for each item that could not be read; absent if every item was read. */
  readonly leftOut?: readonly string[];
  /** Set if the service tells of more entries, but not how to ask for them. */
  readonly isPart?: true;
}
