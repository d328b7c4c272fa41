/** Compares results: who gained access, who lost it, what changed. Loaded with the first comparison. */
import * as vscode from 'vscode';
import { DisposableStore, type DisposableLike } from '#base/disposables.ts';
import { commands, contextKeys, type CommandId } from '#client/contributions.ts';
import type { FeatureDependencies } from '#client/session/feature-dependencies.ts';
import { listOf, object, oneOf, optional, text } from '#client/ui/arguments.ts';
import { chooseCommand } from '#client/ui/choose-command.ts';
import { commandsIn } from '#client/ui/register-command.ts';
import { showInformationMessage } from '#client/ui/shown/notifications.ts';
import { ExpectedError } from '#core/failures/failure.ts';
import type { Result, ResultsFeature } from '../results/index.ts';
import type { RunsFeature } from '../runs/index.ts';
import type { SavedQueriesFeature } from '../saved-queries/index.ts';
import { compareRequest, versionRequest } from './compare-request.ts';
import type { Comparison } from './comparison.ts';
import type { ComparisonsContext } from './context.ts';

export interface ComparisonsDependencies extends FeatureDependencies {
  readonly results: ResultsFeature;
  readonly runs: RunsFeature;
  readonly savedQueries: SavedQueriesFeature;
}

/** IDs of kept results to delete without asking. */
const keptIds = optional(object({ ids: optional(listOf(text)), isConfirmed: optional(oneOf([true])) }));

export function registerComparisons(deps: ComparisonsDependencies): DisposableLike {
  const { log, results } = deps;
  const disposables = new DisposableStore();
  const shown = new WeakMap<Result, Comparison>();
  let hasComparison = false;
  const showWhether = () => {
    const isShown = results.results.some((result) => shown.has(result));
    if (isShown === hasComparison) return;
    hasComparison = isShown;
    void vscode.commands.executeCommand('setContext', contextKeys.hasComparison, isShown);
  };
  disposables.add(results.onDidChange(showWhether));
  const note = (comparison: Comparison | undefined) => {
    if (comparison === undefined) return;
    shown.set(comparison.result, comparison);
    showWhether();
  };
  let context: Promise<ComparisonsContext> | undefined;
  const prepared = () => (context ??= prepare(deps));
  // Most queries keep nothing, and need no code for it.
  const keeps = (result: Result) => result.actions?.facts?.()?.text.includes('@keep') === true;
  disposables.add(
    results.onDidChange((result) => {
      if (keeps(result)) void import('./kept-runs.ts').then((runs) => runs.keepOnce(prepared, result, log));
    }),
  );

  const on = commandsIn(disposables, log);
  on(commands.resultsCompare, [compareRequest], async (request) => {
    const { compareResult } = await import('./compare-results.ts');
    note(await compareResult(await prepared(), rowsInView(results, request?.of), request ?? {}));
  });
  on(commands.savedQueryCompareResults, [versionRequest], async (request) => {
    const { compareVersionResults } = await import('./compare-versions.ts');
    note(await compareVersionResults(await prepared(), request ?? {}));
  });
  on(commands.resultsKeep, [], async () => {
    const { keepResult, tellKept } = await import('./keep-result.ts');
    const kept = await keepResult(await prepared(), rowsInView(results));
    // Not awaited: the notification may stay open indefinitely.
    void tellKept(kept);
    return kept.id;
  });
  on(commands.resultsChangedSince, [compareRequest], async (request) => {
    const { compareSince } = await import('./compare-results.ts');
    note(await compareSince(await prepared(), rowsInView(results, request?.of), request ?? {}));
  });
  on(commands.resultsForgetKept, [keptIds], async (which) => {
    const { forgetKept } = await import('./keep-result.ts');
    const count = await forgetKept(await prepared(), which?.isConfirmed === true ? 'all' : which?.ids);
    if (count > 0) {
      void showInformationMessage(
        count === 1
          ? vscode.l10n.t('1 kept result was deleted from this machine.')
          : vscode.l10n.t('{0} kept results were deleted from this machine.', count),
      );
    }
    return count;
  });

  const ofShown = (id: CommandId, work: (comparison: Comparison) => Promise<void>) =>
    on(id, [], async () => {
      const result = results.current(undefined);
      const comparison = result && shown.get(result);
      if (comparison === undefined) {
        throw new ExpectedError(vscode.l10n.t('No comparison is shown. Compare two results first.'), [
          { title: vscode.l10n.t('Compare Results...'), command: commands.resultsCompare },
        ]);
      }
      await work(comparison);
    });
  on(commands.comparisonChange, [], () =>
    chooseCommand(vscode.l10n.t('Change or Copy Comparison'), [
      { label: vscode.l10n.t('Key Columns...'), command: commands.comparisonChooseKeys },
      { label: vscode.l10n.t('Columns to Compare...'), command: commands.comparisonChooseColumns },
      { label: vscode.l10n.t('Swap Sides'), command: commands.comparisonSwap },
      { label: vscode.l10n.t('Copy as Markdown'), command: commands.comparisonCopySummary },
    ]),
  );
  ofShown(commands.comparisonChooseKeys, (comparison) => comparison.chooseKeys());
  ofShown(commands.comparisonChooseColumns, (comparison) => comparison.chooseColumns());
  ofShown(commands.comparisonSwap, (comparison) => comparison.swap());
  ofShown(commands.comparisonCopySummary, (comparison) => comparison.copySummary());
  return disposables;
}

async function prepare({ context, ...deps }: ComparisonsDependencies): Promise<ComparisonsContext> {
  const { KeptResultsStore } = await import('./kept-results-store.ts');
  const { keptRunsStore } = await import('./kept-runs.ts');
  return {
    ...deps,
    keptRuns: keptRunsStore(),
    keeping: { looked: new WeakSet(), told: new Set() },
    kept: new KeptResultsStore(vscode.Uri.joinPath(context.globalStorageUri, 'kept-results').fsPath),
  };
}

/** @throws ExpectedError if no visible result has rows to compare. */
function rowsInView(results: ResultsFeature, of?: string): Result {
  const result =
    of === undefined
      ? results.current(vscode.window.activeTextEditor?.document.uri.toString())
      : results.results.find(({ id }) => id === of);
  if (result?.state.kind !== 'rows')
    throw new ExpectedError(vscode.l10n.t('There are no rows here. Run a query first.'));
  if (result.state.comparison !== undefined) {
    throw new ExpectedError(
      vscode.l10n.t('This is already a comparison. Show the result to compare, then try again.'),
    );
  }
  return result;
}
