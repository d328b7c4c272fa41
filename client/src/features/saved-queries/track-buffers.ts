/** Watches the buffers of saved queries to know which version each one came from, over restarts too. */
import * as vscode from 'vscode';
import { DisposableStore, type DisposableLike } from '../../util/disposables.ts';
import type { Logger } from '../../util/logger.ts';
import type { BaseArchive } from './base-archive.ts';
import type { Bases } from './bases.ts';
import type { DocumentSaves } from './document-saves.ts';
import { savedQueryKey, savedQueryScheme } from './saved-query-uri.ts';

export function trackBuffers(deps: {
  readonly bases: Bases;
  readonly archive: BaseArchive;
  readonly saves: DocumentSaves;
  readonly log: Logger;
}): DisposableLike {
  const { bases, archive, saves, log } = deps;
  const disposables = new DisposableStore();
  /** The version archived for each dirty buffer. */
  const archived = new Map<string, number>();
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
      saves.noteClean(document.uri);
      if (archived.delete(key)) inBackground('removing a kept base', archive.delete(key));
      return;
    }
    const base = bases.get(key);
    if (base !== undefined && archived.get(key) !== base.version) {
      archived.set(key, base.version);
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
  disposables.add(
    vscode.workspace.onDidChangeTextDocument(({ document, reason }) => {
      const isOurs = document.uri.scheme === savedQueryScheme;
      if (isOurs && reason !== undefined) saves.noteBroughtBack(document);
      noteBuffer(document);
    }),
  );
  disposables.add(vscode.workspace.onDidSaveTextDocument(noteBuffer));
  return disposables;
}

/** Unsaved edits that the editor brought back: their base is the one kept when they began. */
async function restoreBase(
  key: string,
  deps: { readonly bases: Bases; readonly archive: BaseArchive; readonly archived: Map<string, number> },
): Promise<void> {
  if (deps.bases.get(key) !== undefined) return;
  const kept = await deps.archive.read(key);
  if (kept === undefined || deps.bases.get(key) !== undefined) return;
  deps.bases.rebase(key, kept);
  deps.archived.set(key, kept.version);
}
