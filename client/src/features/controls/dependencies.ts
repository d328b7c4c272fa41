import type * as vscode from 'vscode';
import type { KnownQuery } from '../../../../core/src/saved-queries/known-query.ts';
import type { Logger } from '../../../../core/src/util/logger.ts';
import type { StatementsResult } from '../../../../server/src/protocol.ts';
import type { Session } from '../../session/session.ts';

export interface ControlsDependencies {
  readonly context: Pick<vscode.ExtensionContext, 'workspaceState'>;
  readonly log: Logger;
  readonly session: Session;
  readonly queries: {
    readonly onDidChange: vscode.Event<string | undefined>;
    withTexts(options?: {
      readonly signal?: AbortSignal | undefined;
    }): AsyncGenerator<{ readonly query: KnownQuery; readonly text: string | undefined }, void, undefined>;
  };
  readonly uriOf: (query: Pick<KnownQuery, 'query_id' | 'name'>) => vscode.Uri | undefined;
  readonly statements: (document: vscode.TextDocument) => Promise<StatementsResult | undefined>;
  readonly modelOf: (document: vscode.TextDocument) => string;
  /** Runs a query as Run does, and shows its rows. */
  readonly run: (document: vscode.TextDocument) => Promise<unknown>;
}
