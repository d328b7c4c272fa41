/** Runs two versions of a saved query and compares their rows. */
import * as vscode from 'vscode';
import { momentText } from '#base/words/moment-text.ts';
import { showQuickPick } from '#client/ui/shown/quick-picks.ts';
import { ExpectedError } from '#core/failures/failure.ts';
import type { SeenVersion } from '../saved-queries/index.ts';
import type { VersionRequest } from './compare-request.ts';
import { compareResult, runSettled } from './compare-results.ts';
import type { Comparison } from './comparison.ts';
import type { ComparisonsContext } from './context.ts';

/**
 * Compares the results of two versions of the named query, or of the active editor's query.
 *
 * @returns undefined if the user cancels or a run has no rows.
 */
export async function compareVersionResults(
  context: ComparisonsContext,
  { queryId, version, ...request }: VersionRequest,
): Promise<Comparison | undefined> {
  context.session.requireClient();
  const uri = queryUri(context, queryId) ?? vscode.window.activeTextEditor?.document.uri;
  const versions = uri === undefined ? [] : await context.savedQueries.versionsOf(uri);
  const [newest] = versions;
  const older = versions.filter((one) => one.version !== newest?.version);
  if (newest === undefined || older.length === 0) {
    throw new ExpectedError(
      vscode.l10n.t(
        'Only one version of this query is known here. Versions are kept when you open or save them.',
      ),
    );
  }
  const wanted = older.find((one) => one.version === version);
  const earlier = wanted ?? (await pickVersion(older, newest));
  if (earlier === undefined) return undefined;
  const result = await runSettled(context, newest.uri);
  if (result === undefined) return undefined;
  return await compareResult(context, result, {
    ...request,
    load: true,
    with: { kind: 'version', version: earlier.version },
  });
}

async function pickVersion(
  versions: readonly SeenVersion[],
  newest: SeenVersion,
): Promise<SeenVersion | undefined> {
  const chosen = await showQuickPick(
    versions.map((one) => ({
      label: vscode.l10n.t('Version {0}', one.version),
      ...(one.at === undefined ? {} : { description: momentText(one.at) }),
      one,
    })),
    { title: vscode.l10n.t('Compare the Results of Version {0} With', newest.version) },
  );
  return chosen?.one;
}

function queryUri({ savedQueries }: ComparisonsContext, queryId: string | undefined): vscode.Uri | undefined {
  if (queryId === undefined) return undefined;
  const query = savedQueries.known.get(queryId);
  if (query === undefined)
    throw new ExpectedError(vscode.l10n.t('This saved query is unknown here. Refresh the list.'));
  return savedQueries.uriOf(query);
}
