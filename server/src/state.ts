/** What the server knows besides the open documents: told by the client, never fetched. */
import type { CatalogueModel } from './protocol.ts';

export interface ServerState {
  /** The models of the current connection; undefined while unknown, and then no name is reported as wrong. */
  catalogue: readonly CatalogueModel[] | undefined;
  /** The model of a document where its text does not say, by URI. */
  readonly documentModels: Map<string, string>;
}

export function createState(): ServerState {
  return { catalogue: undefined, documentModels: new Map() };
}

/** The scheme of the client's file system of saved queries. */
const savedQueryScheme = 'identity-query:';

/** A saved query is one statement; any other document may hold several. */
export function isSavedQuery(uri: string): boolean {
  return uri.startsWith(savedQueryScheme);
}
