/**
 * Commands that resolve conflicts, one per resolution. They stand in the editor title, code lenses and
 * the notification.
 */
import * as vscode from 'vscode';
import type { SavedQuery } from '#api/contract/saved-queries.ts';
import { DisposableStore } from '#base/disposables.ts';
import type { Logger } from '#base/logger.ts';
import { commands, type CommandId } from '#client/contributions.ts';
import { presentFailure, registerCommand } from '#client/ui/register-command.ts';
import { hideNotifications, showInformationMessage } from '#client/ui/shown/notifications.ts';
import { ExpectedError } from '#core/failures/failure.ts';
import { markedRegions } from '#core/saved-queries/merge-drafts.ts';
import { isSameText } from '#core/saved-queries/same-text.ts';
import type { Conflict } from '#core/saved-queries/save-machine.ts';
import { openDocument } from '../records/open-document.ts';
import { queryArgument, savedQueryUriOf, type QueryArgument } from '../records/query-argument.ts';
import type { Asked, Chosen } from '../saving/document-saves.ts';
import { saveOpenQuery, type SaveOpenQueryDependencies } from '../saving/save-open-query.ts';
import { conflictTitle, offerWays, pickWay, showConflict, showMerged, type Way } from './conflict-view.ts';
import type { AfterMerge, PendingMerges } from './pending-merges.ts';

export interface ConflictCommandsDependencies extends SaveOpenQueryDependencies {
  readonly log: Logger;
}

export class ConflictCommands implements vscode.Disposable {
  readonly #deps: ConflictCommandsDependencies;
  readonly #disposables = new DisposableStore();
  /** The conflicts whose diff was opened, by the URI of the query. */
  readonly #compared = new Map<string, Conflict>();
  /** Loaded with the first merge. */
  #merges: PendingMerges | undefined;
  /** Resolves when the diff of a resolved conflict is closed. */
  #closing: Promise<void> = Promise.resolve();

