/** PostgreSQL's protocol as far as a query needs it, apart from who carries it: PGlite in a worker, or a server. */

/** One message to PostgreSQL; `query` is a whole simple query of its own. */
export type Step =
  | { readonly kind: 'query'; readonly text: string }
  | {
      readonly kind: 'parse';
      readonly name: string;
      readonly text: string;
      /** OIDs, 0 for "you say". */
      readonly types: readonly number[];
    }
  | { readonly kind: 'describe'; readonly name: string }
  | { readonly kind: 'bind'; readonly statement: string; readonly values: readonly (string | null)[] }
  /** Up to `rows` rows of the unnamed portal. */
  | { readonly kind: 'execute'; readonly rows: number }
  | { readonly kind: 'sync' };

/** What PostgreSQL answers, by the names that both libraries give its messages; others are passed over. */
export type BackendMessage =
  | {
      readonly name: 'rowDescription';
      readonly fields: readonly { readonly name: string; readonly dataTypeID: number }[];
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
  /** Sends the steps and gives back what PostgreSQL answers up to "ready". Rejects when the connection is of no more use. */
  exchange(...steps: readonly Step[]): Promise<readonly BackendMessage[]>;
}
