/** Dependencies of runs. */
import type * as vscode from 'vscode';
import type { Logger } from '../../../../core/src/util/logger.ts';
import type { StatementsResult } from '../../../../server/src/protocol.ts';
import type { Session } from '../../session/session.ts';
import type { ResultsFeature } from '../results/index.ts';
import type { RunDescription } from './sending/prepared-run.ts';
import type { RunDependencies } from './run-controller.ts';

export interface RunsDependencies {
  readonly context: vscode.ExtensionContext;
  readonly log: Logger;
  readonly session: Session;
  readonly results: ResultsFeature;
  /** The checks' verdict on a document's statements; undefined without a response. */
  readonly statements: (
    document: vscode.TextDocument,
    range?: vscode.Range,
  ) => Promise<StatementsResult | undefined>;
  readonly modelOf: (document: vscode.TextDocument) => string;
  readonly tablesOf: RunDependencies['tablesOf'];
  /** Display name of a connection key, if known. */
  readonly connectionNameOf: (connectionKey: string) => string | undefined;
  readonly describe: (document: vscode.TextDocument) => RunDescription;
  readonly savedQueries: {
    /** Asks for one; undefined if the person cancelled. */
    pick(title: string): Promise<vscode.Uri | undefined>;
    /** The document of a saved query; undefined if unknown. */
    uriOf(queryId: string): vscode.Uri | undefined;
  };
}
