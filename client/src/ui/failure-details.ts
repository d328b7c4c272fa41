/** *Show Details* of a failure: shows facts about the request in a read-only document. */
import * as vscode from 'vscode';
import { DisposableStore, type DisposableLike } from '#base/disposables.ts';
import { isText, shapeOf } from '#base/values/shapes.ts';
import { failureDetailsText, type FailureDetails } from '#core/failures/failure-details.ts';
import type { FailureAction } from '#core/failures/failure.ts';
import { commands } from '../contributions.ts';
import { registerTextDocumentContentProvider } from './shown/content-providers.ts';

const scheme = 'identity-queries-error';

export function registerFailureDetails(): DisposableLike {
  const disposables = new DisposableStore();
  const texts = new Map<string, string>();
  let count = 0;
  disposables.add(
    registerTextDocumentContentProvider(scheme, {
      provideTextDocumentContent: (uri) => {
        const text = texts.get(uri.toString());
        if (text === undefined)
          throw new Error(vscode.l10n.t('The details of this error are no longer available.'));
        return text;
      },
    }),
  );
  disposables.add(
    vscode.workspace.onDidCloseTextDocument(({ uri }) => {
      if (uri.scheme === scheme) texts.delete(uri.toString());
    }),
  );
  disposables.add(
    vscode.commands.registerCommand(commands.failureDetails, async (details: unknown) => {
      if (!isDetails(details)) return;
      count += 1;
      const name = vscode.l10n.t('Error Details').replaceAll('/', '-');
      const uri = vscode.Uri.from({ scheme, path: `/${count}/${name}.txt` });
      texts.set(uri.toString(), failureDetailsText(details, new Date()));
      await vscode.window.showTextDocument(uri, { preview: false });
    }),
  );
  return disposables;
}

export function showDetailsAction(details: FailureDetails): FailureAction {
  return {
    title: vscode.l10n.t('Show Details'),
    command: commands.failureDetails,
    arguments: [details],
  };
}

/** Only the extension itself calls this command; arguments of a different shape are ignored. */
const isDetails = shapeOf<FailureDetails>({ message: isText, reasons: Array.isArray });
