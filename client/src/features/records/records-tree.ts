/** The Records view: the service's nine collections. */
import * as vscode from 'vscode';
import type { CollectionId } from '#api/contract/tables.ts';
import { DisposableStore } from '#base/disposables.ts';
import type { Logger } from '#base/logger.ts';
import { commands, contextKeys } from '#client/contributions.ts';
import type { Session } from '#client/session/session.ts';
import { collectionOrder, collectionWords } from '#core/records/collections.ts';
import { ServedCollections } from './served-collections.ts';

export interface CollectionNode {
  readonly kind: 'collection';
  readonly collection: CollectionId;
}

type TreeSession = Pick<Session, 'state' | 'onDidChangeState'>;

export class RecordsTree implements vscode.TreeDataProvider<CollectionNode>, vscode.Disposable {
  readonly #session: TreeSession;
  readonly #disposables = new DisposableStore();
  readonly #onDidChangeTreeData = this.#disposables.add(new vscode.EventEmitter<void>());

  readonly #served: ServedCollections;
  /** Undefined if all may exist. */
  #collections: ReadonlySet<string> | undefined;
  /** Collections of which the service had no list when they were opened. */
  readonly #missing = new Set<CollectionId>();

  readonly onDidChangeTreeData = this.#onDidChangeTreeData.event;

  constructor(session: TreeSession, log: Logger) {
    this.#session = session;
    this.#served = new ServedCollections(log, (names) => this.#setCollections(names));
    this.#disposables.add(session.onDidChangeState(() => void this.#follow()));
  }

  getChildren(node?: CollectionNode): CollectionNode[] {
    if (node !== undefined || this.#session.state.kind !== 'connected') return [];
    const collections = this.#collections;
    return collectionOrder
      .filter((collection) => collections === undefined || collections.has(collection))
      .map((collection) => ({ kind: 'collection', collection }));
  }

  /** Notes whether the service has a list of these records, which their row says. */
  noteMissing(collection: CollectionId, isMissing: boolean): void {
    if (this.#missing.has(collection) === isMissing) return;
    if (isMissing) this.#missing.add(collection);
    else this.#missing.delete(collection);
    this.#onDidChangeTreeData.fire();
  }

  async #follow(): Promise<void> {
    const { state } = this.#session;
    if (state.kind !== 'connected') this.#missing.clear();
    await this.#served.follow(state.kind === 'connected' ? state.client : undefined);
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
    const description = this.#missing.has(collection)
      ? vscode.l10n.t('no list on this service')
      : words.description;
    item.description = description;
    item.tooltip = `${words.many}\n${description}`;
    item.accessibilityInformation = { label: `${words.many}, ${description}` };
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
