/** Tree of the Models view: models, tables, columns. */
import * as vscode from 'vscode';
import { DisposableStore } from '#base/disposables.ts';
import { commands } from '#client/contributions.ts';
import type { Session } from '#client/session/session.ts';
import { failureRows } from '#client/ui/failure-rows.ts';
import { messageItem } from '#client/ui/message-node.ts';
import { parseFilter, type ModelsFilter } from '#core/models/models-filter.ts';
import type { CatalogueTable } from '#server/protocol.ts';
import {
  columnItem,
  idOf,
  modelItem,
  modelNode,
  tableItem,
  type ColumnNode,
  type ModelNode,
  type ModelsNode,
  type SchemaNode,
  type TableNode,
  type UseCount,
} from './model-nodes.ts';
import type { ModelsStore } from './models-store.ts';

export type SessionState = Pick<Session, 'state' | 'onDidChangeState' | 'away' | 'onDidChangeReach'>;

export class ModelsTree implements vscode.TreeDataProvider<ModelsNode>, vscode.Disposable {
  readonly #store: ModelsStore;
  readonly #session: SessionState;
  readonly #useCount: UseCount;
  readonly #disposables = new DisposableStore();
  readonly #onDidChangeTreeData = this.#disposables.add(new vscode.EventEmitter<ModelsNode | undefined>());
  /** Row objects of models by name, so that single rows can be redrawn. */
  readonly #models = new Map<string, ModelNode>();
  /** IDs of expanded rows, since the editor forgets them while a filter hides the rows. */
  readonly #opened = new Set<string>();
  #filter: ModelsFilter | undefined;

  readonly onDidChangeTreeData = this.#onDidChangeTreeData.event;

  constructor(store: ModelsStore, session: SessionState, useCount: UseCount) {
    this.#store = store;
    this.#session = session;
    this.#useCount = useCount;
    this.#disposables.add(session.onDidChangeState(() => this.redraw()));
    this.#disposables.add(
      store.onDidChange((model) => {
        // With a filter, new data may make another model visible, so redraw everything.
        const node = model === undefined || this.#filter !== undefined ? undefined : this.#models.get(model);
        this.#onDidChangeTreeData.fire(node);
      }),
    );
  }

  get filter(): string {
    return this.#filter?.text ?? '';
  }

  set filter(text: string) {
    this.#filter = parseFilter(text);
    this.redraw();
  }

  redraw(): void {
    this.#onDidChangeTreeData.fire(undefined);
  }

  getChildren(node?: ModelsNode): ModelsNode[] {
    // Only expanded rows request their children. Note it here: the expand event is lost if the view redraws now.
    if (node !== undefined) this.noteOpened(node, true);
    switch (node?.kind) {
      case undefined:
        return this.#roots();
      case 'model':
        return this.#tables(node.model);
      case 'table':
        return this.#columns(node);
      default:
        return [];
    }
  }

  getParent(node: ModelsNode): ModelsNode | undefined {
    switch (node.kind) {
      case 'column':
        return { kind: 'table', model: node.model, table: node.table };
      case 'table':
        return this.#models.get(node.model);
      default:
        return undefined;
    }
  }

  getTreeItem(node: ModelsNode): vscode.TreeItem {
    if (node.kind === 'message') return messageItem(node);
    const item = this.#itemOf(node);
    item.id = idOf(node);
    // A filter expands all matches; a different ID preserves the unfiltered expansion state.
    if (this.#filter !== undefined && node.kind !== 'column') {
      item.id = `filtered:${item.id}`;
      item.collapsibleState = vscode.TreeItemCollapsibleState.Expanded;
    } else if (this.#opened.has(item.id)) {
      item.collapsibleState = vscode.TreeItemCollapsibleState.Expanded;
    }
    return item;
  }

  /** Records that a row was expanded or collapsed. */
  noteOpened(node: ModelsNode, isOpen: boolean): void {
    if (node.kind === 'message' || this.#filter !== undefined) return;
    if (isOpen) this.#opened.add(idOf(node));
    else this.#opened.delete(idOf(node));
  }

  dispose(): void {
    this.#disposables.dispose();
  }

  #itemOf(node: SchemaNode): vscode.TreeItem {
    switch (node.kind) {
      case 'model':
        return modelItem(node);
      case 'table':
        return tableItem(node, this.#useCount(node));
      case 'column':
        return columnItem(node, this.#useCount(node));
      default:
        return node satisfies never;
    }
  }

  #roots(): ModelsNode[] {
    const { state } = this.#session;
    const remedies = state.kind === 'failed' ? failureRows(state.reason, state.actions) : [];
    const models = this.#store.models();
    if (models === undefined || (remedies.length > 0 && models.length === 0)) return remedies;
    const shown = models.filter((model) => this.#filter?.model(model) ?? true);
    this.#models.clear();
    for (const model of shown) this.#models.set(model.name, modelNode(model));
    if (models.length === 0)
      return [message('info', vscode.l10n.t('The service has no models that you can read.'))];
    if (shown.length > 0) return [...remedies, ...this.#models.values()];
    return [
      ...remedies,
      {
        ...message('search-stop', vscode.l10n.t('No name matches.')),
        command: { command: commands.modelsClearFilter, title: vscode.l10n.t('Clear Filter') },
      },
    ];
  }

  #tables(model: string): ModelsNode[] {
    const schema = this.#store.schemaOf(model);
    switch (schema?.kind) {
      case undefined:
        if (!this.#store.isConnected)
          return [message('info', vscode.l10n.t('Tables are read once you are connected.'))];
        void this.#store.ensure(model); // the store fires when it is done
        return [message('loading~spin', vscode.l10n.t('Loading...'))];
      case 'loading':
        return [message('loading~spin', vscode.l10n.t('Loading...'))];
      case 'failed':
        return [
          {
            ...message('warning', vscode.l10n.t('Tables could not be read: {0}', schema.reason)),
            command: { command: commands.modelsRefresh, title: vscode.l10n.t('Try Again') },
          },
        ];
      case 'assumed':
        return [
          {
            ...message('warning', vscode.l10n.t('From the specification, not from the service.')),
            tooltip: vscode.l10n.t('From the specification, not from the service: {0}', schema.reason),
            command: { command: commands.modelsRefresh, title: vscode.l10n.t('Try Again') },
          },
          ...this.#tableNodes(model, schema.tables),
        ];
      case 'loaded':
        return this.#tableNodes(model, schema.tables);
      default:
        return schema satisfies never;
    }
  }

  #tableNodes(model: string, tables: readonly CatalogueTable[]): ModelsNode[] {
    if (tables.length === 0)
      return [message('info', vscode.l10n.t('This model has no tables that you can read.'))];
    return tables
      .filter((table) => this.#filter?.table(model, table) ?? true)
      .map((table): TableNode => ({ kind: 'table', model, table }));
  }

  #columns({ model, table }: TableNode): ColumnNode[] {
    const columns = table.columns ?? [];
    const filter = this.#filter;
    const shown =
      filter === undefined ? columns : columns.filter((column) => filter.column(model, table, column));
    return shown.map((column) => ({
      kind: 'column',
      model,
      table,
      column,
    }));
  }
}

function message(icon: string, text: string): { kind: 'message'; icon: string; text: string } {
  return { kind: 'message', icon, text };
}
