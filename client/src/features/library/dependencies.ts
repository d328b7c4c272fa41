import type * as vscode from 'vscode';
import type { CatalogueModel } from '../../../../server/src/protocol.ts';

export interface LibraryDependencies {
  readonly context: vscode.ExtensionContext;
  /** The connection's models with their known columns; undefined if unknown. */
  readonly models: () => readonly CatalogueModel[] | undefined;
  readonly wantModels: (models: Iterable<string>) => void;
  /** The same, but resolves once they are known or could not be read. Never rejects. */
  readonly ensureModels: (models: Iterable<string>) => Promise<void>;
  readonly onDidChangeModels: vscode.Event<unknown>;
  /** The Testing view, which is hidden without controls, then lists those in new files. */
  readonly findControls: () => Promise<void>;
}
