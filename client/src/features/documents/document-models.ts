/** The model of a query document, and the connection whose models count for it. */
import type * as vscode from 'vscode';
import { defaultModel } from '../../../../api/contract/limits.ts';
import type { SavedQuery } from '../../../../api/contract/saved-queries.ts';
import type { Session } from '../../session/session.ts';
import { modelDirectiveOf } from './model-directive.ts';
import { PickedModels } from './picked-models.ts';

export interface DocumentModelsDependencies {
  readonly context: Pick<vscode.ExtensionContext, 'workspaceState'>;
  readonly session: Session;
  readonly recordOf: (uri: vscode.Uri) => Pick<SavedQuery, 'model'> | undefined;
  /** The connection that a saved query's document belongs to; undefined for other documents. */
  readonly connectionOf: (uri: vscode.Uri) => string | undefined;
}

export class DocumentModels {
  readonly #deps: DocumentModelsDependencies;
  readonly picks: PickedModels;

  constructor(deps: DocumentModelsDependencies) {
    this.#deps = deps;
    this.picks = new PickedModels(deps.context.workspaceState);
  }

  modelOf(document: vscode.TextDocument): string {
    return modelDirectiveOf(document.getText()) ?? this.modelBeside(document.uri) ?? defaultModel;
  }

  /** What is known of it beside its text; undefined for a draft of which nobody has said anything. */
  modelBeside(uri: vscode.Uri): string | undefined {
    return this.#deps.recordOf(uri)?.model ?? this.picks.get(uri.toString());
  }

  isOfRecord(uri: vscode.Uri): boolean {
    return this.#deps.recordOf(uri) !== undefined;
  }

  /** The connection whose models count for a document: its own, else the chosen one. */
  connectionOf(uri: vscode.Uri): string | undefined {
    return this.#deps.connectionOf(uri) ?? this.chosenConnection;
  }

  get chosenConnection(): string | undefined {
    const { state } = this.#deps.session;
    return state.kind === 'disconnected' ? undefined : state.profile.name;
  }
}
