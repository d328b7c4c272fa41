import type * as vscode from 'vscode';
import type { Logger } from '#base/logger.ts';
import type { Session } from '#client/session/session.ts';
import type { HomeOfQuery } from '#client/ui/home-of-query.ts';
import type { RememberedValue } from '#core/parameters/memory.ts';
import type { KnownQuery } from '#core/saved-queries/known-query.ts';
import type { LanguageFeature } from '../language/index.ts';
import type { KeptOutcomes } from './kept-outcomes.ts';

export interface ControlsDependencies {
  readonly context: Pick<vscode.ExtensionContext, 'workspaceState' | 'secrets'>;
  readonly log: Logger;
  readonly session: Session;
  readonly queries: {
    readonly onDidChange: vscode.Event<string | undefined>;
    withTexts(options?: {
      readonly signal?: AbortSignal | undefined;
    }): AsyncGenerator<{ readonly query: KnownQuery; readonly text: string | undefined }, void, undefined>;
  };
  readonly uriOf: (query: Pick<KnownQuery, 'query_id' | 'name'>) => vscode.Uri | undefined;
  /** Returns the workspace file that belongs to a saved query. */
  readonly fileOfQuery: (queryId: string) => vscode.Uri | undefined;
  /** Fires when a file's query assignment changes. */
  readonly onDidChangeFiles: vscode.Event<void>;
  readonly outcomes: KeptOutcomes;
  readonly homeOf: (uri: vscode.Uri) => HomeOfQuery | undefined;
  readonly statements: LanguageFeature['statements'];
  readonly modelOf: (document: vscode.TextDocument) => string;
  /** Runs a query like the Run command and shows its rows; asks for values only if the given ones are invalid. */
  readonly run: (
    document: vscode.TextDocument,
    options: { readonly values: Readonly<Record<string, RememberedValue>> },
  ) => Promise<unknown>;
}
