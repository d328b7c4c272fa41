/** Changes in the Activity view: confirmations, with their targets and outcomes. */
import * as vscode from 'vscode';
import { indentedJson } from '#api/client/json.ts';
import { DisposableStore } from '#base/disposables.ts';
import { momentText } from '#base/words/moment-text.ts';
import { ShownMarkdown } from '#client/ui/shown/markdown.ts';
import {
  isOver,
  isRepeatable,
  isUnclear,
  targetIdOf,
  type ChangeTarget,
  type Confirmation,
} from '#core/changes/change.ts';
import type { ActivityRow, ActivitySource } from '../activity/index.ts';
import { rowWordsOf, stateWords } from './change-labels.ts';
import type { ChangeRuns } from './change-runs.ts';

export interface ConfirmationNode {
  readonly kind: 'confirmation';
  readonly id: string;
}

export interface TargetNode {
  readonly kind: 'target';
  readonly id: string;
  readonly index: number;
}

export type JobsNode = ConfirmationNode | TargetNode;

export class JobsTree implements ActivitySource<JobsNode>, vscode.Disposable {
  readonly #runs: ChangeRuns;
  readonly #disposables = new DisposableStore();
  readonly #onDidChangeTreeData = this.#disposables.add(new vscode.EventEmitter<void>());

  readonly onDidChangeTreeData = this.#onDidChangeTreeData.event;

  constructor(runs: ChangeRuns) {
    this.#runs = runs;
    this.#disposables.add(runs.onDidChange(() => this.#onDidChangeTreeData.fire()));
  }

  getChildren(node?: JobsNode): JobsNode[] {
    switch (node?.kind) {
      case undefined:
        return this.#runs.confirmations.map(({ id }) => ({ kind: 'confirmation', id }));
      case 'confirmation':
        return (this.#find(node.id)?.targets ?? []).map((_, index) => ({
          kind: 'target',
          id: node.id,
          index,
        }));
      case 'target':
        return [];
      default:
        return node satisfies never;
    }
  }

  beganAt({ id }: JobsNode): number {
    return new Date(this.#find(id)?.confirmedAt ?? 0).getTime();
  }

  idsOf({ id, index }: ActivityRow): readonly string[] {
    return (this.#find(id)?.targets ?? []).flatMap(({ state }, at) =>
      'jobId' in state && (index === undefined || index === at) ? [state.jobId] : [],
    );
  }

  getTreeItem(node: JobsNode): vscode.TreeItem {
    const confirmation = this.#find(node.id);
    if (confirmation === undefined) return new vscode.TreeItem(vscode.l10n.t('Gone'));
    if (node.kind === 'confirmation') return confirmationItem(confirmation);
    const target = confirmation.targets[node.index];
    return target === undefined
      ? new vscode.TreeItem(vscode.l10n.t('Gone'))
      : targetItem(target, `${node.id}:${node.index}`);
  }

  dispose(): void {
    this.#disposables.dispose();
  }

  #find(id: string): Confirmation | undefined {
    return this.#runs.confirmations.find((confirmation) => confirmation.id === id);
  }
}

function confirmationItem(confirmation: Confirmation): vscode.TreeItem {
  const { Collapsed, Expanded } = vscode.TreeItemCollapsibleState;
  const over = isOver(confirmation);
  const { title, summary } = rowWordsOf(confirmation);
  const said = summary === undefined ? [] : [summary];
  const item = new vscode.TreeItem(title, over ? Collapsed : Expanded);
  item.id = confirmation.id;
  const place =
    confirmation.environment === undefined
      ? confirmation.connection
      : `${confirmation.connection} (${confirmation.environment})`;
  const when = momentText(confirmation.confirmedAt);
  item.description = [...said, confirmation.connection, when].join(' · ');
  item.tooltip = vscode.l10n.t('{0} on {1}, as {2}', when, place, confirmation.clientId);
  item.iconPath = over ? worstIcon(confirmation) : new vscode.ThemeIcon('sync~spin');
  item.contextValue = [over ? 'endedChange' : 'openChange', ...offersOf(confirmation.targets)].join('.');
  item.accessibilityInformation = {
    label: [title, ...said, item.tooltip].join(', '),
  };
  return item;
}

/** Returns the icon of the worst outcome, to show at a glance whether anything needs attention. */
function worstIcon({ targets }: Confirmation): vscode.ThemeIcon {
  const order = ['pass', 'info', 'circle-slash', 'warning', 'error'];
  const words = targets.map(({ state }) => stateWords(state));
  const [worst] = words.sort((a, b) => order.indexOf(b.icon) - order.indexOf(a.icon));
  return iconOf(worst ?? { icon: 'info' });
}

function targetItem(target: ChangeTarget, id: string): vscode.TreeItem {
  const words = stateWords(target.state);
  const item = new vscode.TreeItem(target.label);
  item.id = id;
  item.description = words.text;
  const text = new ShownMarkdown().text(`${target.label}\n${targetIdOf(target.operation)}\n${words.text}`);
  const unknown = 'job' in target.state ? target.state.job?.unknown : undefined;
  // Jobs of an unknown shape are shown as raw JSON.
  if (unknown !== undefined) text.code(indentedJson(unknown), 'json');
  item.tooltip = text.build();
  item.iconPath = iconOf(words);
  item.contextValue = ['changeTarget', ...offersOf([target])].join('.');
  item.accessibilityInformation = { label: `${target.label}, ${words.text}` };
  return item;
}

/** Returns what the menu of a row with these targets offers, for its `when` clauses. */
function offersOf(targets: readonly ChangeTarget[]): readonly string[] {
  return [
    ...(targets.length === 1 ? ['one'] : []),
    ...(targets.some(({ state }) => 'jobId' in state) ? ['job'] : []),
    ...(targets.some(({ state }) => isUnclear(state)) ? ['unclear'] : []),
    ...(targets.some(({ state }) => isRepeatable(state)) ? ['repeatable'] : []),
  ];
}

function iconOf({ icon, colour }: { readonly icon: string; readonly colour?: string }): vscode.ThemeIcon {
  return new vscode.ThemeIcon(icon, colour === undefined ? undefined : new vscode.ThemeColor(colour));
}
