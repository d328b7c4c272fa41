/** Watches the buffers of saved queries to know which version each one came from, over restarts too. */
import * as vscode from 'vscode';
import { DisposableStore, type DisposableLike } from '../../util/disposables.ts';
import type { Logger } from '../../util/logger.ts';
import type { BaseArchive } from './base-archive.ts';
import type { Bases } from './bases.ts';
import { savedQueryKey, savedQueryScheme } from './saved-query-uri.ts';

export function trackBuffers(deps: {
  readonly bases: Bases;
  readonly archive: BaseArchive;
  readonly log: Logger;
}): DisposableLike {
  const { bases, archive, log } = deps;
  const disposables = new DisposableStore();
  const archived = new Set<string>();
  const inBackground = (what: string, work: Promise<void>) => {
    void work.catch((error: unknown) =>
      log.warn(`${what} failed: ${error instanceof Error ? error.name : 'error'}`),
    );
  };

  const noteBuffer = (document: vscode.TextDocument) => {
    if (document.uri.scheme !== savedQueryScheme) return;
    const key = savedQueryKey(document.uri);
    if (!document.isDirty) {
      bases.noteClean(key, document.getText());
      if (archived.delete(key)) inBackground('removing a kept base', archive.delete(key));
      return;
    }
    const base = bases.get(key);
    if (base !== undefined && !archived.has(key)) {
      archived.add(key);
      inBackground('keeping a base', archive.write(key, base));
    }
  };

  const noteOpened = (document: vscode.TextDocument) => {
    noteBuffer(document);
    if (document.uri.scheme !== savedQueryScheme || !document.isDirty) return;
    inBackground(
      'finding the base of restored edits',
      restoreBase(savedQueryKey(document.uri), { bases, archive, archived }),
    );
  };

  for (const document of vscode.workspace.textDocuments) noteOpened(document);
  disposables.add(vscode.workspace.onDidOpenTextDocument(noteOpened));
  disposables.add(vscode.workspace.onDidChangeTextDocument((event) => noteBuffer(event.document)));
  disposables.add(vscode.workspace.onDidSaveTextDocument(noteBuffer));
  return disposables;
}

/** Unsaved edits that the editor brought back: their base is the one kept when they began. */
async function restoreBase(
  key: string,
  deps: { readonly bases: Bases; readonly archive: BaseArchive; readonly archived: Set<string> },
): Promise<void> {
  if (deps.bases.get(key) !== undefined) return;
  const kept = await deps.archive.read(key);
  if (kept === undefined || deps.bases.get(key) !== undefined) return;
  deps.bases.set(key, kept);
  deps.archived.add(key);
}
