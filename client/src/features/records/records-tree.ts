/** The Records view: the service's nine collections. */
import * as vscode from 'vscode';
import type { CollectionId } from '#api/contract/tables.ts';
import { DisposableStore } from '#base/disposables.ts';
import { commands } from '#client/contributions.ts';
import type { Session } from '#client/session/session.ts';
import { collectionOrder, collectionWords } from '#core/records/collections.ts';

export interface CollectionNode {
  readonly kind: 'collection';
  readonly collection: CollectionId;
}

export class RecordsTree implements vscode.TreeDataProvider<CollectionNode>, vscode.Disposable {
  readonly #session: Session;
  readonly #disposables = new DisposableStore();
  readonly #onDidChangeTreeData = this.#disposables.add(new vscode.EventEmitter<void>());

  readonly onDidChangeTreeData = this.#onDidChangeTreeData.event;

  constructor(session: Session) {
    this.#session = session;
    this.#disposables.add(session.onDidChangeState(() => this.#onDidChangeTreeData.fire()));
  }

  getChildren(node?: CollectionNode): CollectionNode[] {
    if (node !== undefined || this.#session.state.kind !== 'connected') return [];
    return collectionOrder.map((collection) => ({ kind: 'collection', collection }));
  }

  getTreeItem({ collection }: CollectionNode): vscode.TreeItem {
    const words = collectionWords(collection);
    const item = new vscode.TreeItem(words.many);
    item.id = collection;
    item.description = words.description;
    item.tooltip = `${words.many}\n${words.description}`;
    item.accessibilityInformation = { label: `${words.many}, ${words.description}` };
    item.iconPath = new vscode.ThemeIcon(words.icon);
    item.contextValue = collection === 'activities' ? 'activities' : 'collection';
    item.command = {
      command: commands.recordsOpen,
      title: vscode.l10n.t('Open Records'),
      arguments: [{ kind: 'collection', collection } satisfies CollectionNode],
    };
    return item;
  }

  dispose(): void {
    this.#disposables.dispose();
  }
}
