import type * as vscode from 'vscode';
import type { CatalogueModel } from '../../../../server/src/protocol.ts';

export interface LibraryDependencies {
  readonly context: vscode.ExtensionContext;
  /** The connection's models with their known columns; undefined if unknown. */
  readonly models: () => readonly CatalogueModel[] | undefined;
  readonly wantModels: (models: Iterable<string>) => void;
  /** The same, and is done when they are known or could not be read. Never rejects. */
  readonly ensureModels: (models: Iterable<string>) => Promise<void>;
  readonly onDidChangeModels: vscode.Event<unknown>;
  /** The Testing view, hidden without controls, lists those of new files afterwards. */
  readonly findControls: () => Promise<void>;
}
