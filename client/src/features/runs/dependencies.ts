/** What runs need of the other features. */
import type * as vscode from 'vscode';
import type { Logger } from '../../../../core/src/util/logger.ts';
import type { StatementsResult } from '../../../../server/src/protocol.ts';
import type { Session } from '../../session/session.ts';
import type { ResultsFeature } from '../results/index.ts';
import type { RunDescription } from './prepared-run.ts';
import type { RunDependencies } from './run-controller.ts';

export interface RunsDependencies {
  readonly context: vscode.ExtensionContext;
  readonly log: Logger;
  readonly session: Session;
  readonly results: ResultsFeature;
  /** What the checks say of a document's statements; undefined when nobody answers. */
  readonly statements: (
    document: vscode.TextDocument,
    range?: vscode.Range,
  ) => Promise<StatementsResult | undefined>;
  readonly modelOf: (document: vscode.TextDocument) => string;
  readonly tablesOf: RunDependencies['tablesOf'];
  /** What the connection of a key is called, where that is known. */
  readonly connectionNameOf: (connectionKey: string) => string | undefined;
  readonly describe: (document: vscode.TextDocument) => RunDescription;
  readonly savedQueries: {
    /** Asks for one; undefined when the person left. */
    pick(title: string): Promise<vscode.Uri | undefined>;
    /** Where a saved query opens as a document; undefined for one that is not known. */
    uriOf(queryId: string): vscode.Uri | undefined;
  };
}
