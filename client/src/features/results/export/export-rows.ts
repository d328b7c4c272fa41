/** Writes the caller's rows to a file: handles format, location, progress and cancellation. */
import { readdir } from 'node:fs/promises';
import path from 'node:path';
import * as vscode from 'vscode';
import { fileNameOf } from '#base/files/file-name.ts';
import { saveFile } from '#base/files/target-file.ts';
import { isSingular } from '#base/translate.ts';
import { firstNames } from '#client/ui/first-names.ts';
import { rowWords } from '#client/ui/format-row-count.ts';
import { locale } from '#client/ui/locale.ts';
import { showInformationMessage, showWarningMessage } from '#client/ui/shown/notifications.ts';
import { withProgress } from '#client/ui/shown/progress.ts';
import { showQuickPick } from '#client/ui/shown/quick-picks.ts';
import { ExpectedError } from '#core/failures/failure.ts';
import type { CallOptions } from '#core/rows/calls.ts';
import {
  offeredFormats,
  type FileFormat,
  type FormatChoice,
  type OfferedFormat,
} from '#core/rows/files/file-formats.ts';
import type { FileOptions, FinishedFile } from '#core/rows/files/rows-encoder.ts';
import { saveElsewhere } from '#core/rows/files/save-file.ts';
import { freeName } from '#core/saved-queries/query-name.ts';
import { textOptions } from '../as-text/text-options.ts';
import type { LastFormat } from './last-format.ts';

export interface ExportJob {
  /** Base name of the file. */
  readonly name: string;
  /** Row count for progress, if known. */
  readonly rowCount?: number | undefined;
  /** Warning about rows missing from the file. */
  readonly warning?: string | undefined;
  readonly write: (file: FileOptions, options: CallOptions) => Promise<FinishedFile>;
}

/** The choices that a command's argument has already made. */
export interface ExportChoice {
  readonly format?: FormatChoice | undefined;
  readonly uri?: vscode.Uri | undefined;
  /** Is offered first, and follows the choice. */
  readonly lastFormat?: LastFormat | undefined;
  /** Called with all choices before the file is written. */
  readonly onChosen?: (choice: { readonly format: FileFormat; readonly uri: vscode.Uri }) => void;
}

/** @returns the file's URI, or undefined if the user cancels. */
export async function exportRows(job: ExportJob, choice: ExportChoice = {}): Promise<vscode.Uri | undefined> {
  const chosen = await chooseFormat(job.name, choice);
  if (chosen === undefined) return undefined;
  const uri = choice.uri ?? chosen.uri ?? (await chooseFile(job.name, chosen, choice.lastFormat));
  if (uri === undefined) return undefined;
  const folder = uri.scheme === 'file' ? path.dirname(uri.fsPath) : undefined;
  // The rows are written even where the editor cannot store it.
  void choice.lastFormat?.keep(chosen.choice, folder).catch(() => undefined);
  choice.onChosen?.({ format: chosen.format, uri });
  const finished = await withProgress(
    {
      location: vscode.ProgressLocation.Notification,
      title: vscode.l10n.t('Writing {0}', path.posix.basename(uri.path)),
      cancellable: true,
    },
    (progress, signal) => write(job, { uri, chosen }, { progress, signal }),
  );
  if (finished === undefined) return undefined;
  // Not awaited: the file is complete whether or not the user dismisses the message.
  void report(job, uri, finished);
  return uri;
}

/** A format, perhaps with a file that is written without a further question. */
type ChosenFormat = OfferedFormat & { readonly uri?: vscode.Uri | undefined };

async function chooseFormat(
  name: string,
  { format, uri, lastFormat }: ExportChoice,
): Promise<ChosenFormat | undefined> {
  const formats = offeredFormats(lastFormat?.value);
  if (format !== undefined) return formats.find((one) => one.choice === format);
  const title = vscode.l10n.t('Export Rows: Format');
  const again = uri === undefined ? await likeLastTime(name, formats, lastFormat) : undefined;
  return await showQuickPick(
    [
      ...(again === undefined ? [] : [again]),
      ...formats.map((one) => ({ ...one, description: `.${one.extension}` })),
    ],
    { title, matchOnDetail: true },
  );
}

