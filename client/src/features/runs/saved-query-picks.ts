/** Choosing a saved query to run, without opening it. */
import * as vscode from 'vscode';
import { ExpectedError } from '../../ui/failure.ts';

export interface RunnableQuery {
  readonly queryId: string;
  readonly name: string;
  readonly version: number;
  readonly description?: string | undefined;
  /** Where it opens as a document. */
  readonly uri: vscode.Uri;
}

/** @param argument `{ queryId }`, as a row of the view has it, else the person is asked. */
export async function pickSavedQuery(
  queries: readonly RunnableQuery[],
  argument: unknown,
): Promise<vscode.Uri | undefined> {
  if (typeof argument === 'object' && argument !== null && 'queryId' in argument) {
    const known = queries.find((query) => query.queryId === argument.queryId);
    if (known === undefined)
      throw new ExpectedError(vscode.l10n.t('This saved query is not known here. Refresh the list.'));
    return known.uri;
  }
  if (queries.length === 0)
    throw new ExpectedError(vscode.l10n.t('There are no saved queries on this connection.'));
  const chosen = await vscode.window.showQuickPick(
    queries.map((query) => ({
      label: query.name,
      description: `v${query.version}`,
      ...(query.description ? { detail: query.description } : {}),
      query,
    })),
    { title: vscode.l10n.t('Run a saved query'), matchOnDetail: true },
  );
  return chosen?.query.uri;
}
