/**
 * The model of each query document, from the first of: its directive, its saved query, the user's choice, the default.
 */
import * as vscode from 'vscode';
import { DisposableStore, type DisposableLike } from '#base/disposables.ts';
import { errorName } from '#base/errors.ts';
import type { Logger } from '#base/logger.ts';
import { commands } from '#client/contributions.ts';
import type { Session } from '#client/session/session.ts';
import { given, instanceOf, text } from '#client/ui/arguments.ts';
import type { HomeOfQuery } from '#client/ui/home-of-query.ts';
import { registerCommand } from '#client/ui/register-command.ts';
import { showQuickPick } from '#client/ui/shown/quick-picks.ts';
import { ExpectedError } from '#core/failures/failure.ts';
import { languageId, type CatalogueModel } from '#server/protocol.ts';
import { carryPicks } from './carry-picks.ts';
import type { DocumentModels } from './document-models.ts';
import { HomeItem } from './home-item.ts';
import { modelDirectiveOf, modelDirectiveEdit } from './model-directive.ts';
import { ModelItem } from './model-item.ts';
import { registerModelLens } from './model-lens.ts';

export { DocumentModels } from './document-models.ts';

export interface DocumentsDependencies {
  readonly log: Logger;
  readonly session: Session;
  readonly documentModels: DocumentModels;
  readonly onDidChangeRecords: vscode.Event<string | undefined>;
  /** Returns the known models, or undefined if none are known. */
  readonly models: () => readonly CatalogueModel[] | undefined;
  /** Signals that the user is writing a query for these models. */
  readonly want: (models: Iterable<string>) => void;
  readonly homeOf: (uri: vscode.Uri) => HomeOfQuery | undefined;
  readonly publish: (uri: vscode.Uri, model: string | undefined, connection: string | undefined) => void;
}

export function registerDocuments(deps: DocumentsDependencies): DisposableLike {
  const feature = new Documents(deps);
  feature.start();
  return feature;
}

/** Sends each query's model to the server, and lets the user change it. */
class Documents implements DisposableLike {
  readonly #deps: DocumentsDependencies;
  readonly #disposables = new DisposableStore();
  readonly #onDidChange = this.#disposables.add(new vscode.EventEmitter<void>());
  readonly #item: ModelItem;
  readonly #homeItem: HomeItem;
  /** The connection whose models were last sent for drafts. */
  #connection: string | undefined;

  constructor(deps: DocumentsDependencies) {
    this.#deps = deps;
    this.#connection = deps.documentModels.chosenConnection;
    this.#item = this.#disposables.add(new ModelItem(deps.documentModels));
    this.#homeItem = this.#disposables.add(new HomeItem(deps));
  }

  start(): void {
    const { log, documentModels } = this.#deps;
    this.#publishAll();
    this.#listen();
    this.#disposables.add(
      registerModelLens(
        (document) => documentModels.modelOf(document),
        ({ uri }) => this.#deps.homeOf(uri),
        this.#onDidChange.event,
      ),
    );
    this.#disposables.add(
      carryPicks({
        picks: documentModels.picks,
        modelBeside: (uri) => documentModels.modelBeside(uri),
        changed: () => this.#publishAll(),
        failed: (error) => log.warn(`a picked model was not kept: ${errorName(error)}`),
      }),
    );
    this.#disposables.add(
      registerCommand(
        log,
        commands.querySelectModel,
        [given(instanceOf(vscode.Uri)), given(text)],
        (uri, wanted) => this.#selectModel(uri, wanted),
      ),
    );
  }

  dispose(): void {
    this.#disposables.dispose();
  }

  #listen(): void {
    const { session, onDidChangeRecords } = this.#deps;
    const { workspace, window } = vscode;
    for (const listening of [
      workspace.onDidOpenTextDocument((document) => this.#publish(document)),
      window.onDidChangeActiveTextEditor(() => this.#draw()),
      onDidChangeRecords(() => this.#publishAll()),
      session.onDidChangeState(() => this.#connectionChanged()),
      workspace.onDidChangeTextDocument(({ document }) => this.#textChanged(document)),
    ])
      this.#disposables.add(listening);
  }

  #draw(): void {
    this.#item.draw();
    this.#homeItem.draw();
  }

  #connectionChanged(): void {
    this.#homeItem.draw();
    this.#onDidChange.fire();
    const { chosenConnection } = this.#deps.documentModels;
    if (this.#connection === chosenConnection) return;
    this.#connection = chosenConnection;
    this.#publishAll();
  }

  #textChanged(document: vscode.TextDocument): void {
    if (document.languageId === languageId) this.#want(document);
    if (document === vscode.window.activeTextEditor?.document) this.#item.draw();
  }

  #publishAll(): void {
    for (const document of vscode.workspace.textDocuments) this.#publish(document);
    this.#draw();
    this.#onDidChange.fire();
  }

  #publish(document: vscode.TextDocument): void {
    const { documentModels, publish } = this.#deps;
    const { uri } = document;
    if (document.languageId !== languageId) return;
    publish(uri, documentModels.modelBeside(uri), documentModels.connectionOf(uri));
    this.#want(document);
  }

  /** Requests schemas for a document's models: its own and any it names. */
  #want(document: vscode.TextDocument): void {
    const { models, want, documentModels } = this.#deps;
    const text = document.getText();
    const named = (models() ?? []).map(({ name }) => name).filter((name) => text.includes(name));
    want([documentModels.modelOf(document), ...named]);
  }

  async #selectModel(uri: vscode.Uri | undefined, wanted: string | undefined): Promise<void> {
    const { session, documentModels, models } = this.#deps;
    const document = documentOf(uri);
    if (document === undefined) {
      throw new ExpectedError(vscode.l10n.t('Open the query whose model you want to choose.'), [
        { title: vscode.l10n.t('New Query'), command: commands.queryNew },
      ]);
    }
    const known = models();
    if (known === undefined) session.requireClient();
    const current = documentModels.modelOf(document);
    const chosen = wanted ?? (await pickModel(known ?? [], current));
    if (chosen === undefined || chosen === current) return;
    if (known?.some(({ name }) => name === chosen) === false) {
      const names = known.map(({ name }) => name).join(', ');
      throw new ExpectedError(vscode.l10n.t('There is no model "{0}" here: {1}.', chosen, names));
    }
    const needsDirective =
      modelDirectiveOf(document.getText()) !== undefined || documentModels.isOfRecord(document.uri);
    if (needsDirective) await writeDirective(document, chosen);
    else await documentModels.picks.set(document.uri.toString(), chosen);
    this.#publishAll();
  }
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

/** Returns the document named by a code lens, or the active one by default; undefined if it is not a query. */
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