/** The last format in the last folder, under a name that is free there: one choice exports again. */
async function likeLastTime(
  name: string,
  [format]: readonly OfferedFormat[],
  last: LastFormat | undefined,
): Promise<(ChosenFormat & vscode.QuickPickItem) | undefined> {
  const folder = last?.folder;
  if (folder === undefined || format === undefined || last?.value !== format.choice) return undefined;
  const taken = await readdir(folder).catch(() => undefined);
  if (taken === undefined) return undefined;
  // Some file systems compare names without case.
  const names = new Set(taken.map((one) => one.toLowerCase()));
  const fileOf = (base: string) => `${base}.${format.extension}`;
  const isTaken = (base: string) => names.has(fileOf(base).toLowerCase());
  const base = fileNameOf(name);
  const file = fileOf(isTaken(base) ? freeName(base, isTaken) : base);
  return {
    ...format,
    label: `${format.label}: ${file}`,
    description: vscode.workspace.asRelativePath(folder),
    detail: vscode.l10n.t('Writes this file'),
    uri: vscode.Uri.file(path.join(folder, file)),
  };
}

async function chooseFile(
  name: string,
  { label, extension }: OfferedFormat,
  last: LastFormat | undefined,
): Promise<vscode.Uri | undefined> {
  const kept = last?.folder;
  const folder = kept === undefined ? vscode.workspace.workspaceFolders?.[0]?.uri : vscode.Uri.file(kept);
  const file = `${fileNameOf(name)}.${extension}`;
  return await vscode.window.showSaveDialog({
    title: vscode.l10n.t('Export Rows'),
    saveLabel: vscode.l10n.t('Export'),
    filters: { [label]: [extension] },
    ...(folder === undefined ? {} : { defaultUri: vscode.Uri.joinPath(folder, file) }),
  });
}

/** Returns undefined if stopped. */
async function write(
  job: ExportJob,
  { uri, chosen: { choice, format } }: { readonly uri: vscode.Uri; readonly chosen: OfferedFormat },
  {
    progress,
    signal,
  }: {
    readonly progress: vscode.Progress<{ message?: string; increment?: number }>;
    readonly signal: AbortSignal;
  },
): Promise<FinishedFile | undefined> {
  let shown = 0;
  const onProgress = (rows: number) => {
    const share = job.rowCount === undefined || job.rowCount === 0 ? 0 : (rows - shown) / job.rowCount;
    shown = rows;
    progress.report({
      message: rowWords(rows),
      increment: share * 100,
    });
  };
  const writeTo = (file: string) =>
    job.write(
      {
        format,
        path: file,
        byteOrderMark: choice === 'csv-for-excel',
        ...textOptions({ header: { title: job.name, parameters: [] } }, 'exported'),
      },
      { signal, onProgress, onNote: (message) => progress.report({ message }) },
    );
  try {
    return uri.scheme === 'file'
      ? await saveFile(uri.fsPath, writeTo, { signal })
      : await saveElsewhere(writeTo, async (bytes) => await vscode.workspace.fs.writeFile(uri, bytes));
  } catch (error) {
    if (signal.aborted) return undefined;
    throw new ExpectedError(
      vscode.l10n.t(
        '{0} was not written: {1}',
        path.posix.basename(uri.path),
        error instanceof Error ? error.message : String(error),
      ),
      [],
      { cause: error },
    );
  }
}

async function report(job: ExportJob, uri: vscode.Uri, finished: FinishedFile): Promise<void> {
  const name = path.posix.basename(uri.path);
  const parts = [vscode.l10n.t('Exported {0} to {1}.', rowWords(finished.rowCount), name)];
  if (finished.cutCells > 0) {
    parts.push(
      vscode.l10n.t(
        isSingular(finished.cutCells, locale())
          ? '{0} cell was truncated: Excel allows 32,767 characters per cell.'
          : '{0} cells were truncated: Excel allows 32,767 characters per cell.',
        finished.cutCells.toLocaleString(locale()),
      ),
    );
  }
  const { leftOutColumns = [], oddColumns = [] } = finished;
  for (const { name: column, texts } of oddColumns.slice(0, 5))
    parts.push(
      vscode.l10n.t(
        'Values of `{0}` that its type in Parquet cannot hold are texts in the column `{1}`.',
        column,
        texts,
      ),
    );
  if (leftOutColumns.length > 0) {
    parts.push(
      vscode.l10n.t(
        'The file lacks {0}, which only later rows have. CSV and JSON Lines contain all columns.',
        firstNames(
          leftOutColumns.map((name) => `\`${name}\``),
          5,
        ),
      ),
    );
  }
  if (job.warning !== undefined) parts.push(job.warning);
  const open = vscode.l10n.t('Open');
  const copyPath = vscode.l10n.t('Copy Path');
  const show = parts.length > 1 ? showWarningMessage : showInformationMessage;
  const chosen = await show(parts.join(' '), open, copyPath);
  if (chosen === open) await vscode.commands.executeCommand('vscode.open', uri);
  else if (chosen === copyPath)
    await vscode.env.clipboard.writeText(uri.scheme === 'file' ? uri.fsPath : uri.toString());
}
