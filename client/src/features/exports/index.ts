/** Exports of the service: create, follow, save, open in the result panel. */
import * as vscode from 'vscode';
import { existsSync } from 'node:fs';
import path from 'node:path';
import { commands, views } from '../../contributions.ts';
import type { Session } from '../../session/session.ts';
import { ExpectedError } from '../../../../core/src/util/failure.ts';
import { registerCommand } from '../../ui/register-command.ts';
import { DisposableStore, type DisposableLike } from '../../../../core/src/util/disposables.ts';
import type { Logger } from '../../../../core/src/util/logger.ts';
import { showErrorMessage, showInformationMessage } from '../../ui/shown/notifications.ts';
import { withProgress } from '../../ui/shown/progress.ts';
import { showInputBox } from '../../ui/shown/prompts.ts';
import { createTreeView } from '../../ui/shown/tree-views.ts';
import type { ResultsFeature } from '../results/index.ts';
import { contextTitle } from '../../../../core/src/exports/context-title.ts';
import type { KnownExport } from '../../../../core/src/exports/export-store.ts';
import { Exports, type Connected, type FoundPart } from './exports.ts';
import { ExportsTree } from './exports-tree.ts';
import { partWords } from '../../../../core/src/exports/part-words.ts';
import { fileNameOf } from '../../../../core/src/util/file-name.ts';

export interface ExportsDependencies {
  readonly context: vscode.ExtensionContext;
  readonly log: Logger;
  readonly session: Session;
  readonly results: ResultsFeature;
}

export function registerExports({ context, log, session, results }: ExportsDependencies): DisposableLike {
  const disposables = new DisposableStore();
  const exports = disposables.add(new Exports({ session, log, folder: context.globalStorageUri.fsPath }));
  const tree = disposables.add(new ExportsTree(exports));
  disposables.add(createTreeView(views.exports, { treeDataProvider: tree }));
  const closing = new AbortController();
  disposables.add({ dispose: () => closing.abort() });

  const connected = async (): Promise<Connected> => {
    await session.settled();
    const client = session.requireClient();
    const { state } = session;
    if (state.kind !== 'connected') throw new ExpectedError(vscode.l10n.t('Not connected.'));
    return { client, profile: state.profile };
  };

  const save = async (client: Connected['client'], known: KnownExport, uri: vscode.Uri) => {
    const { saveWithProgress } = await import('./save-export.ts');
    const { store } = exports;
    if (!(await saveWithProgress(client, known, { uri, closing: closing.signal, store }))) return undefined;
    await exports.saved(known, uri.fsPath);
    void showInformationMessage(
      vscode.l10n.t('{0} is in {1}.', contextTitle(known.context), path.basename(uri.fsPath)),
      vscode.l10n.t('Open in Results'),
    ).then((answer) => {
      if (answer !== undefined)
        void vscode.commands.executeCommand(commands.exportsOpenInResults, { id: known.id });
    });
    return uri;
  };

  disposables.add(exports.onDidFindParts((found) => void offerToContinue(found)));
  disposables.add(exports.onDidEnd((known) => void announce(known)));
  disposables.add(
    registerCommand(log, commands.exportsCreate, async (argument) => {
      const connection = await connected();
      const { askExport, parseExport } = await import('./ask-export.ts');
      const request = parseExport(argument) ?? (await askExport());
      if (request === undefined) return;
      const known = await withProgress(
        {
          location: vscode.ProgressLocation.Notification,
          title: vscode.l10n.t('Asking for the export {0}', contextTitle(request.context)),
          cancellable: true,
        },
        async (progress, token) => {
          const controller = new AbortController();
          const cancelled = token.onCancellationRequested(() => controller.abort());
          try {
            return await exports.create(connection, request, {
              signal: controller.signal,
              say: (message) => progress.report({ message }),
            });
          } finally {
            cancelled.dispose();
          }
        },
      );
      await vscode.commands.executeCommand(`${views.exports}.focus`);
      return known.id;
    }),
  );
  disposables.add(
    registerCommand(log, commands.exportsOpenById, async (argument) => {
      const connection = await connected();
      const id = typeof argument === 'string' ? argument : await askId();
      if (id === undefined) return;
      await exports.open(connection, id);
      await vscode.commands.executeCommand(`${views.exports}.focus`);
      return id;
    }),
  );
  disposables.add(
    registerCommand(log, commands.exportsSave, async (argument) => {
      const { client } = await connected();
      const known = chosen(exports, argument);
      const uri = uriArgument(argument) ?? (await chooseFile(known));
      return uri === undefined ? undefined : await save(client, known, uri);
    }),
  );
  disposables.add(
    registerCommand(log, commands.exportsContinue, async (argument) => {
      const { client } = await connected();
      const { choosePart, mayReplace } = await import('./choose-part.ts');
      const found = await choosePart(exports, argument === undefined ? undefined : chosen(exports, argument));
      if (found === undefined) return undefined;
      const { target } = found.state.part;
      if (existsSync(target) && !(await mayReplace(target))) return undefined;
      return await save(client, found.known, vscode.Uri.file(target));
    }),
  );
  disposables.add(
    registerCommand(log, commands.exportsDiscardPart, async (argument) => {
      await connected();
      const { choosePart } = await import('./choose-part.ts');
      const found = await choosePart(exports, argument === undefined ? undefined : chosen(exports, argument));
      if (found !== undefined) await exports.discard(found);
    }),
  );
  disposables.add(
    registerCommand(log, commands.exportsOpenInResults, async (argument) => {
      const { client, profile } = await connected();
      const known = chosen(exports, argument);
      const { openExport } = await import('./save-export.ts');
      await openExport(results, { client, profile }, known);
    }),
  );
  disposables.add(
    registerCommand(log, commands.exportsCreateAgain, async (argument) => {
      const { context: dataSet, fileFormat, urlTtlMinutes } = chosen(exports, argument);
      return await vscode.commands.executeCommand(commands.exportsCreate, {
        context: dataSet,
        fileFormat,
        urlTtlMinutes,
      });
    }),
  );
  disposables.add(
    registerCommand(log, commands.exportsCopyId, async (argument) => {
      await vscode.env.clipboard.writeText(chosen(exports, argument).id);
    }),
  );
  disposables.add(
    registerCommand(log, commands.exportsForget, (argument) => exports.forget(chosen(exports, argument))),
  );
  disposables.add(registerCommand(log, commands.exportsCurrent, () => exports.known));
  return { dispose: () => disposables.dispose() };
}

