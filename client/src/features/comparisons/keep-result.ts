/** Stores the rows of a result on this machine at the user's request, and deletes them. */
import * as vscode from 'vscode';
import { ageText } from '#base/words/age-text.ts';
import { commands, settings, settingsSection } from '#client/contributions.ts';
import { rowWords } from '#client/ui/format-row-count.ts';
import { locale } from '#client/ui/locale.ts';
import { showInformationMessage } from '#client/ui/shown/notifications.ts';
import { withProgress } from '#client/ui/shown/progress.ts';
import { showQuickPick } from '#client/ui/shown/quick-picks.ts';
import { ExpectedError } from '#core/failures/failure.ts';
import { isLoaded } from '#core/reading/rows-writer.ts';
import type { Result } from '../results/index.ts';
import type { ComparisonsContext } from './context.ts';
import { keptLimits, type KeptResult } from './kept-results-store.ts';
import { sideOfResult } from './side.ts';

export async function keepResult(context: ComparisonsContext, result: Result): Promise<KeptResult> {
  const { kept, results } = context;
  await requireRoom(context);
  const { state } = result;
  if (state.kind === 'rows' && !isLoaded(state) && !(await results.loadAll(result)))
    throw new ExpectedError(vscode.l10n.t('The result was not kept: not all of its rows could be loaded.'));
  const keepsValues =
    vscode.workspace.getConfiguration(settingsSection).get<unknown>(settings.runRememberParameters) !== false;
  const side = await sideOfResult(results, result, { withParameters: keepsValues });
  try {
    const { name, words, at, version, rows } = side;
    const { rowCount } = rows.outcome;
    const about = { name, words, at, version, rowCount, key: result.key ?? '', keptAt: Date.now() };
    return await withProgress(
      {
        location: vscode.ProgressLocation.Notification,
        title: vscode.l10n.t('Keeping {0}', words.title),
        cancellable: true,
      },
      async (progress, signal) => {
        return await kept.add(about, (path) =>
          results.operations.keep(rows.data, path, {
            signal,
            onProgress: (done) => progress.report({ message: rowWords(done) }),
          }),
        );
      },
    );
  } finally {
    side.rows.data.dispose();
  }
}

/** Tells the user where the rows are stored and how to delete them. */
export async function tellKept({ words, rowCount }: KeptResult): Promise<void> {
  const compare = vscode.l10n.t('Compare Results...');
  const forget = vscode.l10n.t('Forget Kept Results...');
  const answer = await showInformationMessage(
    vscode.l10n.t(
      'Kept {0} of {1} on this machine for comparison. They stay until you forget them.',
      rowWords(rowCount),
      words.title,
    ),
    compare,
    forget,
  );
  if (answer === compare) await vscode.commands.executeCommand(commands.resultsCompare);
  if (answer === forget) await vscode.commands.executeCommand(commands.resultsForgetKept);
}

/** Kept results never expire, so the user must make room for new ones. */
async function requireRoom({ kept }: ComparisonsContext): Promise<void> {
  const full = await kept.full();
  if (full === undefined) return;
  throw new ExpectedError(
    full === 'results'
      ? vscode.l10n.t('The limit of {0} kept results is reached. Forget some first.', keptLimits.results)
      : vscode.l10n.t(
          'Kept results have reached the limit of {0} MB. Forget some first.',
          keptLimits.bytes / 1e6,
        ),
    [{ title: vscode.l10n.t('Forget Kept Results...'), command: commands.resultsForgetKept }],
  );
}

/** @param which the results to delete; if undefined, the user chooses. @returns the number of deleted results. */
export async function forgetKept(
  { kept, keptRuns }: ComparisonsContext,
  which: readonly string[] | 'all' | undefined,
): Promise<number> {
  const ofRuns = which === 'all' ? await keptRuns.clear() : 0;
  const all = await kept.list();
  if (ofRuns > 0 && all.length === 0) return ofRuns;
  if (all.length === 0) throw new ExpectedError(vscode.l10n.t('No result is kept on this machine.'));
  const isWanted = ({ id }: KeptResult) => which === 'all' || which?.includes(id);
  const chosen = which === undefined ? await pickKept(all) : all.filter(isWanted);
  await kept.forget(chosen);
  return chosen.length + ofRuns;
}

async function pickKept(all: readonly KeptResult[]): Promise<readonly KeptResult[]> {
  const picked = await showQuickPick(
    all.map((one) => ({
      label: one.words.title,
      description: [
        ageText(one.keptAt, Date.now(), vscode.env.language),
        vscode.l10n.t('{0} MB', (one.sizeBytes / 1e6).toLocaleString(locale(), { maximumFractionDigits: 1 })),
      ].join(' · '),
      detail: one.words.facts.join(' · '),
      one,
    })),
    {
      title: vscode.l10n.t('Forget Kept Results'),
      placeHolder: vscode.l10n.t('Their rows are deleted from this machine'),
      canPickMany: true,
      matchOnDetail: true,
    },
  );
  return (picked ?? []).map(({ one }) => one);
}
