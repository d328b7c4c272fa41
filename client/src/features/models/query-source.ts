/** What this feature needs of saved queries; the feature that owns them fills it in. */
import type * as vscode from 'vscode';

export interface QueryRecord {
  readonly query_id: string;
  readonly name: string;
  readonly model: string;
  readonly version: number;
  readonly description?: string | null;
}

export interface QuerySource {
  /** Fires with the id of a query that changed, or undefined when the list did. */
  readonly onDidChange: vscode.Event<string | undefined>;
  get(queryId: string): QueryRecord | undefined;
  /** The text of the known version, without asking the service; undefined where it is not kept. */
  textOf(queryId: string): string | undefined;
  /** The newest record with its text, from the service. @throws ApiError, ContractError, UserAbort */
  read(queryId: string, signal?: AbortSignal): Promise<QueryRecord & { readonly query_string: string }>;
  /** How many there are, as far as they are listed. */
  list(): readonly QueryRecord[];
  /** Every query with its text; undefined texts are not known. @throws ApiError, ContractError, UserAbort */
  withTexts(options?: {
    readonly signal?: AbortSignal | undefined;
    readonly maxReads?: number;
  }): AsyncIterable<{ readonly query: QueryRecord; readonly text: string | undefined }>;
}
