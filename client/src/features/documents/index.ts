/** The model of each query document: its directive, else its saved query's, else what was picked, else the default. */
import * as vscode from 'vscode';
import { languageId, type CatalogueModel } from '../../../../server/src/protocol.ts';
import { commands, settings, settingsSection } from '../../contributions.ts';
import type { Session } from '../../session/session.ts';
import { ExpectedError } from '../../../../core/src/util/failure.ts';
import { given, instanceOf, text } from '../../ui/arguments.ts';
import { registerCommand } from '../../ui/register-command.ts';
import { DisposableStore, type DisposableLike } from '../../../../core/src/util/disposables.ts';
import type { Logger } from '../../../../core/src/util/logger.ts';
import { showQuickPick } from '../../ui/shown/quick-picks.ts';
import { createStatusBarItem } from '../../ui/shown/status-items.ts';
import { carryPicks } from './carry-picks.ts';
import type { DocumentModels } from './document-models.ts';
import { modelDirectiveOf, modelDirectiveEdit } from './model-directive.ts';
import { registerModelLens } from './model-lens.ts';
import { errorName } from '../../../../core/src/util/errors.ts';

export { DocumentModels } from './document-models.ts';

export interface DocumentsDependencies {
  readonly log: Logger;
  readonly session: Session;
  readonly documentModels: DocumentModels;
  readonly onDidChangeRecords: vscode.Event<string | undefined>;
  /** The models that are known; undefined while none are. */
  readonly models: () => readonly CatalogueModel[] | undefined;
  /** Somebody writes a query for these models. */
  readonly want: (models: Iterable<string>) => void;
  readonly publish: (uri: vscode.Uri, model: string | undefined, connection: string | undefined) => void;
}

export function registerDocuments(deps: DocumentsDependencies): DisposableLike {
  const { log, session, documentModels } = deps;
  const { picks } = documentModels;
  const modelOf = (document: vscode.TextDocument) => documentModels.modelOf(document);
  const modelBeside = (uri: vscode.Uri) => documentModels.modelBeside(uri);
  const disposables = new DisposableStore();
  const changed = disposables.add(new vscode.EventEmitter<void>());
  const item = disposables.add(
    createStatusBarItem('identityQueries.model', vscode.StatusBarAlignment.Right, 100),
  );
  item.name = vscode.l10n.t('Model of the Query');
  item.command = commands.querySelectModel;

  const draw = () => {
    const document = vscode.window.activeTextEditor?.document;
    if (document?.languageId !== languageId) {
      item.hide();
      return;
    }
    const model = modelOf(document);
    item.text = `$(database) ${model}`;
    item.tooltip = vscode.l10n.t('Model of this query. Click to change it.');
    item.accessibilityInformation = { label: vscode.l10n.t('Model {0}', model), role: 'button' };
    item.show();
  };
  const want = (document: vscode.TextDocument) => {
    const text = document.getText();
    const named = (deps.models() ?? []).map(({ name }) => name).filter((name) => text.includes(name));
    deps.want([modelOf(document), ...named]);
  };
  const publish = (document: vscode.TextDocument) => {
    if (document.languageId !== languageId) return;
    deps.publish(document.uri, modelBeside(document.uri), documentModels.connectionOf(document.uri));
    want(document);
  };
  const publishAll = () => {
    for (const document of vscode.workspace.textDocuments) publish(document);
    draw();
    changed.fire();
  };
  publishAll();
  disposables.add(vscode.workspace.onDidOpenTextDocument(publish));
  disposables.add(vscode.window.onDidChangeActiveTextEditor(draw));
  disposables.add(deps.onDidChangeRecords(publishAll));
  let connection = documentModels.chosenConnection;
  disposables.add(
    session.onDidChangeState(() => {
      if (connection === documentModels.chosenConnection) return;
      connection = documentModels.chosenConnection;
      publishAll();
    }),
  );
  disposables.add(
    vscode.workspace.onDidChangeTextDocument(({ document }) => {
      if (document.languageId === languageId) want(document);
      if (document === vscode.window.activeTextEditor?.document) draw();
    }),
  );
  disposables.add(
    vscode.workspace.onDidChangeConfiguration((event) => {
      if (event.affectsConfiguration(`${settingsSection}.${settings.codeLensEnabled}`)) changed.fire();
    }),
  );
  disposables.add(registerModelLens(modelOf, changed.event));
  disposables.add(
    carryPicks({
      picks,
      modelBeside,
      changed: publishAll,
      failed: (error) => log.warn(`a picked model was not kept: ${errorName(error)}`),
    }),
  );

  disposables.add(
    registerCommand(
      log,
      commands.querySelectModel,
      [given(instanceOf(vscode.Uri)), given(text)],
      async (uri, wanted) => {
        const document = documentOf(uri);
        if (document === undefined) {
          throw new ExpectedError(vscode.l10n.t('Open the query whose model you want to choose.'), [
            { title: vscode.l10n.t('New Query'), command: commands.queryNew },
          ]);
        }
        const known = deps.models();
        if (known === undefined) session.requireClient();
        const current = modelOf(document);
        const chosen = wanted ?? (await pickModel(known ?? [], current));
        if (chosen === undefined || chosen === current) return;
        if (known?.some(({ name }) => name === chosen) === false) {
          throw new ExpectedError(
            vscode.l10n.t(
              'There is no model "{0}" here: {1}.',
              chosen,
              known.map(({ name }) => name).join(', '),
            ),
          );
        }
        const needsDirective =
          modelDirectiveOf(document.getText()) !== undefined || documentModels.isOfRecord(document.uri);
        if (needsDirective) await writeDirective(document, chosen);
        else await picks.set(document.uri.toString(), chosen);
        publishAll();
      },
    ),
  );

  return disposables;
}

async function pickModel(models: readonly CatalogueModel[], current: string): Promise<string | undefined> {
  const chosen = await showQuickPick(
    models.map((model) => ({
      label: model.name,
      ...(model.name === current ? { description: vscode.l10n.t('current') } : {}),
      detail: model.description ?? '',
    })),
    { title: vscode.l10n.t('Model of This Query') },
  );
  return chosen?.label;
}

/** The document that a lens names, else the active one; undefined where that is no query. */
function documentOf(address: vscode.Uri | undefined): vscode.TextDocument | undefined {
  const named =
    address && vscode.workspace.textDocuments.find(({ uri }) => uri.toString() === address.toString());
  const document = named ?? vscode.window.activeTextEditor?.document;
  return document?.languageId === languageId ? document : undefined;
}

async function writeDirective(document: vscode.TextDocument, model: string): Promise<void> {
  const { line, text, isNew } = modelDirectiveEdit(document.getText(), model);
  const edit = new vscode.WorkspaceEdit();
  if (isNew) edit.insert(document.uri, new vscode.Position(line, 0), text);
  else edit.replace(document.uri, document.lineAt(line).range, text);
  await vscode.workspace.applyEdit(edit);
}
