/** The view of broken saved queries: the check, its rows, its badge and its document. */
import * as vscode from 'vscode';
import { commands, contextKeys, views } from '../../contributions.ts';
import { ExpectedError } from '../../../../core/src/util/failure.ts';
import { index, text } from '../../ui/arguments.ts';
import { registerCommand } from '../../ui/register-command.ts';
import { ageText } from '../../../../core/src/util/age-text.ts';
import { DisposableStore, type DisposableLike } from '../../../../core/src/util/disposables.ts';
import type { Logger } from '../../../../core/src/util/logger.ts';
import type { CheckedQuery } from '../../../../core/src/models/drift.ts';
import { withProgress } from '../../ui/shown/progress.ts';
import { createTreeView } from '../../ui/shown/tree-views.ts';
import { driftUri, registerDriftDocument, toRange } from './drift-document.ts';
import type { DriftStore } from './drift-store.ts';
import { DriftTree, type DriftNode } from './drift-tree.ts';

export function registerDrift(deps: {
  readonly log: Logger;
  readonly store: DriftStore;
  readonly uriOf: (query: CheckedQuery) => vscode.Uri | undefined;
}): DisposableLike {
  const { log, store, uriOf } = deps;
  const disposables = new DisposableStore();
  const tree = disposables.add(new DriftTree(store));
  const view = disposables.add(
    createTreeView<DriftNode>(views.drift, { treeDataProvider: tree, showCollapseAll: true }),
  );
  disposables.add(registerDriftDocument(store, uriOf));
  const draw = () => {
    const { result } = store;
    const count = result?.broken.length ?? 0;
    view.badge =
      count === 0
        ? undefined
        : {
            value: count,
            tooltip:
              count === 1
                ? vscode.l10n.t('1 broken saved query')
                : vscode.l10n.t('{0} broken saved queries', count),
          };
    view.description = result === undefined ? '' : ageText(result.checkedAt, Date.now(), vscode.env.language);
    return vscode.commands.executeCommand(
      'setContext',
      contextKeys.savedQueriesChecked,
      result !== undefined,
    );
  };
  disposables.add(store.onDidChange(() => void draw()));
  disposables.add(view.onDidChangeVisibility(() => void draw()));

  disposables.add(
    registerCommand(log, commands.driftCheckAll, async () => {
      const result = await withProgress(
        {
          location: vscode.ProgressLocation.Notification,
          title: vscode.l10n.t('Checking all saved queries'),
          cancellable: true,
        },
        async (progress, token) => {
          const controller = new AbortController();
          const listener = token.onCancellationRequested(() => controller.abort());
          let told = 0;
          try {
            return await store.checkAll(controller.signal, (done, count) => {
              const increment = count === 0 ? 0 : ((done - told) * 100) / count;
              told = done;
              progress.report({ increment, message: vscode.l10n.t('{0} of {1}', done, count) });
            });
          } finally {
            listener.dispose();
          }
        },
      );
      // The view comes into being with its first result; it shows itself, and the keyboard stays where it was.
      await draw();
      const [first] = tree.getChildren();
      if (first !== undefined) await view.reveal(first, { select: false, focus: false });
      return { checked: result.checked, broken: result.broken };
    }),
  );
  disposables.add(registerCommand(log, commands.driftClear, () => store.clear()));
  disposables.add(
    registerCommand(log, commands.driftShowProblems, async () => {
      if (store.result === undefined) {
        throw new ExpectedError(vscode.l10n.t('Nothing was checked yet.'), [
          { title: vscode.l10n.t('Check All Saved Queries'), command: commands.driftCheckAll },
        ]);
      }
      await vscode.window.showTextDocument(driftUri);
    }),
  );
  disposables.add(
    registerCommand(log, commands.driftOpenFinding, [text, index], async (queryId, at) => {
      const query = store.result?.broken.find((each) => each.queryId === queryId);
      const uri = query && uriOf(query);
      if (query === undefined || uri === undefined) {
        throw new ExpectedError(vscode.l10n.t('This query is no longer broken.'), [
          { title: vscode.l10n.t('Check All Saved Queries'), command: commands.driftCheckAll },
        ]);
      }
      const finding = query.findings[at];
      await vscode.window.showTextDocument(uri, {
        preview: true,
        ...(finding === undefined ? {} : { selection: toRange(finding.range) }),
      });
    }),
  );
  return disposables;
}
