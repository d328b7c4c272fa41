/** The part of PostgreSQL's protocol needed to run queries, for any transport (PGlite in a worker, or a server). */

/** A message to PostgreSQL. `query` is a complete simple query. */
export type Step =
  | { readonly kind: 'query'; readonly text: string }
  | {
      readonly kind: 'parse';
      readonly name: string;
      readonly text: string;
      /** Type OIDs. 0 lets PostgreSQL decide. */
      readonly types: readonly number[];
    }
  | { readonly kind: 'describe'; readonly name: string }
  | { readonly kind: 'bind'; readonly statement: string; readonly values: readonly (string | null)[] }
  /** Fetches up to `rows` rows of the unnamed portal. */
  | { readonly kind: 'execute'; readonly rows: number }
  | { readonly kind: 'sync' };

/** PostgreSQL's messages, under the names that both libraries use. All others are ignored. */
export type BackendMessage =
  | {
      readonly name: 'rowDescription';
      readonly fields: readonly {
        readonly name: string;
        readonly dataTypeID: number;
        /** OID of the table, and number of its column, of which the field is; 0 for any other value. */
        readonly tableID: number;
        readonly columnID: number;
      }[];
    }
  | { readonly name: 'parameterDescription'; readonly dataTypeIDs: readonly number[] }
  | { readonly name: 'dataRow'; readonly fields: readonly (string | null)[] }
  | { readonly name: 'commandComplete'; readonly text: string }
  | { readonly name: 'portalSuspended' }
  | ErrorMessage;

export interface ErrorMessage {
  readonly name: 'error';
  readonly code: string | undefined;
  readonly message: string;
  readonly hint: string | undefined;
  readonly position: string | undefined;
}

export interface Wire {
  /** Sends the steps and returns PostgreSQL's messages up to "ready". Rejects if the connection is no longer usable. */
  exchange(...steps: readonly Step[]): Promise<readonly BackendMessage[]>;
  /** Like `exchange`, but passes each message on as it arrives. `take` must not throw. */
  stream(steps: readonly Step[], take: (message: BackendMessage) => void): Promise<void>;
}
