/** The commands for models, tables and columns. */
import * as vscode from 'vscode';
import { commands, views } from '#client/contributions.ts';
import { anything, either, given, instanceOf, isLostRow, listOf, optional } from '#client/ui/arguments.ts';
import { chooseCommand } from '#client/ui/choose-command.ts';
import { namingFailure } from '#client/ui/naming-failure.ts';
import { argumentsOf, presentFailure, type RegisterCommand } from '#client/ui/register-command.ts';
import { withProgress } from '#client/ui/shown/progress.ts';
import type { CatalogueModel } from '#server/protocol.ts';
import { selectOf } from './commands/copy-as-select.ts';
import { insertNames, listOfNames, nameIn, qualifiedName } from './commands/names.ts';
import { showUses } from './commands/show-uses.ts';
import { openQueryOf, previewDocument } from './commands/table-queries.ts';
import type { ModelsDependencies } from './dependencies.ts';
import { askFilter } from './filter-models.ts';
import { nodeOf, nodesOf, schemaNode, tableOf } from './model-nodes.ts';
import type { ModelsStore } from './models-store.ts';
import type { ModelsView } from './models-view.ts';
import type { Uses } from './uses.ts';

/** The return value of `_identityQueries.models.current`. */
export interface ModelsState {
  readonly connection: string | undefined;
  readonly models: readonly CatalogueModel[] | undefined;
  readonly readAt: number | undefined;
  readonly filter: string;
  /** The text above the rows. */
  readonly message: string | undefined;
}

/** Parses the arguments of a row command: the row alone, or the row and the selection. */
const row = [given(schemaNode)] as const;
const rows = [given(schemaNode), given(listOf(anything))] as const;
/** Parses a row, or the editor in whose menu the command stands. */
const rowOrEditor = optional(either(instanceOf(vscode.Uri), schemaNode));

export class ModelCommands {
  readonly #deps: ModelsDependencies;
  readonly #store: ModelsStore;
  readonly #view: ModelsView;
  readonly #uses: Uses;

  constructor(
    deps: ModelsDependencies,
    own: { readonly store: ModelsStore; readonly view: ModelsView; readonly uses: Uses },
  ) {
    this.#deps = deps;
    this.#store = own.store;
    this.#view = own.view;
    this.#uses = own.uses;
  }

  register(on: RegisterCommand): void {
    on(commands.modelsRefresh, [], () => this.#refresh());
    on(commands.modelsCurrent, [], () => this.#state());
    on(commands.modelsSearch, [], () => this.#search());
    on(commands.modelsFilter, [], () => this.#filter());
    on(commands.modelsClearFilter, [], () => void (this.#view.filter = ''));
    on(commands.modelsInsertName, rows, (node, selection) =>
      insertNames(nodesOf(node, selection), this.#deps.modelOf),
    );
    on(commands.modelsCopy, rows, (node, selection) => {
      const name = { label: vscode.l10n.t('Name'), command: commands.modelsCopyName };
      const ofTable = [
        { label: vscode.l10n.t('Qualified Name'), command: commands.modelsCopyQualifiedName },
        { label: 'SELECT', command: commands.modelsCopyAsSelect },
      ];
      const choices = nodeOf(node).kind === 'model' ? [name] : [name, ...ofTable];
      return chooseCommand(vscode.l10n.t('Copy'), choices, [node, selection]);
    });
    on(commands.modelsCopyName, rows, (node, selection) =>
      copy(listOfNames(nodesOf(node, selection), (each) => nameIn(each, undefined))),
    );
    on(commands.modelsCopyQualifiedName, rows, (node, selection) =>
      copy(listOfNames(nodesOf(node, selection), qualifiedName)),
    );
    on(commands.modelsCopyAsSelect, rows, (node, selection) => copy(selectOf(nodesOf(node, selection))));
    on(commands.modelsNewQueryFromTable, row, (node) => openQueryOf(tableOf(node)));
    on(commands.modelsShowUses, (...args) => {
      const [place] = argumentsOf(commands.modelsShowUses, [rowOrEditor], args);
      const node = place instanceof vscode.Uri ? undefined : place;
      // The cursor is not what the menu of a row means.
      return showUses(isLostRow(args) ? nodeOf(node) : node, { uses: this.#uses, deps: this.#deps });
    });
  }

  registerPreview(on: RegisterCommand, run: (document: vscode.TextDocument) => Promise<unknown>): void {
    on(commands.modelsPreview, row, async (node) => {
      this.#deps.session.requireClient();
      await run(await previewDocument(tableOf(node), this.#store));
    });
  }

  async #refresh(): Promise<void> {
    await namingFailure(
      (reason) => vscode.l10n.t('The models could not be read: {0}', reason),
      () => withProgress({ location: { viewId: views.models } }, () => this.#store.refresh()),
    );
  }

  #state(): ModelsState {
    return {
      connection: this.#store.connection,
      models: this.#store.models(),
      readAt: this.#store.readAt(),
      filter: this.#view.filter,
      message: this.#view.message,
    };
  }

  async #search(): Promise<void> {
    if (this.#store.models() === undefined) this.#deps.session.requireClient();
    const { searchModels } = await import('./search-models.ts');
    await searchModels(this.#store, {
      reveal: (node) => this.#view.reveal(node),
      insert: (node) => insertNames([node], this.#deps.modelOf),
      failed: (error) => void presentFailure(this.#deps.log, commands.modelsSearch, error),
    });
  }

  async #filter(): Promise<void> {
    if (this.#view.filter.trim() !== '') {
      this.#view.filter = '';
      return;
    }
    await vscode.commands.executeCommand(`${views.models}.focus`);
    await askFilter(this.#view.filter, (text) => (this.#view.filter = text));
  }
}

function copy(text: string): Thenable<void> {
  return vscode.env.clipboard.writeText(text);
}
