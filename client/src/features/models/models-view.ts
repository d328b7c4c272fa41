/** Manages the Models view apart from its rows: filter, age, and refresh of stale data. */
import * as vscode from 'vscode';
import { DisposableStore } from '#base/disposables.ts';
import { ageText } from '#base/words/age-text.ts';
import { settings, settingsSection, views } from '#client/contributions.ts';
import { failureMessage, notRefreshed } from '#client/ui/failure-rows.ts';
import { revealRow } from '#client/ui/reveal-row.ts';
import { shortFailure } from '#client/ui/short-failure.ts';
import { createTreeView } from '#client/ui/shown/tree-views.ts';
import { namesAsText } from './commands/names.ts';
import { idOf, type ModelsNode, type SchemaNode, type UseCount } from './model-nodes.ts';
import type { ModelsStore } from './models-store.ts';
import { ModelsTree, type SessionState } from './models-tree.ts';

export class ModelsView implements vscode.Disposable {
  readonly #store: ModelsStore;
  readonly #session: SessionState;
  readonly #disposables = new DisposableStore();
  readonly #tree: ModelsTree;
  readonly #view: vscode.TreeView<ModelsNode>;
  #ticking: NodeJS.Timeout | undefined;

  constructor(store: ModelsStore, session: SessionState, useCount: UseCount) {
    this.#store = store;
    this.#session = session;
    this.#tree = this.#disposables.add(new ModelsTree(store, session, useCount));
    this.#view = this.#disposables.add(
      createTreeView<ModelsNode>(views.models, {
        treeDataProvider: this.#tree,
        showCollapseAll: true,
        canSelectMany: true,
        dragAndDropController: namesAsText,
      }),
    );
    this.#disposables.add(
      store.onDidChange(() => {
        this.#describe();
        this.#drawMessage();
      }),
    );
    this.#disposables.add(session.onDidChangeState(() => this.#drawMessage()));
    this.#disposables.add(session.onDidChangeReach(() => this.#drawMessage()));
    this.#disposables.add(
      this.#view.onDidExpandElement(({ element }) => this.#tree.noteOpened(element, true)),
    );
    this.#disposables.add(
      this.#view.onDidCollapseElement(({ element }) => this.#tree.noteOpened(element, false)),
    );
    this.#disposables.add(this.#view.onDidChangeVisibility(() => this.#seen()));
    this.#disposables.add(
      vscode.window.onDidChangeWindowState(({ focused }) => {
        if (focused) this.#readAgainWhenOld();
      }),
    );
    const looking = setInterval(() => {
      if (vscode.window.state.focused) this.#readAgainWhenOld(true);
    }, 60_000);
    this.#disposables.add({ dispose: () => clearInterval(looking) });
    this.#disposables.add({ dispose: () => clearInterval(this.#ticking) });
    this.#seen();
  }

  get isVisible(): boolean {
    return this.#view.visible;
  }

  readonly onDidChangeVisibility = (listener: () => void): vscode.Disposable =>
    this.#view.onDidChangeVisibility(listener);

  /** The text above the rows. */
  get message(): string | undefined {
    return this.#view.message;
  }

  get filter(): string {
    return this.#tree.filter;
  }

  set filter(text: string) {
    this.#tree.filter = text;
    this.#drawMessage();
    if (text.trim() !== '') void this.#store.ensureAll(); // the store fires when it is done
  }

  redraw(): void {
    this.#tree.redraw();
  }

  /** Reveals and selects a row, clearing a filter that hides it. */
  async reveal(node: SchemaNode): Promise<void> {
    if (this.filter !== '') this.filter = '';
    this.#tree.getChildren();
    const id = idOf(node);
    const isRow = (row: ModelsNode) => row.kind !== 'message' && idOf(row) === id;
    await revealRow<ModelsNode>(this.#view, node, { isRow, focus: true, expand: true });
  }

  dispose(): void {
    this.#disposables.dispose();
  }

  #seen(): void {
    clearInterval(this.#ticking);
    if (!this.#view.visible) return;
    // The age is shown in minutes, so redraw it every minute while the view is visible.
    this.#ticking = setInterval(() => this.#describe(), 60_000);
    this.#describe();
    this.#readAgainWhenOld();
  }

  #drawMessage(): void {
    const filter = this.filter.trim();
    const shown = filter === '' ? undefined : vscode.l10n.t('Filter: {0}', filter);
    this.#view.message =
      failureMessage(this.#session, (this.#store.models()?.length ?? 0) > 0) ?? this.#notRefreshed() ?? shown;
  }

  #notRefreshed(): string | undefined {
    const { failure } = this.#store;
    if (failure === undefined || this.#session.state.kind !== 'connected') return undefined;
    return notRefreshed(shortFailure(failure));
  }

  #describe(): void {
    const readAt = this.#store.readAt();
    this.#view.description =
      readAt === undefined
        ? ''
        : vscode.l10n.t('Updated {0}', ageText(readAt, Date.now(), vscode.env.language));
  }

  #readAgainWhenOld(isOnlyListed = false): void {
    const minutes = vscode.workspace
      .getConfiguration(settingsSection)
      .get<unknown>(settings.modelsRefreshAfterMinutes);
    void this.#store.refreshIfOld(minutes, isOnlyListed); // never rejects
  }
}
