/** Watches the buffers of saved queries to know which version each one came from, over restarts too. */
import * as vscode from 'vscode';
import type { SavedQuery } from '../../../../../api/contract/saved-queries.ts';
import { contextKeys } from '../../../contributions.ts';
import { hasEdits } from '../../../ui/has-edits.ts';
import { uriOfTab } from '../../../ui/shown-uris.ts';
import { DisposableStore, type DisposableLike } from '../../../../../core/src/util/disposables.ts';
import type { Logger } from '../../../../../core/src/util/logger.ts';
import type { BaseArchive } from './base-archive.ts';
import { isSameText } from '../../../../../core/src/saved-queries/same-text.ts';
import type { OpenQueries } from './open-queries.ts';
import type { DocumentSaves } from './document-saves.ts';
import { openDocument } from './open-document.ts';
import type { SavedQueryFileSystem } from './saved-query-file-system.ts';
import { savedQueryKey, savedQueryScheme } from '../records/saved-query-uri.ts';
import { errorName } from '../../../../../core/src/util/errors.ts';

export function trackBuffers(deps: {
  readonly queries: OpenQueries;
  readonly archive: BaseArchive;
  readonly saves: DocumentSaves;
  readonly fileSystem: Pick<SavedQueryFileSystem, 'noteClean' | 'noteClosed'>;
  readonly log: Logger;
}): DisposableLike {
  const { queries, archive, saves, fileSystem, log } = deps;
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
    queries.of(document.uri).buffer.swapped.add(() => document.getText());
    if (!isDirty) {
      const base = saves.noteClean(document, unsaved.get(key));
      forget(key);
      if (base !== undefined) restored.add(key);
      if (archived.delete(key)) inBackground('removing a kept base', archive.delete(key));
      fileSystem.noteClean(document);
      return;
    }
    unsaved.set(key, document.getText());
    publish();
    const base = queries.baseOf(document.uri);
    if (base === undefined && !restored.has(key)) {
      restored.add(key);
      const restore = () => restoreBase(document.uri, { queries, archive, archived });
      inBackground('finding the base of restored edits', queries.of(document.uri).restore(restore));
    }
    if (base !== undefined && archived.get(key) !== base.version) {
      archived.set(key, base.version);
      inBackground('keeping a base', archive.write(key, base));
    }
  };

  // Of a text that was typed into while it was saved the editor says that it is clean; its tab may not have heard yet.
  const isEdited = (document: vscode.TextDocument) => {
    const buffer = queries.find(document.uri)?.buffer;
    const isOf = (record: SavedQuery | undefined) =>
      record !== undefined && isSameText(record.query_string, document.getText());
    return (
      hasEdits(document) && (document.isDirty || !(isOf(buffer?.filled) || isOf(buffer?.reads.newest())))
    );
  };

  for (const document of vscode.workspace.textDocuments) noteBuffer(document);
  disposables.add(vscode.workspace.onDidOpenTextDocument((document) => noteBuffer(document)));
  disposables.add(
    vscode.workspace.onDidChangeTextDocument(({ document, contentChanges, reason }) => {
      const isOurs = document.uri.scheme === savedQueryScheme;
      if (isOurs && reason !== undefined) saves.noteBroughtBack(document);
      noteBuffer(document, contentChanges.length > 0 ? document.isDirty : isEdited(document));
    }),
  );
  disposables.add(
    vscode.workspace.onDidSaveTextDocument((document) => noteBuffer(document, isEdited(document))),
  );
  // Events of a document come before those of its tab, so that is where it shows whether it is clean after all.
  disposables.add(
    vscode.window.tabGroups.onDidChangeTabs(({ changed }) => {
      const uris = new Set(changed.map((tab) => uriOfTab(tab)?.toString()));
      for (const document of vscode.workspace.textDocuments)
        if (uris.has(document.uri.toString())) noteBuffer(document, isEdited(document));
    }),
  );
  // A merge and undo change what a text comes from, and are done when that is kept as well.
  disposables.add(
    saves.onDidChangeBase((uri) => {
      const document = openDocument(uri);
      if (document !== undefined && unsaved.has(savedQueryKey(uri))) noteBuffer(document, true);
    }),
  );
  disposables.add(
    vscode.workspace.onDidCloseTextDocument(({ uri }) => {
      if (uri.scheme !== savedQueryScheme) return;
      queries.find(uri)?.buffer.swapped.forget();
      fileSystem.noteClosed(uri);
      forget(savedQueryKey(uri));
      restored.delete(savedQueryKey(uri));
    }),
  );
  return disposables;
}

/** Unsaved edits that the editor brought back: their base is the one kept when they began. */
async function restoreBase(
  uri: vscode.Uri,
  deps: {
    readonly queries: OpenQueries;
    readonly archive: BaseArchive;
    readonly archived: Map<string, number>;
  },
): Promise<void> {
  const { queries, archive } = deps;
  const key = savedQueryKey(uri);
  if (queries.baseOf(uri) !== undefined) return;
  const kept = await archive.read(key);
  if (kept === undefined || queries.baseOf(uri) !== undefined) return;
  queries.of(uri).rebase(kept);
  deps.archived.set(key, kept.version);
}
