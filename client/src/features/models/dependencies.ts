/** What models need of the other features. */
import type * as vscode from 'vscode';
import type { Logger } from '../../../../core/src/util/logger.ts';
import type {
  CatalogueModel,
  CheckParams,
  CheckResult,
  ReferencesResult,
  TextParams,
} from '../../../../server/src/protocol.ts';
import type { Session } from '../../session/session.ts';
import type { QuerySource } from './query-source.ts';

export interface ModelsDependencies {
  readonly context: vscode.ExtensionContext;
  readonly log: Logger;
  readonly session: Session;
  /** The model of a document, as the person sees it. */
  readonly modelOf: (document: vscode.TextDocument) => string;
  readonly queries: QuerySource;
  /** The document of a saved query on the chosen connection. */
  readonly uriOf: (query: { readonly query_id: string; readonly name: string }) => vscode.Uri | undefined;
  /** The connection whose models count for a document. */
  readonly connectionOf: (uri: vscode.Uri) => string | undefined;
  readonly language: {
    references(text: TextParams): Promise<ReferencesResult>;
    check(text: CheckParams): Promise<CheckResult>;
    reviewDiagnostics(
      review: (
        uri: vscode.Uri,
        diagnostics: readonly vscode.Diagnostic[],
        show: (diagnostics: readonly vscode.Diagnostic[]) => void,
      ) => void,
    ): void;
  };
  /** Told whenever models or columns of a connection change; undefined when nothing is known. */
  readonly publish: (connection: string, models: readonly CatalogueModel[] | undefined) => void;
}
