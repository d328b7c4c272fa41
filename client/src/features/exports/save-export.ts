/** Saves an export's file with progress, or opens it in the result panel. */
import path from 'node:path';
import * as vscode from 'vscode';
import type { ServiceClient } from '#api/client/client.ts';
import { UserAbort } from '#api/client/errors.ts';
import { pauseWords } from '#base/words/pause-message.ts';
import { sizeText } from '#base/words/size-text.ts';
import { commands } from '#client/contributions.ts';
import type { ConnectedClient } from '#client/session/connected-client.ts';
import { connectionOfRows } from '#client/ui/connection-labels.ts';
import { isToldBySession, withName } from '#client/ui/naming-failure.ts';
import { explainRecordsFailure } from '#client/ui/read-failure.ts';
import { withProgress } from '#client/ui/shown/progress.ts';
import { connectionKeyOf } from '#core/connections/connection-profile.ts';
import { contextTitle } from '#core/exports/context-title.ts';
import { explainExport } from '#core/exports/explain-export.ts';
import { saveExport } from '#core/exports/export-file.ts';
import { exportRows } from '#core/exports/export-rows.ts';
import { PartInUseError, type ExportStore, type KnownExport } from '#core/exports/export-store.ts';
import { fetchExport } from '#core/exports/fetch-export.ts';
import { ExpectedError, failureOf } from '#core/failures/failure.ts';
import type { ResultsFeature } from '../results/index.ts';

/**
 * @param closing aborts when the window closes.
 * @param onOver called when the service no longer has the file.
 * @returns whether the file is complete; false if stopped.
 * @throws ExpectedError
 */
export async function saveWithProgress(
  client: ServiceClient,
  known: KnownExport,
  {
    uri,
    closing,
    store,
    onOver,
  }: {
    readonly uri: vscode.Uri;
    readonly closing: AbortSignal;
    readonly store: ExportStore;
    readonly onOver: () => void;
  },
): Promise<boolean> {
  if (uri.scheme !== 'file')
    throw new ExpectedError(vscode.l10n.t("Exports can only be saved to this machine's disk."));
  return await withProgress(
    {
      location: vscode.ProgressLocation.Notification,
      title: vscode.l10n.t('Saving {0}', path.basename(uri.fsPath)),
      cancellable: true,
    },
    async (progress, signal) => {
      let shown = 0;
      let isAnew = false;
      try {
        await saveExport(client, known, uri.fsPath, {
          store,
          signal,
          closing,
          onRestart: () => (isAnew = true),
          onPause: (ms) => progress.report({ message: pauseWords(ms) }),
          onProgress: ({ bytes, totalBytes, interruptions }) => {
            const increment = totalBytes === undefined ? 0 : ((bytes - shown) / totalBytes) * 100;
            shown = bytes;
            const done = sizeText(bytes);
            const message =
              interruptions > 0
                ? vscode.l10n.t('{0}, connection lost, resuming', done)
                : totalBytes === undefined
                  ? done
                  : vscode.l10n.t('{0} of {1}', done, sizeText(totalBytes));
            progress.report({
              message: isAnew ? vscode.l10n.t('restarted, {0}', message) : message,
              increment: Math.max(0, increment),
            });
          },
        });
        return true;
      } catch (error) {
        if (error instanceof UserAbort || signal.aborted || closing.aborted) return false;
        throw await withRest(store, known, { target: uri.fsPath, error: notSaved(error, known, onOver) });
      }
    },
  );
}

export async function openExport(
  results: ResultsFeature,
  { client, profile }: ConnectedClient,
  known: KnownExport,
  onOver: () => void,
): Promise<void> {
  await results.open({
    key: `export:${connectionKeyOf(profile)}:${known.id}`,
    header: {
      origin: 'rows',
      title: contextTitle(known.context),
      ...connectionOfRows(profile),
      parameters: [],
      facts: [{ label: vscode.l10n.t('Export'), text: known.fileFormat }],
    },
    explain: (error) => explainRecordsFailure(inWords(error, known, onOver), contextTitle(known.context)),
    pages: (signal, say) => exportRows(bytesOf(client, known, { signal, say }), known.fileFormat),
  });
}

/** Rows already shown cannot be withdrawn, so if the download restarts, the user must start again. */
async function* bytesOf(
  client: ServiceClient,
  known: KnownExport,
  { signal, say }: { readonly signal: AbortSignal; readonly say: (note: string) => void },
) {
  for await (const chunk of fetchExport(client, known.id, { signal, onPause: (ms) => say(pauseWords(ms)) })) {
    if (chunk === 'restart') {
      throw new ExpectedError(
        vscode.l10n.t("The connection was lost, and this service can't resume a file. Start again."),
      );
    }
    yield chunk;
  }
}

/** Adds a note to the failure that the partial file is kept. */
async function withRest(
  store: ExportStore,
  known: KnownExport,
  { target, error }: { readonly target: string; readonly error: unknown },
): Promise<unknown> {
  const parts = (await store.find(known))?.parts ?? [];
  const failure = failureOf(error);
  const isTold = isToldBySession(error);
  if (failure.kind !== 'expected' || isTold || !parts.some((part) => part.target === target)) return error;
  if (error instanceof PartInUseError) return error;
  return new ExpectedError(
    vscode.l10n.t('{0} The partial file is kept.', failure.message),
    [
      {
        title: vscode.l10n.t('Continue Saving'),
        command: commands.exportsContinue,
        arguments: [{ id: known.id }],
      },
    ],
    { cause: error },
  );
}

/** Returns the error with the export's name in its message. */
function notSaved(error: unknown, known: KnownExport, onOver: () => void): unknown {
  return withName(inWords(error, known, onOver), (reason) =>
    vscode.l10n.t('The export "{0}" could not be saved: {1}', contextTitle(known.context), reason),
  );
}

function inWords(error: unknown, known: KnownExport, onOver: () => void): unknown {
  const explained = explainExport(error, known);
  if (explained === undefined) return error;
  if (explained.isOver) onOver();
  const again = {
    title: vscode.l10n.t('Create Again'),
    command: commands.exportsCreateAgain,
    arguments: [{ id: known.id }],
  };
  return new ExpectedError(explained.message, explained.isOver ? [again] : [], { cause: error });
}
