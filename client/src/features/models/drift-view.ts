/** The view of broken saved queries: runs the check, and shows its rows, badge and document. */
import * as vscode from 'vscode';
import { DisposableStore, type DisposableLike } from '#base/disposables.ts';
import type { Logger } from '#base/logger.ts';
import { ageText } from '#base/words/age-text.ts';
import { commands, contextKeys, views } from '#client/contributions.ts';
import { namingFailure } from '#client/ui/naming-failure.ts';
import { commandsIn } from '#client/ui/register-command.ts';
import { withProgress } from '#client/ui/shown/progress.ts';
import { createTreeView } from '#client/ui/shown/tree-views.ts';
import { ExpectedError } from '#core/failures/failure.ts';
import type { CheckedQuery, DriftResult } from '#core/models/drift.ts';
import { driftUri, registerDriftDocument } from './drift-document.ts';
import type { DriftStore } from './drift-store.ts';
import { DriftTree, type DriftNode } from './drift-tree.ts';
import { queriesNotRead } from './uses.ts';

export interface DriftDependencies {
  readonly log: Logger;
  readonly store: DriftStore;
  readonly uriOf: (query: CheckedQuery) => vscode.Uri | undefined;
}

export function registerDrift(deps: DriftDependencies): DisposableLike {
  const drift = new DriftView(deps);
  drift.start();
  return drift;
}

class DriftView implements DisposableLike {
  readonly #deps: DriftDependencies;
  readonly #disposables = new DisposableStore();
  readonly #tree: DriftTree;
  readonly #view: vscode.TreeView<DriftNode>;

  constructor(deps: DriftDependencies) {
    this.#deps = deps;
    this.#tree = this.#disposables.add(new DriftTree(deps.store, deps.uriOf));
    this.#view = this.#disposables.add(
      createTreeView<DriftNode>(views.drift, { treeDataProvider: this.#tree, showCollapseAll: true }),
    );
  }

  start(): void {
    const { log, store, uriOf } = this.#deps;
    this.#disposables.add(registerDriftDocument(store, uriOf));
    this.#disposables.add(store.onDidChange(() => void this.#draw()));
    this.#disposables.add(this.#view.onDidChangeVisibility(() => void this.#draw()));
    const register = commandsIn(this.#disposables, log);
    register(commands.driftCheckAll, () => this.#checkAll());
    register(commands.driftClear, () => store.clear());
    register(commands.driftShowProblems, () => this.#showProblems());
  }

  dispose(): void {
    this.#disposables.dispose();
  }

  #draw(): Thenable<unknown> {
    const { result } = this.#deps.store;
    const count = result?.broken.length ?? 0;
    this.#view.badge = count === 0 ? undefined : { value: count, tooltip: brokenWords(count) };
    this.#view.description =
      result === undefined ? '' : ageText(result.checkedAt, Date.now(), vscode.env.language);
    const isChecked = result !== undefined;
    return vscode.commands.executeCommand('setContext', contextKeys.savedQueriesChecked, isChecked);
  }

  async #checkAll(): Promise<Pick<DriftResult, 'checked' | 'broken'>> {
    const { checked, broken } = await namingFailure(queriesNotRead, () =>
      checkWithProgress(this.#deps.store),
    );
    // The view appears with its first result but does not take focus.
    await this.#draw();
    const [first] = this.#tree.getChildren();
    if (first !== undefined) await this.#view.reveal(first, { select: false, focus: false });
    return { checked, broken };
  }

  async #showProblems(): Promise<void> {
    if (this.#deps.store.result === undefined)
      throw new ExpectedError(vscode.l10n.t('Nothing has been checked yet.'), [checkAction()]);
    await vscode.window.showTextDocument(driftUri);
  }
}

const brokenWords = (count: number): string =>
  count === 1 ? vscode.l10n.t('1 broken saved query') : vscode.l10n.t('{0} broken saved queries', count);

const checkAction = () => ({
  title: vscode.l10n.t('Check All Saved Queries'),
  command: commands.driftCheckAll,
});

async function checkWithProgress(store: DriftStore): Promise<DriftResult> {
  return await withProgress(
    {
      location: vscode.ProgressLocation.Notification,
      title: vscode.l10n.t('Checking all saved queries'),
      cancellable: true,
    },
    async (progress, signal) => {
      let told = 0;
      return await store.checkAll(signal, (done, count) => {
        const increment = count === 0 ? 0 : ((done - told) * 100) / count;
        told = done;
        progress.report({ increment, message: vscode.l10n.t('{0} of {1}', done, count) });
      });
    },
  );
}
