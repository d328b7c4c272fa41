/** The model of each query document: its directive, else its saved query's, else what was picked, else the default. */
import * as vscode from 'vscode';
import { defaultModel } from '../../../../api/contract/limits.ts';
import type { SavedQuery } from '../../../../api/contract/saved-queries.ts';
import { languageId } from '../../../../server/src/protocol.ts';
import { commands } from '../../contributions.ts';
import type { Session } from '../../session/session.ts';
import { registerCommand } from '../../ui/register-command.ts';
import { DisposableStore, type DisposableLike } from '../../util/disposables.ts';
import type { Logger } from '../../util/logger.ts';
import { modelDirectiveOf, withModelDirective } from './model-directive.ts';

export interface DocumentsDependencies {
  readonly context: vscode.ExtensionContext;
  readonly log: Logger;
  readonly session: Session;
  readonly recordOf: (uri: vscode.Uri) => Pick<SavedQuery, 'model'> | undefined;
  readonly onDidChangeRecords: vscode.Event<string | undefined>;
  readonly publish: (uri: vscode.Uri, model: string | undefined) => void;
}

const pickedKey = 'identityQueries.pickedModels';
/** Documents whose picked model is remembered. */
const keptPicks = 200;

export interface DocumentsFeature extends DisposableLike {
  readonly modelOf: (document: vscode.TextDocument) => string;
}

export function registerDocuments(deps: DocumentsDependencies): DocumentsFeature {
  const { context, log, session } = deps;
  const disposables = new DisposableStore();
  const item = disposables.add(
    vscode.window.createStatusBarItem('identityQueries.model', vscode.StatusBarAlignment.Right, 100),
  );
  item.name = vscode.l10n.t('Model of the Query');
  item.command = commands.querySelectModel;

  const picks = (): Record<string, string> => context.workspaceState.get(pickedKey, {});
  const modelBeside = (uri: vscode.Uri) => deps.recordOf(uri)?.model ?? picks()[uri.toString()];
  const modelOf = (document: vscode.TextDocument) =>
    modelDirectiveOf(document.getText()) ?? modelBeside(document.uri) ?? defaultModel;

  const draw = () => {
    const document = vscode.window.activeTextEditor?.document;
    if (document?.languageId !== languageId) {
      item.hide();
      return;
    }
    item.text = `$(database) ${modelOf(document)}`;
    item.tooltip = vscode.l10n.t('The model that this query is for. Click to change it.');
    item.show();
  };
  const publish = (document: vscode.TextDocument) => {
    if (document.languageId === languageId) deps.publish(document.uri, modelBeside(document.uri));
  };
  const publishAll = () => {
    for (const document of vscode.workspace.textDocuments) publish(document);
    draw();
  };
  publishAll();
  disposables.add(vscode.workspace.onDidOpenTextDocument(publish));
  disposables.add(vscode.window.onDidChangeActiveTextEditor(draw));
  disposables.add(deps.onDidChangeRecords(publishAll));
  disposables.add(
    vscode.workspace.onDidChangeTextDocument((event) => {
      if (event.document === vscode.window.activeTextEditor?.document) draw();
    }),
  );

  disposables.add(
    registerCommand(log, commands.querySelectModel, async () => {
      const editor = vscode.window.activeTextEditor;
      session.requireClient();
      if (editor?.document.languageId !== languageId || session.state.kind !== 'connected') return;
      const { document } = editor;
      const current = modelOf(document);
      const chosen = await vscode.window.showQuickPick(
        session.state.models.map((model) => ({
          label: model.name,
          ...(model.name === current ? { description: vscode.l10n.t('current') } : {}),
          detail: model.description,
        })),
        { title: vscode.l10n.t('Model of this query') },
      );
      if (chosen === undefined || chosen.label === current) return;
      const needsDirective =
        modelDirectiveOf(document.getText()) !== undefined || deps.recordOf(document.uri) !== undefined;
      if (needsDirective) await writeDirective(document, chosen.label);
      else await remember(context.workspaceState, document.uri, chosen.label);
      publishAll();
    }),
  );

  return { modelOf, dispose: () => disposables.dispose() };

  async function remember(state: vscode.Memento, uri: vscode.Uri, model: string): Promise<void> {
    const entries = Object.entries({ ...picks(), [uri.toString()]: model });
    await state.update(pickedKey, Object.fromEntries(entries.slice(-keptPicks)));
  }
}

async function writeDirective(document: vscode.TextDocument, model: string): Promise<void> {
  const edit = new vscode.WorkspaceEdit();
  const all = new vscode.Range(0, 0, document.lineCount, 0);
  edit.replace(document.uri, all, withModelDirective(document.getText(), model));
  await vscode.workspace.applyEdit(edit);
}
