/** The models feature's interface to saved queries, which the saved queries feature implements. */
import type * as vscode from 'vscode';

export interface QueryRecord {
  readonly query_id: string;
  readonly name: string;
  readonly model: string;
  readonly version: number;
  readonly description?: string | null;
}

export interface QuerySource {
  /** Fires with the ID of a changed query, or undefined if the list changed. */
  readonly onDidChange: vscode.Event<string | undefined>;
  get(queryId: string): QueryRecord | undefined;
  /** Returns the text of the known version without a request, or undefined if it is not stored. */
  textOf(queryId: string): string | undefined;
  /** Reads the newest record with its text from the service. @throws ApiError, ContractError, UserAbort */
  read(queryId: string, signal?: AbortSignal): Promise<QueryRecord & { readonly query_string: string }>;
  /** Returns the queries listed so far. */
  list(): readonly QueryRecord[];
  /** Yields every query with its text; undefined if the text is unknown. @throws ApiError, ContractError, UserAbort */
  withTexts(options?: {
    readonly signal?: AbortSignal | undefined;
    readonly maxReads?: number;
  }): AsyncIterable<{ readonly query: QueryRecord; readonly text: string | undefined }>;
}
