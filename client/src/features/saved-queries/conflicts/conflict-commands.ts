/** Settling conflicts: each way a command, for the palette, the editor's title, the lenses and the notification. */
import * as vscode from 'vscode';
import type { SavedQuery } from '../../../../../api/contract/saved-queries.ts';
import { commands } from '../../../contributions.ts';
import { ExpectedError } from '../../../../../core/src/util/failure.ts';
import { presentFailure, registerCommand } from '../../../ui/register-command.ts';
import { DisposableStore, type DisposableLike } from '../../../../../core/src/util/disposables.ts';
import type { Logger } from '../../../../../core/src/util/logger.ts';
import { isSameText } from '../../../../../core/src/saved-queries/same-text.ts';
import { showInformationMessage } from '../../../ui/shown/notifications.ts';
import { offerWays, pickWay, showConflict, showMerged, type Way } from './conflict-view.ts';
import type { Asked, Chosen } from '../saving/document-saves.ts';
import { markedRegions } from '../../../../../core/src/saved-queries/merge-drafts.ts';
import { openDocument } from '../saving/open-document.ts';
import { saveAll } from '../saving/save-all.ts';
import { saveOpenQuery, type SaveOpenQueryDependencies } from '../saving/save-open-query.ts';
import type { Conflict } from '../../../../../core/src/saved-queries/save-machine.ts';
import { savedQueryKey, savedQueryScheme } from '../records/saved-query-uri.ts';

