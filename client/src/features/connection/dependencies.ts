/** Dependencies of the connection feature. */
import type * as vscode from 'vscode';
import type { ConnectionNames } from '#client/session/connection-names.ts';
import type { FolderAnswers } from '#client/session/folder-answers.ts';
import type { ClientDependencies } from '#client/session/open-client.ts';
import type { Session } from '#client/session/session.ts';
import type { ConnectionProfile } from '#core/connections/connection-profile.ts';

export interface ConnectionDependencies extends ClientDependencies {
  readonly context: vscode.ExtensionContext;
  readonly session: Session;
  readonly names: ConnectionNames;
  readonly folderAnswers: FolderAnswers;
  readonly version: string;
  /** Returns the connection to the sandbox, if it is running. */
  readonly sandboxProfile: () => ConnectionProfile | undefined;
  /** Starts the sandbox or joins a running one. @throws ExpectedError */
  readonly startSandbox: () => Promise<ConnectionProfile>;
  /** The connections to services over own databases that run in this window. */
  readonly ownProfiles: () => readonly ConnectionProfile[];
  /** Asks for a database and starts a service over it; undefined if the user cancels. @throws ExpectedError */
  readonly connectOwn: () => Promise<ConnectionProfile | undefined>;
  /** Starts the service over a known database again; undefined if it is not known. @throws ExpectedError */
  readonly startOwn: (key: string) => Promise<ConnectionProfile | undefined>;
  /** Returns the number of a connection's open queries with unsaved changes. */
  readonly unsavedQueries: (connection: string) => number;
}