async function announce(known: KnownExport): Promise<void> {
  const title = contextTitle(known.context);
  if (known.status !== 'completed') {
    const why = known.error === undefined ? '' : `: ${known.error.message} (${known.error.code})`;
    void showErrorMessage(vscode.l10n.t('The export {0} failed{1}', title, why));
    return;
  }
  const save = vscode.l10n.t('Save...');
  const open = vscode.l10n.t('Open in Results');
  const answer = await showInformationMessage(vscode.l10n.t('The export {0} is ready.', title), save, open);
  const command =
    answer === save ? commands.exportsSave : answer === open ? commands.exportsOpenInResults : undefined;
  if (command !== undefined) await vscode.commands.executeCommand(command, { id: known.id });
}

/** Once for all of them, and nothing goes on by itself: the disk and the network are the person's. */
async function offerToContinue(found: readonly FoundPart[]): Promise<void> {
  const [first, ...others] = found;
  if (first === undefined) return;
  const isOne = others.length === 0;
  const message = isOne
    ? vscode.l10n.t(
        'The export {0} is saved in part: {1}.',
        contextTitle(first.known.context),
        partWords(first.state),
      )
    : vscode.l10n.t('{0} exports are saved in part.', found.length);
  const action = isOne ? vscode.l10n.t('Continue Saving') : vscode.l10n.t('Show Exports');
  if ((await showInformationMessage(message, action)) === undefined) return;
  if (isOne) await vscode.commands.executeCommand(commands.exportsContinue, { id: first.known.id });
  else await vscode.commands.executeCommand(`${views.exports}.focus`);
}

/** @throws ExpectedError when it is none of the present connection. */
function chosen(exports: Exports, argument: unknown): KnownExport {
  const id: unknown =
    typeof argument === 'object' && argument !== null ? Reflect.get(argument, 'id') : argument;
  const known = exports.known.find((one) => one.id === id);
  if (known === undefined) {
    throw new ExpectedError(vscode.l10n.t('Choose an export in the Exports view.'), [
      { title: vscode.l10n.t('Create Export...'), command: commands.exportsCreate },
    ]);
  }
  return known;
}

async function askId(): Promise<string | undefined> {
  const answer = await showInputBox({
    title: vscode.l10n.t('Open Export by Id'),
    prompt: vscode.l10n.t('The id of the export, a UUID'),
    validateInput: (text) =>
      /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i.test(text.trim())
        ? undefined
        : vscode.l10n.t('A UUID, for example 3f2b8c1a-0d4e-4c55-9a6b-7f1e2d3c4b5a.'),
  });
  return answer?.trim();
}

async function chooseFile({ context, fileFormat }: KnownExport): Promise<vscode.Uri | undefined> {
  const folder = vscode.workspace.workspaceFolders?.[0]?.uri;
  const name = fileNameOf(`${context}.${fileFormat}`);
  return await vscode.window.showSaveDialog({
    title: vscode.l10n.t('Save Export'),
    ...(folder === undefined ? {} : { defaultUri: vscode.Uri.joinPath(folder, name) }),
  });
}

function uriArgument(argument: unknown): vscode.Uri | undefined {
  const uri: unknown =
    typeof argument === 'object' && argument !== null ? Reflect.get(argument, 'uri') : undefined;
  return uri instanceof vscode.Uri ? uri : undefined;
}
