/** Copies evidence of the loaded rows to the clipboard as Markdown, and optionally writes it to a JSON file. */
import path from 'node:path';
import * as vscode from 'vscode';
import { rowWords } from '#client/ui/format-row-count.ts';
import {
  showErrorMessage,
  showInformationMessage,
  showWarningMessage,
} from '#client/ui/shown/notifications.ts';
import { withProgress as showProgress } from '#client/ui/shown/progress.ts';
import { writeChosenFile } from '#client/ui/write-target.ts';
import { evidenceJson, evidenceMarkdown } from '#core/evidence/evidence-markdown.ts';
import { evidenceOf, type Evidence } from '#core/evidence/evidence.ts';
import { ExpectedError } from '#core/failures/failure.ts';
import type { Result } from '../results/index.ts';

/** @throws ExpectedError if there are no rows to record. */
export async function readEvidence(
  result: Result | undefined,
  options: {
    readonly extensionVersion: string;
    /** Maximum number of rows to hash; all loaded rows by default. */
    readonly rowsMax?: number | undefined;
    readonly signal?: AbortSignal | undefined;
    readonly onProgress?: ((rows: number) => void) | undefined;
  },
): Promise<Evidence> {
  if (result === undefined)
    throw new ExpectedError(vscode.l10n.t('There are no rows here. Run a query first.'));
  if (result.header.origin === 'rows') {
    throw new ExpectedError(
      vscode.l10n.t("These rows don't come from a query, so there is no evidence for them."),
    );
  }
  const { state, data, header } = result;
  const facts = result.actions?.facts?.();
  if (state.kind !== 'rows' || data === undefined || facts === undefined)
    throw new ExpectedError(vscode.l10n.t('There are no rows here. Run the query, then copy its evidence.'));
  const { rowsMax = state.rowCount, signal, onProgress } = options;
  const digest = await data.ask(
    'digest',
    { rowCount: Math.min(rowsMax, state.rowCount) },
    { signal, onProgress },
  );
  return evidenceOf({
    facts,
    header,
    columns: state.columns,
    digest,
    totalRows: state.totalRows,
    isComplete: state.extent === 'complete' && digest.rowCount === state.rowCount,
    finishedAt: state.finishedAt,
    extensionVersion: options.extensionVersion,
  });
}

/** @param uri a file to write the record to, in addition to the clipboard. */
export async function copyEvidence(
  result: Result | undefined,
  extensionVersion: string,
  uri: vscode.Uri | undefined,
): Promise<Evidence> {
  const evidence = await withProgress(vscode.l10n.t('Preparing evidence'), (signal, onProgress) =>
    readEvidence(result, { extensionVersion, signal, onProgress }),
  );
  await vscode.env.clipboard.writeText(evidenceMarkdown(evidence));
  if (uri === undefined) void offerRecord(evidence);
  else await writeRecord(uri, evidence);
  return evidence;
}

async function offerRecord(evidence: Evidence): Promise<void> {
  const { count, truncated } = evidence.rows;
  const rows = rowWords(count);
  const said = truncated
    ? vscode.l10n.t(
        'Copied evidence of the first {0} only. The result has more: load all rows to cover them.',
        rows,
      )
    : vscode.l10n.t('Copied evidence of {0}.', rows);
  const save = vscode.l10n.t('Save Record...');
  const show = truncated ? showWarningMessage : showInformationMessage;
  if ((await show(said, save)) !== save) return;
  const folder = vscode.workspace.workspaceFolders?.[0]?.uri;
  const name = `${evidence.query.name.replace(/[^\p{L}\p{N}._-]+/gu, '-')}-${evidence.finishedAt.slice(0, 10)}.evidence.json`;
  const uri = await vscode.window.showSaveDialog({
    title: vscode.l10n.t('Save Evidence Record'),
    filters: { JSON: ['json'] },
    ...(folder === undefined ? {} : { defaultUri: vscode.Uri.joinPath(folder, name) }),
  });
  if (uri === undefined) return;
  await writeRecord(uri, evidence).catch((error: unknown) => {
    const why = error instanceof Error ? error.message : String(error);
    void showErrorMessage(
      vscode.l10n.t('The record was not written to {0}: {1}', path.posix.basename(uri.path), why),
    );
  });
}

async function writeRecord(uri: vscode.Uri, evidence: Evidence): Promise<void> {
  await writeChosenFile(uri, new TextEncoder().encode(`${evidenceJson(evidence)}\n`));
}

/** Shows a progress notification with a Cancel button. */
export async function withProgress<T>(
  title: string,
  work: (signal: AbortSignal, onProgress: (rows: number) => void) => Promise<T>,
): Promise<T> {
  return await showProgress(
    { location: vscode.ProgressLocation.Notification, title, cancellable: true },
    async (progress, signal) => {
      return await work(signal, (rows) => progress.report({ message: rowWords(rows) }));
    },
  );
}