export function registerConflictCommands(
  deps: SaveOpenQueryDependencies & { readonly log: Logger },
): DisposableLike {
  const { log, queries, saves, fileSystem } = deps;
  const disposables = new DisposableStore();
  /** Versions whose merge a person took back: those are not merged again unasked. */
  const declined = new Map<string, number>();

  const save = (document: vscode.TextDocument) => saveOpenQuery(document, deps);

  /** @param theirs the version that the person decided about, where that is known. */
  const go = async (uri: vscode.Uri, way: Way | undefined, theirs?: SavedQuery): Promise<void> => {
    const conflict = queries.conflictOf(uri);
    if (way === undefined) return;
    if (conflict === undefined) throw noConflict();
    const document = await vscode.workspace.openTextDocument(uri);
    switch (way) {
      case 'compare':
        await showConflict(uri, conflict);
        return;
      case 'saveAsNew':
        await vscode.commands.executeCommand(commands.savedQuerySaveAsNew, { uri: uri.toString() });
        return;
      case 'saveMine':
        chosenOf(await saves.choose(document, way, { theirs }));
        await save(document);
        return;
      case 'takeTheirs':
        await takeTheirs(document, theirs);
        return;
      case 'merge':
        await showMerge(document, chosenOf(await saves.choose(document, way, { theirs })));
        return;
      default:
        way satisfies never;
    }
  };

  const takeTheirs = async (document: vscode.TextDocument, decided: SavedQuery | undefined) => {
    const { uri } = document;
    const { theirs } = chosenOf(await saves.choose(document, 'takeTheirs', { theirs: decided }));
    if (await fileSystem.withoutSending(uri, theirs.query_string, () => document.save()))
      fileSystem.reload(uri, theirs);
  };

  const showMerge = async (document: vscode.TextDocument, { before: mine, text, theirs }: Chosen) => {
    const { uri } = document;
    if (markedRegions(text).length > 0) {
      await vscode.window.showTextDocument(document);
      await vscode.commands.executeCommand(commands.conflictNextMarker, { uri: uri.toString() });
      return;
    }
    await showMerged(uri, theirs);
    inBackground(askAboutMerge({ document, mine, version: theirs.version, name: theirs.name }));
  };

  const askAboutMerge = async (of: {
    readonly document: vscode.TextDocument;
    readonly mine: string;
    readonly version: number;
    readonly name: string;
  }) => {
    const { document, mine, version, name } = of;
    const saveMerged = vscode.l10n.t('Save Merged as Version {0}', version + 1);
    const undo = vscode.l10n.t('Undo Merge');
    const chosen = await showInformationMessage(
      vscode.l10n.t(
        '"{0}": your changes and version {1} do not overlap. Both are in the editor now; nothing is saved yet.',
        name,
        version,
      ),
      saveMerged,
      undo,
    );
    if (chosen === saveMerged) await save(document);
    if (chosen !== undo) return;
    declined.set(savedQueryKey(document.uri), version);
    if (await saves.putBack(document, mine)) await save(document);
  };

  /** The version that a person was asked about, by query: a save that the editor repeats asks once. */
  const asked = new Map<string, number>();

  /** After a save met a newer version: what does not overlap is merged in sight, what does is asked about. */
  const ask = async ({ uri, isExplicit }: Asked) => {
    const key = savedQueryKey(uri);
    const conflict = queries.conflictOf(uri);
    if (conflict === undefined) return;
    if (!isExplicit) {
      // Nobody looks: no editor opens, and nothing is merged that the next such save would send unseen.
      if (asked.get(key) === conflict.theirs.version) return;
      await offer(uri, conflict);
      return;
    }
    const { base, mine, theirs, merge: merged } = conflict;
    // An older version that was brought back as it was has nothing to merge.
    const isEdited = !isSameText(mine.query_string, base.query_string);
    const isMergeable = merged.text.kind === 'clean' && base.version > 0 && isEdited;
    const document = openDocument(uri);
    if (document !== undefined && isMergeable && declined.get(key) !== theirs.version) {
      // Begun before anybody who waits to save goes on. What is typed until it is done may overlap: then it is asked.
      const isWanted = (text: string) => markedRegions(text).length === 0;
      const chosen = await saves.choose(document, 'merge', { theirs, isWanted });
      if (chosen !== undefined) await showMerge(document, chosen);
      if (chosen !== undefined || queries.conflictOf(uri) === undefined) return;
    }
    await showConflict(uri, conflict);
    await offer(uri, conflict);
  };

  const offer = async (uri: vscode.Uri, conflict: Conflict) => {
    asked.set(savedQueryKey(uri), conflict.theirs.version);
    const way = await offerWays(conflict);
    // The notification may be answered when the conflict is long settled, or is another one.
    if (way !== undefined && queries.conflictOf(uri)?.theirs.version !== conflict.theirs.version)
      throw noConflict();
    await go(uri, way === 'more' ? await pickWay(conflict) : way, conflict.theirs);
  };
  const inBackground = (work: Promise<void>) =>
    void work.catch((error: unknown) => presentFailure(log, 'settling a conflict', error));
  disposables.add(saves.onDidAsk((event) => inBackground(ask(event))));

  const register = (id: Parameters<typeof registerCommand>[1], way: Way) =>
    disposables.add(registerCommand(log, id, async (argument) => go(savedQueryUriOf(argument), way)));
  register(commands.conflictCompare, 'compare');
  register(commands.conflictSaveMine, 'saveMine');
  register(commands.conflictTakeTheirs, 'takeTheirs');
  register(commands.conflictMerge, 'merge');
  disposables.add(
    registerCommand(log, commands.conflictSettle, async (argument) => {
      const uri = savedQueryUriOf(argument);
      const conflict = queries.conflictOf(uri);
      if (conflict === undefined) throw noConflict();
      await showConflict(uri, conflict);
      await go(uri, await pickWay(conflict));
    }),
  );
  disposables.add(
    registerCommand(log, commands.savedQuerySave, async (argument) => {
      await save(await vscode.workspace.openTextDocument(savedQueryUriOf(argument)));
    }),
  );
  disposables.add(registerCommand(log, commands.savedQuerySaveAll, () => saveAll(deps)));
  return disposables;
}

/** @throws ExpectedError when neither the argument nor the active editor is a saved query. */
export function savedQueryUriOf(argument: unknown): vscode.Uri {
  const isNamed = typeof argument === 'object' && argument !== null && 'uri' in argument;
  const named =
    argument instanceof vscode.Uri
      ? argument
      : isNamed && typeof argument.uri === 'string'
        ? vscode.Uri.parse(argument.uri, true)
        : vscode.window.activeTextEditor?.document.uri;
  if (named?.scheme === savedQueryScheme) return named;
  throw new ExpectedError(vscode.l10n.t('Open a saved query first.'));
}

/** @throws ExpectedError when there was nothing to choose between (any more). */
function chosenOf(chosen: Chosen | undefined): Chosen {
  if (chosen === undefined) throw noConflict();
  return chosen;
}

function noConflict(): ExpectedError {
  return new ExpectedError(vscode.l10n.t('There is no conflict to settle here (any more).'));
}
