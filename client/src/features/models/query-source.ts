/** Interface to saved queries; their feature implements it. */
import type * as vscode from 'vscode';

export interface QueryRecord {
  readonly query_id: string;
  readonly name: string;
  readonly model: string;
  readonly version: number;
  readonly description?: string | null;
}

export interface QuerySource {
  /** Fires with the ID of a changed query, or undefined for the list. */
  readonly onDidChange: vscode.Event<string | undefined>;
  get(queryId: string): QueryRecord | undefined;
  /** The text of the known version, without a request; undefined if not kept. */
  textOf(queryId: string): string | undefined;
  /** The newest record with its text, from the service. @throws ApiError, ContractError, UserAbort */
  read(queryId: string, signal?: AbortSignal): Promise<QueryRecord & { readonly query_string: string }>;
  /** The queries listed so far. */
  list(): readonly QueryRecord[];
  /** Every query with its text; undefined texts are not known. @throws ApiError, ContractError, UserAbort */
  withTexts(options?: {
    readonly signal?: AbortSignal | undefined;
    readonly maxReads?: number;
  }): AsyncIterable<{ readonly query: QueryRecord; readonly text: string | undefined }>;
}
