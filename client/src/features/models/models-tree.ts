/** The Models view: models, under them tables, under them columns. */
import * as vscode from 'vscode';
import type { CatalogueColumn, CatalogueTable } from '../../../../server/src/protocol.ts';
import { commands } from '../../contributions.ts';
import { messageItem, type MessageNode } from '../../ui/message-node.ts';
import { DisposableStore } from '../../util/disposables.ts';
import type { ModelsStore } from './models-store.ts';

export interface ModelNode {
  readonly kind: 'model';
  readonly model: string;
  readonly description: string;
}

export interface TableNode {
  readonly kind: 'table';
  readonly model: string;
  readonly table: CatalogueTable;
}

export interface ColumnNode {
  readonly kind: 'column';
  readonly model: string;
  readonly table: string;
  readonly column: CatalogueColumn;
}

export type ModelsNode = ModelNode | TableNode | ColumnNode | MessageNode;

export class ModelsTree implements vscode.TreeDataProvider<ModelsNode>, vscode.Disposable {
  readonly #store: ModelsStore;
  readonly #disposables = new DisposableStore();
  readonly #onDidChangeTreeData = this.#disposables.add(new vscode.EventEmitter<void>());

  readonly onDidChangeTreeData = this.#onDidChangeTreeData.event;

  constructor(store: ModelsStore) {
    this.#store = store;
    this.#disposables.add(store.onDidChange(() => this.#onDidChangeTreeData.fire()));
  }

  getChildren(node?: ModelsNode): ModelsNode[] {
    switch (node?.kind) {
      case undefined:
        return (this.#store.models() ?? []).map((model) => ({
          kind: 'model',
          model: model.name,
          description: model.description ?? '',
        }));
      case 'model':
        return this.#tables(node.model);
      case 'table':
        return (node.table.columns ?? []).map((column) => ({
          kind: 'column',
          model: node.model,
          table: node.table.name,
          column,
        }));
      default:
        return [];
    }
  }

  getTreeItem(node: ModelsNode): vscode.TreeItem {
    const { Collapsed, None } = vscode.TreeItemCollapsibleState;
    switch (node.kind) {
      case 'message':
        return messageItem(node);
      case 'model': {
        const item = new vscode.TreeItem(node.model, Collapsed);
        item.id = node.model;
        item.description = node.description;
        item.tooltip = node.description;
        item.accessibilityInformation = { label: `${node.model}, ${node.description}` };
        item.iconPath = new vscode.ThemeIcon('database');
        item.contextValue = 'model';
        return item;
      }
      case 'table': {
        const item = new vscode.TreeItem(node.table.name, Collapsed);
        item.id = `${node.model}.${node.table.name}`;
        const count = node.table.columns?.length ?? 0;
        item.description = count === 1 ? vscode.l10n.t('1 column') : vscode.l10n.t('{0} columns', count);
        item.iconPath = new vscode.ThemeIcon('table');
        item.contextValue = 'table';
        return item;
      }
      case 'column': {
        const item = new vscode.TreeItem(node.column.name, None);
        item.id = `${node.model}.${node.table}.${node.column.name}`;
        item.description = node.column.type;
        const nullable =
          node.column.nullable === false ? vscode.l10n.t('never NULL') : vscode.l10n.t('may be NULL');
        item.tooltip = `${node.table}.${node.column.name}\n${node.column.type}, ${nullable}`;
        item.accessibilityInformation = { label: `${node.column.name}, ${node.column.type}, ${nullable}` };
        item.iconPath = new vscode.ThemeIcon(iconOf(node.column.type));
        item.contextValue = 'column';
        return item;
      }
      default:
        return node satisfies never;
    }
  }

  dispose(): void {
    this.#disposables.dispose();
  }

  #tables(model: string): ModelsNode[] {
    const schema = this.#store.schemaOf(model);
    switch (schema?.kind) {
      case undefined:
      case 'loading':
        return [{ kind: 'message', icon: 'loading~spin', text: vscode.l10n.t('Loading...') }];
      case 'failed':
        return [
          {
            kind: 'message',
            icon: 'warning',
            text: vscode.l10n.t('Tables are not known: {0}', schema.reason),
            command: { command: commands.modelsRefresh, title: vscode.l10n.t('Try Again') },
          },
        ];
      case 'loaded':
        return schema.tables.length === 0
          ? [
              {
                kind: 'message',
                icon: 'info',
                text: vscode.l10n.t('This model has no tables that you may read.'),
              },
            ]
          : schema.tables.map((table) => ({ kind: 'table', model, table }));
      default:
        return schema satisfies never;
    }
  }
}

function iconOf(type: string): string {
  if (type.endsWith('[]')) return 'symbol-array';
  if (/^(json|jsonb)$/.test(type)) return 'json';
  if (/bool/.test(type)) return 'symbol-boolean';
  if (/^(timestamp|date|time)/.test(type)) return 'calendar';
  if (/int|numeric|double|real/.test(type)) return 'symbol-number';
  return 'symbol-string';
}
