/** Watches the buffers of saved queries to know which version each one came from, over restarts too. */
import * as vscode from 'vscode';
import { contextKeys } from '../../contributions.ts';
import { DisposableStore, type DisposableLike } from '../../util/disposables.ts';
import type { Logger } from '../../util/logger.ts';
import type { BaseArchive } from './base-archive.ts';
import { isSameText, type Bases } from './bases.ts';
import type { DocumentSaves } from './document-saves.ts';
import { savedQueryKey, savedQueryScheme } from './saved-query-uri.ts';
import { errorName } from '../../util/errors.ts';

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
  /** Buffers that had a base, or whose base was looked for in the archive since the editor brought them back. */
  const restored = new Set<string>();
  /** The text of each dirty buffer: what the editor takes away when it reverts one. */
  const unsaved = new Map<string, string>();
  const inBackground = (what: string, work: Promise<void>) => {
    void work.catch((error: unknown) => log.warn(`${what} failed: ${errorName(error)}`));
  };

  let isPublished = false;
  const publish = () => {
    if (isPublished === unsaved.size > 0) return;
    isPublished = unsaved.size > 0;
    void vscode.commands.executeCommand('setContext', contextKeys.hasUnsavedQueries, isPublished);
  };
  const forget = (key: string) => {
    unsaved.delete(key);
    publish();
  };

  const noteBuffer = (document: vscode.TextDocument, isDirty = document.isDirty) => {
    if (document.uri.scheme !== savedQueryScheme) return;
    const key = savedQueryKey(document.uri);
    if (!isDirty) {
      const before = bases.get(key);
      const base = bases.noteClean(key, document.getText());
      const text = unsaved.get(key) ?? before?.query_string;
      const isOther =
        base !== undefined && base !== before && !isSameText(before?.query_string ?? '', base.query_string);
      if (isOther && text !== undefined) saves.noteFilled(document.uri, { text, base: before }, base);
      forget(key);
      if (base !== undefined) restored.add(key);
      saves.noteClean(document.uri);
      if (archived.delete(key)) inBackground('removing a kept base', archive.delete(key));
      return;
    }
    unsaved.set(key, document.getText());
    publish();
    const base = bases.get(key);
    if (base === undefined && !restored.has(key)) {
      restored.add(key);
      const restore = () => restoreBase(key, { bases, archive, archived });
      inBackground('finding the base of restored edits', bases.restore(key, restore));
    }
    if (base !== undefined && archived.get(key) !== base.version) {
      archived.set(key, base.version);
      inBackground('keeping a base', archive.write(key, base));
    }
  };

  for (const document of vscode.workspace.textDocuments) noteBuffer(document);
  disposables.add(vscode.workspace.onDidOpenTextDocument((document) => noteBuffer(document)));
  disposables.add(
    vscode.workspace.onDidChangeTextDocument(({ document, reason }) => {
      const isOurs = document.uri.scheme === savedQueryScheme;
      if (isOurs && reason !== undefined) saves.noteBroughtBack(document);
      noteBuffer(document);
    }),
  );
  disposables.add(
    vscode.workspace.onDidSaveTextDocument((document) => {
      const saved = bases.filled(savedQueryKey(document.uri))?.query_string;
      // Typed into while it was saved, it is not clean, though the editor says so.
      noteBuffer(document, document.isDirty || !isSameText(document.getText(), saved ?? document.getText()));
    }),
  );
  disposables.add(
    vscode.workspace.onDidCloseTextDocument(({ uri }) => {
      if (uri.scheme !== savedQueryScheme) return;
      forget(savedQueryKey(uri));
      restored.delete(savedQueryKey(uri));
    }),
  );
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
