/** Determines the model of a query document, and the connection whose models apply. */
import type * as vscode from 'vscode';
import { defaultModel } from '#api/contract/limits.ts';
import type { SavedQuery } from '#api/contract/saved-queries.ts';
import type { Session } from '#client/session/session.ts';
import { modelDirectiveOf } from './model-directive.ts';
import { PickedModels } from './picked-models.ts';

export interface DocumentModelsDependencies {
  readonly context: Pick<vscode.ExtensionContext, 'workspaceState'>;
  readonly session: Session;
  readonly recordOf: (uri: vscode.Uri) => Pick<SavedQuery, 'model'> | undefined;
  /** Returns the connection of a saved query's document; undefined for other documents. */
  readonly connectionOf: (uri: vscode.Uri) => string | undefined;
  /** Returns the model that the service marks as that of queries that name none. */
  readonly markedModel: () => string | undefined;
}

export class DocumentModels {
  readonly #deps: DocumentModelsDependencies;
  readonly picks: PickedModels;

  constructor(deps: DocumentModelsDependencies) {
    this.#deps = deps;
    this.picks = new PickedModels(deps.context.workspaceState);
  }

  modelOf(document: vscode.TextDocument): string {
    return (
      modelDirectiveOf(document.getText()) ??
      this.modelBeside(document.uri) ??
      this.#deps.markedModel() ??
      defaultModel
    );
  }

  /** Returns the model assigned outside the text; undefined for a draft without a choice. */
  modelBeside(uri: vscode.Uri): string | undefined {
    return this.#deps.recordOf(uri)?.model ?? this.picks.get(uri.toString());
  }

  isOfRecord(uri: vscode.Uri): boolean {
    return this.#deps.recordOf(uri) !== undefined;
  }

  /** Returns the connection whose models apply to a document: its own if it has one, otherwise the current one. */
  connectionOf(uri: vscode.Uri): string | undefined {
    return this.#deps.connectionOf(uri) ?? this.chosenConnection;
  }

  get chosenConnection(): string | undefined {
    const { state } = this.#deps.session;
    return state.kind === 'disconnected' ? undefined : state.profile.name;
  }
}
