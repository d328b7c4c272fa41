import type * as vscode from 'vscode';
import type { CatalogueModel } from '#server/protocol.ts';

export interface LibraryDependencies {
  readonly context: vscode.ExtensionContext;
  /** Returns the connection's models with their known columns, or undefined if unknown. */
  readonly models: () => readonly CatalogueModel[] | undefined;
  readonly wantModels: (models: Iterable<string>) => void;
  /** Requests the models, and resolves once they are known or could not be read. Never rejects. */
  readonly ensureModels: (models: Iterable<string>) => Promise<void>;
  readonly onDidChangeModels: vscode.Event<unknown>;
  /** Rescans for controls, so that the Testing view appears if needed and lists those in new files. */
  readonly findControls: () => Promise<void>;
}
