/** Dependencies of the feature for own databases. */
import type * as vscode from 'vscode';
import type { KeyValueStore } from '#base/key-value-store.ts';
import type { Logger } from '#base/logger.ts';
import type { SecretStore } from '#client/session/secrets.ts';
import type { Session } from '#client/session/session.ts';

export interface OwnDataDependencies {
  readonly context: vscode.ExtensionContext;
  readonly globalState: KeyValueStore;
  readonly log: Logger;
  readonly session: Session;
  readonly secrets: SecretStore;
}
