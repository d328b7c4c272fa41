/** What most features are given. */
import type * as vscode from 'vscode';
import type { Logger } from '#base/logger.ts';
import type { Session } from './session.ts';

export interface FeatureDependencies {
  readonly context: vscode.ExtensionContext;
  readonly log: Logger;
  readonly session: Session;
}
