/** The Records view: the service's nine collections. */
import * as vscode from 'vscode';
import type { ServiceClient } from '#api/client/client.ts';
import type { CollectionId } from '#api/contract/tables.ts';
import { DisposableStore } from '#base/disposables.ts';
import { commands, contextKeys } from '#client/contributions.ts';
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

  #client: ServiceClient | undefined;
  /** Undefined if all may exist. */
  #collections: ReadonlySet<string> | undefined;

  readonly onDidChangeTreeData = this.#onDidChangeTreeData.event;

  constructor(session: Session) {
    this.#session = session;
    this.#disposables.add(session.onDidChangeState(() => void this.#follow()));
  }

  getChildren(node?: CollectionNode): CollectionNode[] {
    if (node !== undefined || this.#session.state.kind !== 'connected') return [];
    const collections = this.#collections;
    return collectionOrder
      .filter((collection) => collections === undefined || collections.has(collection))
      .map((collection) => ({ kind: 'collection', collection }));
  }

  /** A service over a database says which collections it has; others have all. */
  async #follow(): Promise<void> {
    const { state } = this.#session;
    const client = state.kind === 'connected' ? state.client : undefined;
    if (client !== this.#client) {
      this.#client = client;
      this.#setCollections(undefined);
      const server = await client?.models.server().catch(() => undefined);
      if (client !== this.#client) return;
      if (server !== undefined) this.#setCollections(new Set(server.collections));
    }
    this.#onDidChangeTreeData.fire();
  }

  #setCollections(collections: ReadonlySet<string> | undefined): void {
    this.#collections = collections;
    void vscode.commands.executeCommand('setContext', contextKeys.hasNoRecords, collections?.size === 0);
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
