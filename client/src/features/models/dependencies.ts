/** Dependencies of the models feature. */
import type * as vscode from 'vscode';
import type { FeatureDependencies } from '#client/session/feature-dependencies.ts';
import type {
  CatalogueModel,
  CheckParams,
  CheckResult,
  ColumnName,
  ReferencesResult,
  TextParams,
} from '#server/protocol.ts';
import type { QuerySource } from './query-source.ts';

export interface ModelsDependencies extends FeatureDependencies {
  /** Returns the model of a document, as displayed. */
  readonly modelOf: (document: vscode.TextDocument) => string;
  readonly queries: QuerySource;
  /** Returns the URI of a saved query's document on the current connection. */
  readonly uriOf: (query: { readonly query_id: string; readonly name: string }) => vscode.Uri | undefined;
  /** Returns the connection whose models apply to a document. */
  readonly connectionOf: (uri: vscode.Uri) => string | undefined;
  readonly language: {
    references(text: TextParams): Promise<ReferencesResult>;
    columnsAt(document: vscode.TextDocument, position: vscode.Position): Promise<readonly ColumnName[]>;
    check(text: CheckParams): Promise<CheckResult>;
    reviewDiagnostics(
      review: (
        uri: vscode.Uri,
        diagnostics: readonly vscode.Diagnostic[],
        show: (diagnostics: readonly vscode.Diagnostic[]) => void,
      ) => void,
    ): void;
  };
  /** Called when a connection's models or columns change; `models` is undefined if nothing is known. */
  readonly publish: (connection: string, models: readonly CatalogueModel[] | undefined) => void;
}
