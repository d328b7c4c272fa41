/** Tree of broken saved queries, each with its findings. */
import * as vscode from 'vscode';
import type { Range } from 'vscode-languageserver-types';
import { DisposableStore } from '#base/disposables.ts';
import { messageItem, type MessageNode } from '#client/ui/message-node.ts';
import type { CheckedQuery } from '#core/models/drift.ts';
import type { DriftStore } from './drift-store.ts';

export interface BrokenQueryNode {
  readonly kind: 'brokenQuery';
  readonly query: CheckedQuery;
}

export interface FindingNode {
  readonly kind: 'finding';
  readonly query: CheckedQuery;
  /** Index in the query's findings. */
  readonly index: number;
}

export type DriftNode = BrokenQueryNode | FindingNode | MessageNode;

export class DriftTree implements vscode.TreeDataProvider<DriftNode>, vscode.Disposable {
  readonly #store: Pick<DriftStore, 'result' | 'onDidChange'>;
  readonly #uriOf: (query: CheckedQuery) => vscode.Uri | undefined;
  readonly #disposables = new DisposableStore();
  readonly #onDidChangeTreeData = this.#disposables.add(new vscode.EventEmitter<undefined>());

  readonly onDidChangeTreeData = this.#onDidChangeTreeData.event;

  constructor(
    store: Pick<DriftStore, 'result' | 'onDidChange'>,
    uriOf: (query: CheckedQuery) => vscode.Uri | undefined,
  ) {
    this.#store = store;
    this.#uriOf = uriOf;
    this.#disposables.add(store.onDidChange(() => this.#onDidChangeTreeData.fire(undefined)));
  }

  getChildren(node?: DriftNode): DriftNode[] {
    if (node?.kind === 'brokenQuery')
      return node.query.findings.map((_finding, index) => ({ kind: 'finding', query: node.query, index }));
    const { result } = this.#store;
    if (node !== undefined || result === undefined) return [];
    const rows: DriftNode[] = result.broken.map((query) => ({ kind: 'brokenQuery', query }));
    if (rows.length === 0) {
      const text =
        result.checked === 1
          ? vscode.l10n.t('The saved query fits the current models.')
          : vscode.l10n.t('All {0} saved queries fit the current models.', result.checked);
      rows.push({ kind: 'message', icon: 'pass', text });
    }
    if (result.unread > 0) {
      const text =
        result.unread === 1
          ? vscode.l10n.t('The text of 1 saved query could not be read.')
          : vscode.l10n.t('The texts of {0} saved queries could not be read.', result.unread);
      rows.push({ kind: 'message', icon: 'warning', text });
    }
    return rows;
  }

  getParent(node: DriftNode): DriftNode | undefined {
    return node.kind === 'finding' ? { kind: 'brokenQuery', query: node.query } : undefined;
  }

  getTreeItem(node: DriftNode): vscode.TreeItem {
    switch (node.kind) {
      case 'message':
        return messageItem(node);
      case 'brokenQuery':
        return queryItem(node.query);
      case 'finding':
        return findingItem(node, this.#uriOf(node.query));
      default:
        return node satisfies never;
    }
  }

  dispose(): void {
    this.#disposables.dispose();
  }
}

function queryItem(query: CheckedQuery): vscode.TreeItem {
  const item = new vscode.TreeItem(query.name, vscode.TreeItemCollapsibleState.Expanded);
  const count =
    query.findings.length === 1
      ? vscode.l10n.t('1 problem')
      : vscode.l10n.t('{0} problems', query.findings.length);
  item.id = query.queryId;
  item.description = count;
  item.tooltip = vscode.l10n.t(
    '{0}, version {1}, model {2}: {3}',
    query.name,
    query.version,
    query.model,
    count,
  );
  item.accessibilityInformation = { label: item.tooltip };
  item.iconPath = new vscode.ThemeIcon('file-code');
  item.contextValue = 'brokenQuery';
  return item;
}

function findingItem({ query, index }: FindingNode, uri: vscode.Uri | undefined): vscode.TreeItem {
  const finding = query.findings[index];
  const text = messageOf(finding?.message);
  const item = new vscode.TreeItem(text);
  const line = (finding?.range.start.line ?? 0) + 1;
  const code = String(finding?.code ?? '');
  item.id = `${query.queryId}/${index}`;
  item.description = vscode.l10n.t('{0}, line {1}', code, line);
  item.tooltip = text;
  item.accessibilityInformation = { label: `${text}, ${item.description}` };
  const isError = finding?.severity === 1;
  item.iconPath = new vscode.ThemeIcon(
    isError ? 'error' : 'warning',
    new vscode.ThemeColor(isError ? 'list.errorForeground' : 'list.warningForeground'),
  );
  if (uri !== undefined) {
    item.command = {
      command: 'vscode.open',
      title: vscode.l10n.t('Open Saved Query'),
      arguments: [uri, finding === undefined ? {} : { selection: toRange(finding.range) }],
    };
  }
  return item;
}

/** LSP allows markup in messages; its source text is readable. */
export function messageOf(message: string | { readonly value: string } | undefined): string {
  return typeof message === 'object' ? message.value : (message ?? '');
}

export function toRange({ start, end }: Range): vscode.Range {
  return new vscode.Range(start.line, start.character, end.line, end.character);
}
