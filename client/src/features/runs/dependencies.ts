/** Dependencies of the runs feature. */
import type * as vscode from 'vscode';
import type { ServiceClient } from '#api/client/client.ts';
import type { FeatureDependencies } from '#client/session/feature-dependencies.ts';
import type { ConnectionProfile } from '#core/connections/connection-profile.ts';
import type { LanguageFeature } from '../language/index.ts';
import type { ResultsFeature } from '../results/index.ts';
import type { RunDependencies } from './run-controller.ts';
import type { RunDescription } from './sending/prepared-run.ts';

export interface RunsDependencies extends FeatureDependencies {
  readonly results: ResultsFeature;
  readonly statements: LanguageFeature['statements'];
  readonly modelOf: (document: vscode.TextDocument) => string;
  readonly tablesOf: RunDependencies['tablesOf'];
  readonly missedName: RunDependencies['missedName'];
  /** Returns the display name of a connection key, if known. */
  readonly connectionNameOf: (connectionKey: string) => string | undefined;
  /** The connections of the settings. */
  readonly connections: () => readonly ConnectionProfile[];
  /** Opens another connection than the current one; the caller closes it. */
  readonly openClient: (profile: ConnectionProfile) => Promise<ServiceClient>;
  readonly describe: (document: vscode.TextDocument) => RunDescription;
  readonly homeOf: RunDependencies['homeOf'];
  readonly savedQueries: {
    /** Returns where a saved query of the current connection is now, and its name; undefined for other documents. */
    nowOf(uri: vscode.Uri): { readonly uri: vscode.Uri; readonly name: string } | undefined;
    /** Prompts for a saved query. Returns undefined if the user cancels. */
    pick(title: string): Promise<vscode.Uri | undefined>;
    /** Returns the URI of a saved query, or undefined if the query is unknown. */
    uriOf(queryId: string): vscode.Uri | undefined;
  };
}
