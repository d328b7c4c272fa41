/** The Saved Queries view: groups by the part of a name before a slash, then queries by name. */
import * as vscode from 'vscode';
import type { KnownQuery } from './known-query.ts';
import { commands } from '../../contributions.ts';
import type { Session } from '../../session/session.ts';
import { messageItem, type MessageNode } from '../../ui/message-node.ts';
import { DisposableStore } from '../../util/disposables.ts';
import { groupByPrefix, type QueryGroup } from './group-by-prefix.ts';
import { savedQueryUri } from './saved-query-uri.ts';
import type { SavedQueriesStore } from './saved-queries-store.ts';

export interface QueryNode {
  readonly kind: 'query';
  readonly queryId: string;
  /** The name without its group. */
  readonly label: string;
}

export interface GroupNode {
  readonly kind: 'group';
  readonly name: string;
}

export type SavedQueryNode = QueryNode | GroupNode | MessageNode;

export class SavedQueriesTree implements vscode.TreeDataProvider<SavedQueryNode>, vscode.Disposable {
  readonly #store: SavedQueriesStore;
  readonly #session: Session;
  readonly #disposables = new DisposableStore();
  readonly #onDidChangeTreeData = this.#disposables.add(
    new vscode.EventEmitter<SavedQueryNode | undefined>(),
  );
  /** Nodes by id, so that one row can be refreshed and the selection survives. */
  readonly #nodes = new Map<string, QueryNode>();

  readonly onDidChangeTreeData = this.#onDidChangeTreeData.event;

  constructor(store: SavedQueriesStore, session: Session) {
    this.#store = store;
    this.#session = session;
    this.#disposables.add(
      store.onDidChange((queryId) =>
        this.#onDidChangeTreeData.fire(queryId === undefined ? undefined : this.#nodes.get(queryId)),
      ),
    );
  }

  getChildren(node?: SavedQueryNode): SavedQueryNode[] {
    const groups = groupByPrefix(this.#store.list());
    if (node?.kind === 'group') {
      return this.#queryNodes(groups.find((group) => group.name === node.name)?.queries ?? []);
    }
    const { state } = this.#session;
    if (node === undefined && state.kind === 'failed') return waysOn(state.isAuthFailure);
    if (node !== undefined || state.kind !== 'connected') return [];
    const rows = groups.flatMap((group): SavedQueryNode[] =>
      group.name === '' ? this.#queryNodes(group.queries) : [{ kind: 'group', name: group.name }],
    );
    return [...this.#messages(rows.length === 0), ...rows];
  }

  getParent(node: SavedQueryNode): SavedQueryNode | undefined {
    if (node.kind !== 'query') return undefined;
    const name = this.#store.get(node.queryId)?.name ?? '';
    return name === node.label
      ? undefined
      : { kind: 'group', name: name.slice(0, name.length - node.label.length - 1) };
  }

  getTreeItem(node: SavedQueryNode): vscode.TreeItem {
    switch (node.kind) {
      case 'message':
        return messageItem(node);
      case 'group': {
        const item = new vscode.TreeItem(node.name, vscode.TreeItemCollapsibleState.Expanded);
        item.id = `group:${node.name}`;
        item.iconPath = vscode.ThemeIcon.Folder;
        item.contextValue = 'group';
        return item;
      }
      case 'query':
        return this.#queryItem(node);
      default:
        return node satisfies never;
    }
  }

  dispose(): void {
    this.#disposables.dispose();
  }

  #queryItem(node: QueryNode): vscode.TreeItem {
    const item = new vscode.TreeItem(node.label);
    item.id = node.queryId;
    item.contextValue = 'savedQuery';
    item.iconPath = new vscode.ThemeIcon('file-code');
    const query = this.#store.get(node.queryId);
    const { state } = this.#session;
    if (query === undefined || state.kind !== 'connected') return item;
    item.description = `v${query.version}`;
    item.tooltip = tooltipOf(query);
    item.resourceUri = savedQueryUri(state.profile.name, query);
    item.accessibilityInformation = {
      label: vscode.l10n.t('{0}, version {1}, model {2}', query.name, query.version, query.model),
    };
    item.command = {
      command: commands.savedQueryOpen,
      title: vscode.l10n.t('Open Saved Query'),
      arguments: [{ queryId: query.query_id }],
    };
    return item;
  }

  #queryNodes(queries: QueryGroup['queries']): QueryNode[] {
    return queries.map(({ query, label }) => {
      const known = this.#nodes.get(query.query_id);
      const node: QueryNode =
        known?.label === label ? known : { kind: 'query', queryId: query.query_id, label };
      this.#nodes.set(query.query_id, node);
      return node;
    });
  }

  /** Loading, failed and unsupported are rows of the view. */
  #messages(isEmpty: boolean): MessageNode[] {
    const { state } = this.#store;
    switch (state.kind) {
      case 'loading':
        return isEmpty ? [{ kind: 'message', icon: 'loading~spin', text: vscode.l10n.t('Loading...') }] : [];
      case 'failed':
        return [
          {
            kind: 'message',
            icon: 'error',
            text: vscode.l10n.t('Not loaded: {0}', state.reason),
            command: { command: commands.savedQueriesRefresh, title: vscode.l10n.t('Try Again') },
          },
        ];
      case 'unsupported':
        return [
          {
            kind: 'message',
            icon: 'info',
            text: vscode.l10n.t(
              'This service does not list saved queries. Those opened or saved here are shown.',
            ),
          },
        ];
      case 'loaded':
        return isEmpty
          ? [
              {
                kind: 'message',
                icon: 'add',
                text: vscode.l10n.t('No saved queries yet. Write the first.'),
                command: { command: commands.queryNew, title: vscode.l10n.t('New Query') },
              },
            ]
          : [];
      case 'empty':
        return [];
      default:
        return state satisfies never;
    }
  }
}

/** What can be done when connecting failed; the view's message above says why it did. */
function waysOn(isAuthFailure: boolean): MessageNode[] {
  const row = (icon: string, text: string, command: string): MessageNode => ({
    kind: 'message',
    icon,
    text,
    command: { command, title: text },
  });
  const again = row('refresh', vscode.l10n.t('Connect Again'), commands.connectionRetry);
  const secret = row('key', vscode.l10n.t('Update Client Secret...'), commands.connectionUpdateSecret);
  return [
    ...(isAuthFailure ? [secret, again] : [again, secret]),
    row('plug', vscode.l10n.t('Connect to Another...'), commands.connectionConnect),
    row('output', vscode.l10n.t('Show Log'), commands.logShow),
  ];
}

function tooltipOf(query: KnownQuery): vscode.MarkdownString {
  const text = new vscode.MarkdownString();
  text.appendMarkdown('**').appendText(query.name).appendMarkdown('**\n\n');
  if (query.description) text.appendText(query.description).appendMarkdown('\n\n');
  text.appendText(vscode.l10n.t('Version {0}, model {1}', query.version, query.model));
  if (query.last_modified_at !== undefined) {
    const date = new Date(query.last_modified_at).toLocaleString();
    text.appendMarkdown('\n\n');
    text.appendText(vscode.l10n.t('Last changed {0} by {1}', date, query.last_modified_by?.id ?? '?'));
  }
  return text;
}
