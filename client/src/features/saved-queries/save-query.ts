/**
 * Saving over a version: the request, and what happens when its answer is a conflict or does not come. Nothing newer
 * is overwritten before it was shown, and an unanswered write is looked up before anybody is told anything.
 */
import * as vscode from 'vscode';
import {
  ConflictError,
  ServerFaultError,
  TimeoutError,
  TransportError,
  UserAbort,
} from '../../../../api/client/errors.ts';
import type { ServiceClient } from '../../../../api/client/client.ts';
import type { SavedQuery } from '../../../../api/contract/saved-queries.ts';
import { commands } from '../../contributions.ts';
import type { Logger } from '../../util/logger.ts';
import { isSameText } from './bases.ts';
import { showDifference } from './version-documents.ts';

export interface SaveRequest {
  readonly uri: vscode.Uri;
  readonly base: SavedQuery;
  readonly text: string;
  readonly client: ServiceClient;
}

export interface SaveDependencies {
  readonly log: Logger;
  /** Fills the buffer from the service once this save has ended; what is there counts as saved. */
  readonly takeTheirs: (uri: vscode.Uri) => void;
}

/** @throws UserAbort when the person kept editing; ApiError when the service refused or did not answer. */
export async function saveQuery(request: SaveRequest, deps: SaveDependencies): Promise<SavedQuery> {
  let expected = request.base;
  const isBaseKnown = expected.version > 0;
  if (isBaseKnown && request.text === expected.query_string) return expected;
  for (let isSeen = isBaseKnown; ; isSeen = true) {
    let current: SavedQuery | undefined;
    if (isSeen) {
      try {
        return await update(request, expected);
      } catch (error) {
        current = await currentAfter(error, request, deps);
        if (current === undefined || current.version === expected.version) throw error;
      }
    } else {
      current = await request.client.savedQueries.get(request.base.query_id);
    }
    if (isSameText(current.query_string, request.text)) {
      const message = vscode.l10n.t('"{0}" is saved as version {1}.', current.name, current.version);
      vscode.window.setStatusBarMessage(message, statusMessageMs);
      return current;
    }
    if ((await settleConflict(request, current, deps)) === 'taken') return current;
    expected = current;
  }
}

const statusMessageMs = 5_000;

async function update(request: SaveRequest, expected: SavedQuery): Promise<SavedQuery> {
  const { query_id, name, model, description } = expected;
  return await request.client.savedQueries.update(query_id, {
    name,
    query_string: request.text,
    model,
    ...(typeof description === 'string' ? { description } : {}),
    expected_version: expected.version,
  });
}

/**
 * The record as it is now, where that decides what happened: after a conflict, and after a write without an answer.
 * Undefined where the failure speaks for itself.
 */
async function currentAfter(
  error: unknown,
  request: SaveRequest,
  deps: SaveDependencies,
): Promise<SavedQuery | undefined> {
  const isConflict = error instanceof ConflictError && error.code !== 'NAME_CONFLICT';
  const isUnanswered =
    error instanceof TransportError || error instanceof TimeoutError || error instanceof ServerFaultError;
  if (!isConflict && !isUnanswered) return undefined;
  try {
    return await request.client.savedQueries.get(request.base.query_id);
  } catch (lookUpError) {
    deps.log.warn(
      `looking up a query after a failed save failed: ${lookUpError instanceof Error ? lookUpError.name : ''}`,
    );
    return undefined;
  }
}

/**
 * Shows both texts and asks. `seen`: theirs may be replaced, now that it was seen; `taken`: theirs is in the buffer.
 * @throws UserAbort when nothing is to be saved.
 */
async function settleConflict(
  request: SaveRequest,
  theirs: SavedQuery,
  deps: SaveDependencies,
): Promise<'seen' | 'taken'> {
  await showDifference(theirs, request.uri);
  const next = theirs.version + 1;
  const author = theirs.last_modified_by?.id;
  const saveMine = {
    label: `$(save) ${vscode.l10n.t('Save Mine as Version {0}', next)}`,
    detail: vscode.l10n.t(
      'Your text takes the place of version {0}, which you see on the left.',
      theirs.version,
    ),
  };
  const takeTheirs = {
    label: `$(cloud-download) ${vscode.l10n.t('Take Theirs')}`,
    detail: vscode.l10n.t(
      'Version {0} replaces the text in the editor; undo brings yours back.',
      theirs.version,
    ),
  };
  const saveAsNew = {
    label: `$(save-as) ${vscode.l10n.t('Save Mine as New Saved Query...')}`,
    detail: vscode.l10n.t('Both texts stay, under two names.'),
  };
  const keepEditing = {
    label: `$(edit) ${vscode.l10n.t('Keep Editing')}`,
    detail: vscode.l10n.t('Nothing is saved yet; compare both texts side by side, then save again.'),
  };
  const chosen = await vscode.window.showQuickPick([keepEditing, saveMine, takeTheirs, saveAsNew], {
    title:
      author === undefined
        ? vscode.l10n.t(
            '"{0}": version {1} is newer than yours ({2})',
            theirs.name,
            theirs.version,
            request.base.version,
          )
        : vscode.l10n.t(
            '"{0}": {1} saved version {2} while you edited version {3}',
            theirs.name,
            author,
            theirs.version,
            request.base.version,
          ),
    placeHolder: vscode.l10n.t('Left: theirs. Right: yours. Nothing is saved yet.'),
    ignoreFocusOut: true,
  });
  if (chosen === saveMine) return 'seen';
  if (chosen === takeTheirs) {
    deps.takeTheirs(request.uri);
    return 'taken';
  }
  if (chosen === saveAsNew)
    void vscode.commands.executeCommand(commands.savedQuerySaveAsNew, { uri: request.uri.toString() });
  throw new UserAbort('the conflict was not settled by saving');
}
