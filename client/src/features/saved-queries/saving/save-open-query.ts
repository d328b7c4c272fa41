/**
 * Saves through the extension's own command (Ctrl+S in a saved query): the service is called first and the editor
 * updated afterwards, so that conflicts and failures get clear messages with actions, and no save blocks while the user
 * decides. Other ways to save (an editor menu, closing a window) go through the file system and follow the same rules.
 */
import * as vscode from 'vscode';
import { UserAbort } from '#api/client/errors.ts';
import { hasEdits } from '#client/ui/has-edits.ts';
import { setStatusBarMessage } from '#client/ui/shown/notifications.ts';
import type { SaveEffect } from '#core/saved-queries/save-machine.ts';
import type { QueryConnections } from '../records/query-connection.ts';
import { nameInUri } from '../records/saved-query-uri.ts';
import type { DocumentSaves } from './document-saves.ts';
import type { OpenQueries } from './open-queries.ts';
import { clientToSave, notSaved } from './save-failures.ts';
import type { SavedQueryFileSystem } from './saved-query-file-system.ts';
import { whileSaving } from './saving-progress.ts';
import { requireSavable } from './text-limits.ts';

export interface SaveOpenQueryDependencies {
  readonly connections: QueryConnections;
  readonly queries: OpenQueries;
  readonly saves: DocumentSaves;
  readonly fileSystem: SavedQueryFileSystem;
}

/** Whether the user pressed Save and sees this query (default); otherwise, many are saved at once. */
export interface SaveOptions {
  readonly isExplicit?: boolean;
}

/**
 * @returns whether the service now has the text; false if the user is being asked or the text changed.
 * @throws ExpectedError if the text could not be saved.
 */
export async function saveOpenQuery(
  document: vscode.TextDocument,
  deps: SaveOpenQueryDependencies & SaveOptions,
): Promise<boolean> {
  const { uri } = document;
  if (!hasEdits(document)) return true;
  const { swapped } = deps.queries.of(uri).buffer;
  const swaps = swapped.count;
  const isExplicit = deps.isExplicit ?? true;
  const client = await clientToSave(deps.connections, uri, {
    name: deps.queries.baseOf(uri)?.name,
    connects: isExplicit,
  });
  // Wait, because the base depends on the result of the previous save.
  while (deps.queries.find(uri)?.isInTurn === true) await deps.queries.find(uri)?.idle();
  // The text was replaced in the meantime, for example by a merge that the user has not seen.
  if (swapped.count !== swaps) return false;
  if (!hasEdits(document)) return true;
  const base = deps.queries.baseOf(uri);
  const version = document.version;
  // The editor's text has no byte order mark; keep the one that the service has.
  const mark = base?.query_string.startsWith('\uFEFF') === true ? '\uFEFF' : '';
  const text = `${mark}${document.getText()}`;
  requireSavable(text);
  const isChangedBySaving = mayChangeOnSave(document);
  const request = { uri, text, client, isExplicit };
  const name = base?.name ?? nameInUri(uri);
  const { error, ...effect } = await whileSaving(name, () =>
    isChangedBySaving ? deps.saves.check(request) : deps.saves.save(request),
  );
  switch (effect.kind) {
    case 'clear':
      return await document.save();
    case 'saved': {
      // Edits made in the meantime are not saved: the buffer stays dirty and is now based on the saved version.
      const isAsSent = document.version === version;
      if (isAsSent) await deps.fileSystem.withoutSending(uri, text, () => document.save());
      // Undone in the meantime: the buffer is clean and based on the earlier version; the saved version is newer.
      else if (!hasEdits(document)) deps.saves.noteClean(document);
      if (effect.isNew) say(effect);
      return true;
    }
    case 'ask':
      return false;
    case 'keep':
      throw notSaved(effect.reason, { name, uri, error });
    case 'none':
    case 'fill':
    case 'saveNow':
    case 'write':
    case 'read':
      throw new UserAbort('another save is under way');
    default:
      return effect satisfies never;
  }
}

function say({ record }: Extract<SaveEffect, { kind: 'saved' }>): void {
  const message = vscode.l10n.t('"{0}" is saved as version {1}.', record.name, record.version);
  setStatusBarMessage(`$(check) ${message}`, 5_000);
}

/** Returns whether the editor may change the text on save; if so, the editor must send it. */
function mayChangeOnSave(document: vscode.TextDocument): boolean {
  const editor = vscode.workspace.getConfiguration('editor', document);
  const files = vscode.workspace.getConfiguration('files', document);
  const actions = editor.get<Readonly<Record<string, unknown>>>('codeActionsOnSave', {});
  return (
    editor.get('formatOnSave') === true ||
    Object.values(actions).some((action) => action !== false && action !== 'never') ||
    ['trimTrailingWhitespace', 'insertFinalNewline', 'trimFinalNewlines'].some(
      (key) => files.get(key) === true,
    )
  );
}
