import type * as vscode from 'vscode';
import type { CatalogueModel } from '../../../../server/src/protocol.ts';

export interface LibraryDependencies {
  readonly context: vscode.ExtensionContext;
  /** Models of the connection with what is known of their columns; undefined while nothing is. */
  readonly models: () => readonly CatalogueModel[] | undefined;
  readonly wantModels: (models: Iterable<string>) => void;
  readonly onDidChangeModels: vscode.Event<unknown>;
  /** The Testing view, which is hidden in a window without controls, lists those of new files when this is done. */
  readonly findControls: () => Promise<void>;
}
