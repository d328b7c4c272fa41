/**
 * Merges in the editor that are not saved yet. Code lenses and a status bar item offer to save or undo them, since their
 * notification may be closed long before that. A merge ends when its text is saved or undone, its editor is closed, or
 * it is in conflict with a further version.
 */
import * as vscode from 'vscode';
import { DisposableStore } from '#base/disposables.ts';
import { commands } from '#client/contributions.ts';
import { showQuickPick } from '#client/ui/shown/quick-picks.ts';
import { createStatusBarItem } from '#client/ui/shown/status-items.ts';
import type { Chosen } from '../saving/document-saves.ts';
import { closeSettled } from './close-conflict.ts';
import { mergedTitle } from './conflict-view.ts';
import { LeadingLenses } from './leading-lenses.ts';

export type AfterMerge = 'save' | 'undo' | 'compare';

export class PendingMerges implements vscode.Disposable {
  readonly #disposables = new DisposableStore();
  readonly #merges = new Map<string, Chosen>();
  readonly #item: vscode.StatusBarItem;
  readonly #lenses = this.#disposables.add(new LeadingLenses(({ uri }) => lensesOf(uri, this.of(uri))));
  readonly #inBackground: (work: Promise<void>) => void;

  /** @param inBackground lets the work run, and reports its failure. */
  constructor(inBackground: (work: Promise<void>) => void) {
    this.#inBackground = inBackground;
    this.#item = this.#disposables.add(
      createStatusBarItem('identityQueries.merge', vscode.StatusBarAlignment.Left, 9),
    );
    this.#item.name = vscode.l10n.t('Unsaved Merge of a Saved Query');
    const on = this.#disposables;
    on.add(vscode.workspace.onDidSaveTextDocument(({ uri }) => this.end(uri)));
    on.add(vscode.workspace.onDidCloseTextDocument(({ uri }) => this.end(uri)));
    on.add(
      vscode.workspace.onDidChangeTextDocument(({ document }) => {
        const merged = this.of(document.uri);
        if (merged !== undefined && document.getText() === merged.before) this.end(document.uri);
      }),
    );
    on.add(vscode.window.onDidChangeActiveTextEditor(() => this.#draw()));
  }

  dispose(): void {
    this.#disposables.dispose();
  }

  of(uri: vscode.Uri): Chosen | undefined {
    return this.#merges.get(uri.toString());
  }

  add(uri: vscode.Uri, merged: Chosen): void {
    this.#merges.set(uri.toString(), merged);
    this.#lenses.refresh();
    this.#draw();
  }

  end(uri: vscode.Uri): void {
    const merged = this.of(uri);
    if (merged === undefined) return;
    this.#merges.delete(uri.toString());
    this.#lenses.refresh();
    this.#draw();
    this.#inBackground(closeSettled(uri, merged.theirs, mergedTitle(merged.theirs)));
  }

  /** Shows the merge of the active editor, or the oldest one. */
  #draw(): void {
    const active = vscode.window.activeTextEditor?.document.uri.toString() ?? '';
    const [address, merged] = this.#merges.has(active)
      ? [active, this.#merges.get(active)]
      : ([...this.#merges][0] ?? []);
    if (merged === undefined) {
      this.#item.hide();
      return;
    }
    const { name, version } = merged.theirs;
    this.#item.text = `$(git-merge) ${vscode.l10n.t('Merged with version {0}, not saved', version)}`;
    this.#item.tooltip = vscode.l10n.t(
      '"{0}": your changes and version {1} are in the editor. Click to save or undo the merge.',
      name,
      version,
    );
    this.#item.command = {
      command: commands.conflictSettle,
      title: vscode.l10n.t('Resolve Save Conflict...'),
      arguments: [{ uri: address }],
    };
    this.#item.show();
  }
}

export async function pickAfterMerge(merged: Chosen): Promise<AfterMerge | undefined> {
  const { name, version } = merged.theirs;
  const items = waysAfter(merged).map(({ icon, ...item }) => ({
    ...item,
    iconPath: new vscode.ThemeIcon(icon),
  }));
  const title = vscode.l10n.t('"{0}": merged with version {1}', name, version);
  return (await showQuickPick(items, { title, placeHolder: vscode.l10n.t('Nothing is saved yet.') }))?.does;
}

function lensesOf(uri: vscode.Uri, merged: Chosen | undefined): vscode.CodeLens[] {
  if (merged === undefined) return [];
  const top = new vscode.Range(0, 0, 0, 0);
  return waysAfter(merged).map(
    ({ does, label, detail }) =>
      new vscode.CodeLens(top, {
        title: label,
        tooltip: detail,
        command: commands.conflictAfterMerge,
        arguments: [{ uri: uri.toString(), does }],
      }),
  );
}

interface WayAfter {
  readonly does: AfterMerge;
  readonly icon: string;
  readonly label: string;
  readonly detail: string;
}

function waysAfter({ theirs: { version } }: Chosen): readonly WayAfter[] {
  return [
    {
      does: 'save',
      icon: 'save',
      label: vscode.l10n.t('Save Merged as Version {0}', version + 1),
      detail: '',
    },
    {
      does: 'undo',
      icon: 'discard',
      label: vscode.l10n.t('Undo Merge'),
      detail: vscode.l10n.t('Your text comes back. Nothing is saved.'),
    },
    {
      does: 'compare',
      icon: 'diff',
      label: vscode.l10n.t('Compare'),
      detail: vscode.l10n.t('Theirs on the left, the merge on the right.'),
    },
  ];
}