  constructor(deps: ConflictCommandsDependencies) {
    this.#deps = deps;
    this.#disposables.add(deps.saves.onDidAsk((event) => this.#inBackground(this.#ask(event))));
    this.#disposables.add(deps.queries.onDidChangeConflicts((uri) => this.#noteChange(uri)));
    this.#register(commands.conflictCompare, (uri) => this.#go(uri, 'compare'));
    this.#register(commands.conflictSaveMine, (uri) => this.#go(uri, 'saveMine'));
    this.#register(commands.conflictTakeTheirs, (uri) => this.#go(uri, 'takeTheirs'));
    this.#register(commands.conflictMerge, (uri) => this.#go(uri, 'merge'));
    this.#register(commands.conflictSettle, (uri) => this.#settle(uri));
    this.#register(commands.conflictAfterMerge, async (uri, { does }) => {
      const merged = this.#merges?.of(uri);
      if (merged === undefined) throw noMerge();
      await this.#afterMerge(uri, merged, does);
    });
  }

  dispose(): void {
    this.#disposables.dispose();
  }

  #register(id: CommandId, handler: (uri: vscode.Uri, argument: QueryArgument) => Promise<void>): void {
    this.#disposables.add(
      registerCommand(this.#deps.log, id, [queryArgument], async (argument) =>
        handler(savedQueryUriOf(argument), argument),
      ),
    );
  }

  async #settle(uri: vscode.Uri): Promise<void> {
    const conflict = this.#deps.queries.conflictOf(uri);
    if (conflict === undefined) {
      await this.#settleMerge(uri);
      return;
    }
    await this.#compare(uri, conflict);
    await this.#go(uri, await pickWay(conflict));
  }

  /** @param theirs the version that the user's decision refers to, if known. */
  async #go(uri: vscode.Uri, way: Way | undefined, theirs?: SavedQuery): Promise<void> {
    const { queries, saves } = this.#deps;
    const conflict = queries.conflictOf(uri);
    if (way === undefined) return;
    if (conflict === undefined) throw noConflict();
    const document = await vscode.workspace.openTextDocument(uri);
    switch (way) {
      case 'compare':
        await this.#compare(uri, conflict);
        return;
      case 'saveAsNew':
        await vscode.commands.executeCommand(commands.savedQuerySaveAsNew, { uri: uri.toString() });
        return;
      case 'saveMine':
        chosenOf(await saves.choose(document, way, { theirs }));
        await saveOpenQuery(document, this.#deps);
        return;
      case 'takeTheirs':
        await this.#takeTheirs(document, theirs);
        return;
      case 'merge':
        await this.#showMerge(document, chosenOf(await saves.choose(document, way, { theirs })));
        return;
      default:
        way satisfies never;
    }
  }

  async #takeTheirs(document: vscode.TextDocument, decided: SavedQuery | undefined): Promise<void> {
    const { saves, fileSystem } = this.#deps;
    const { uri } = document;
    const { theirs } = chosenOf(await saves.choose(document, 'takeTheirs', { theirs: decided }));
    if (await fileSystem.withoutSending(uri, theirs.query_string, () => document.save()))
      fileSystem.reload(uri, theirs);
  }

  async #showMerge(document: vscode.TextDocument, merged: Chosen): Promise<void> {
    const { uri } = document;
    if (markedRegions(merged.text).length > 0) {
      await vscode.window.showTextDocument(document);
      await vscode.commands.executeCommand(commands.conflictNextMarker, { uri: uri.toString() });
      return;
    }
    // The diff of the conflict has the same documents, so it would only get the focus.
    await this.#closing.catch(() => undefined); // #noteChange reports it
    await showMerged(uri, merged.theirs);
    const { PendingMerges } = await import('./pending-merges.ts');
    this.#merges ??= this.#disposables.add(new PendingMerges((work) => this.#inBackground(work)));
    this.#merges.add(uri, merged);
    this.#inBackground(this.#askAboutMerge(uri, merged));
  }

  async #settleMerge(uri: vscode.Uri): Promise<void> {
    const merged = this.#merges?.of(uri);
    if (merged === undefined) throw noConflict();
    const { pickAfterMerge } = await import('./pending-merges.ts');
    await this.#afterMerge(uri, merged, await pickAfterMerge(merged));
  }

  async #askAboutMerge(uri: vscode.Uri, merged: Chosen): Promise<void> {
    const { name, version } = merged.theirs;
    const saveMerged = vscode.l10n.t('Save Merged as Version {0}', version + 1);
    const undo = vscode.l10n.t('Undo Merge');
    await this.#hideNotice(uri);
    const query = this.#deps.queries.of(uri);
    query.isNoticeOpen = true;
    const chosen = await showInformationMessage(
      vscode.l10n.t(
        '"{0}": your changes and version {1} do not overlap. Both are in the editor now; nothing is saved yet.',
        name,
        version,
      ),
      saveMerged,
      undo,
    );
    query.isNoticeOpen = false;
    if (chosen !== undefined) await this.#afterMerge(uri, merged, chosen === undo ? 'undo' : 'save');
  }

  async #afterMerge(uri: vscode.Uri, merged: Chosen, does: AfterMerge | undefined): Promise<void> {
    const { queries, saves } = this.#deps;
    if (does === undefined) return;
    // The merge may have been saved or undone by the time the user responds.
    if (this.#merges?.of(uri) !== merged) throw noMerge();
    if (does === 'compare') {
      await showMerged(uri, merged.theirs);
      return;
    }
    const document = await vscode.workspace.openTextDocument(uri);
    if (does === 'undo') {
      queries.of(uri).told.declined = merged.theirs.version;
      if (!(await saves.putBack(document, merged.before))) return;
    }
    await saveOpenQuery(document, this.#deps);
  }

  /**
   * Handles a save that found a newer version: merges visibly if the changes do not overlap, otherwise asks the user.
   */
  async #ask({ uri, isExplicit }: Asked): Promise<void> {
    const query = this.#deps.queries.of(uri);
    const { conflict } = query;
    if (conflict === undefined) return;
    if (!isExplicit) {
      // The user may not see this query, so do not open an editor or merge anything that the next save would send
      // unseen. Repeated saves ask only once.
      if (query.told.asked !== conflict.theirs.version) await this.#offer(uri, conflict);
      return;
    }
    if (isMergeable(conflict) && query.told.declined !== conflict.theirs.version) {
      const chosen = await this.#mergeUnasked(uri, conflict);
      if (chosen || this.#deps.queries.conflictOf(uri) === undefined) return;
    }
    await this.#compare(uri, conflict);
    await this.#offer(uri, conflict);
  }

  /** Merges without asking, unless changes overlap. @returns whether the merged text is in the editor. */
  async #mergeUnasked(uri: vscode.Uri, { theirs }: Conflict): Promise<boolean> {
    const document = openDocument(uri);
    if (document === undefined) return false;
    const isWanted = (text: string) => markedRegions(text).length === 0;
    // Start before any pending save continues.
    const chosen = await this.#deps.saves.choose(document, 'merge', { theirs, isWanted });
    if (chosen !== undefined) await this.#showMerge(document, chosen);
    return chosen !== undefined;
  }

  async #offer(uri: vscode.Uri, conflict: Conflict): Promise<void> {
    const { queries } = this.#deps;
    queries.of(uri).told.asked = conflict.theirs.version;
    await this.#hideNotice(uri);
    const way = await offerWays(conflict);
    // The conflict may have been resolved or replaced by the time the user responds to the notification.
    if (way !== undefined && queries.conflictOf(uri)?.theirs.version !== conflict.theirs.version)
      throw noConflict();
    await this.#go(uri, way === 'more' ? await pickWay(conflict) : way, conflict.theirs);
  }

  /** Takes the notification about a newer version out of sight. */
  async #hideNotice(uri: vscode.Uri): Promise<void> {
    if (this.#deps.queries.find(uri)?.isNoticeOpen === true) await hideNotifications();
  }

  async #compare(uri: vscode.Uri, conflict: Conflict): Promise<void> {
    this.#compared.set(uri.toString(), conflict);
    await showConflict(uri, conflict);
  }

  /** Closes the diff of a conflict that no longer exists, and that of a merge that is in conflict now. */
  #noteChange(uri: vscode.Uri): void {
    const compared = this.#compared.get(uri.toString());
    const theirs = this.#deps.queries.conflictOf(uri)?.theirs;
    if (theirs !== undefined) this.#merges?.end(uri);
    if (compared === undefined || theirs?.version === compared.theirs.version) return;
    this.#compared.delete(uri.toString());
    this.#closing = import('./close-conflict.ts').then(({ closeSettled }) =>
      closeSettled(uri, compared.theirs, conflictTitle(compared)),
    );
    this.#inBackground(this.#closing);
  }

  #inBackground(work: Promise<void>): void {
    void work.catch((error: unknown) => presentFailure(this.#deps.log, 'settling a conflict', error));
  }
}

/** Returns whether there is anything to merge; for a restored older version, there is not. */
function isMergeable({ base, mine, merge }: Conflict): boolean {
  const isEdited = !isSameText(mine.query_string, base.query_string);
  return merge.text.kind === 'clean' && base.version > 0 && isEdited;
}

/** @throws ExpectedError if there is no conflict to resolve, or it has already been resolved. */
function chosenOf(chosen: Chosen | undefined): Chosen {
  if (chosen === undefined) throw noConflict();
  return chosen;
}

function noMerge(): ExpectedError {
  return new ExpectedError(vscode.l10n.t('This merge has already been saved or undone.'));
}

function noConflict(): ExpectedError {
  return new ExpectedError(vscode.l10n.t('There is no conflict to resolve here.'));
}
