/** Tracks the buffers of saved queries and their base versions, across restarts. */
import * as vscode from 'vscode';
import type { SavedQuery } from '#api/contract/saved-queries.ts';
import { DisposableStore } from '#base/disposables.ts';
import { errorName } from '#base/errors.ts';
import type { Logger } from '#base/logger.ts';
import { contextKeys } from '#client/contributions.ts';
import { hasEdits } from '#client/ui/has-edits.ts';
import { uriOfTab } from '#client/ui/shown-uris.ts';
import { isSameText } from '#core/saved-queries/same-text.ts';
import { savedQueryScheme } from '#server/protocol.ts';
import { openDocument } from '../records/open-document.ts';
import { savedQueryKey } from '../records/saved-query-uri.ts';
import type { BaseArchive } from './base-archive.ts';
import type { DocumentSaves } from './document-saves.ts';
import type { BufferEvent } from './open-buffer.ts';
import type { OpenQueries } from './open-queries.ts';
import type { SavedQueryFileSystem } from './saved-query-file-system.ts';

export interface BufferTrackerDependencies {
  readonly queries: OpenQueries;
  readonly archive: BaseArchive;
  readonly saves: DocumentSaves;
  readonly fileSystem: Pick<SavedQueryFileSystem, 'noteClean'>;
  readonly log: Logger;
}

export class BufferTracker implements vscode.Disposable {
  readonly #deps: BufferTrackerDependencies;
  readonly #disposables = new DisposableStore();
  #isPublished = false;

  constructor(deps: BufferTrackerDependencies) {
    this.#deps = deps;
    for (const document of vscode.workspace.textDocuments) this.#note(document);
    this.#disposables.add(vscode.workspace.onDidOpenTextDocument((document) => this.#note(document)));
    this.#disposables.add(vscode.workspace.onDidChangeTextDocument((event) => this.#noteChange(event)));
    this.#disposables.add(
      vscode.workspace.onDidSaveTextDocument((document) => this.#note(document, this.#isEdited(document))),
    );
    // Tab events follow document events, and show whether the document is really clean.
    this.#disposables.add(
      vscode.window.tabGroups.onDidChangeTabs(({ changed }) => {
        const uris = new Set(changed.map((tab) => uriOfTab(tab)?.toString()));
        for (const document of vscode.workspace.textDocuments)
          if (uris.has(document.uri.toString())) this.#note(document, this.#isEdited(document));
      }),
    );
    this.#disposables.add(deps.saves.onDidChangeBase((uri) => this.#noteBase(uri)));
    this.#disposables.add(vscode.workspace.onDidCloseTextDocument((document) => this.#noteClosed(document)));
  }

  dispose(): void {
    this.#disposables.dispose();
  }

  #note(document: vscode.TextDocument, isDirty = document.isDirty): void {
    if (document.uri.scheme !== savedQueryScheme) return;
    this.#deps.queries.of(document.uri).buffer.swapped.add(() => document.getText());
    if (isDirty) this.#noteEdits(document);
    else this.#noteClean(document);
    this.#publish();
  }

  #noteClean(document: vscode.TextDocument): void {
    const { queries, saves, fileSystem } = this.#deps;
    const base = saves.noteClean(document, queries.of(document.uri).buffer.unsaved);
    this.#take(document.uri, { kind: 'clean', base });
    fileSystem.noteClean(document);
  }

  #noteEdits(document: vscode.TextDocument): void {
    const { uri } = document;
    this.#take(uri, { kind: 'edited', text: document.getText(), base: this.#deps.queries.baseOf(uri) });
  }

  #take(uri: vscode.Uri, event: BufferEvent): void {
    const { queries, archive } = this.#deps;
    const query = queries.of(uri);
    const key = savedQueryKey(uri);
    const effect = query.buffer.take(event);
    if (effect?.kind === 'lookUp')
      this.#inBackground(
        'finding the base of restored edits',
        query.restore(() => this.#restoreBase(uri)),
      );
    else if (effect?.kind === 'keep') this.#inBackground('keeping a base', archive.write(key, effect.base));
    else if (effect?.kind === 'drop') this.#inBackground('removing a kept base', archive.delete(key));
  }

  #noteChange({ document, contentChanges, reason }: vscode.TextDocumentChangeEvent): void {
    const isOurs = document.uri.scheme === savedQueryScheme;
    if (isOurs && reason !== undefined) {
      const before = this.#deps.queries.of(document.uri).buffer.unsaved;
      const isRedo = reason === vscode.TextDocumentChangeReason.Redo;
      this.#deps.saves.noteUndo(document, { before, isRedo });
    }
    const isDirty =
      contentChanges.length > 0
        ? document.isDirty || (isOurs && this.#isBackAtOldText(document))
        : this.#isEdited(document);
    this.#note(document, isDirty);
  }

  /**
   * Returns whether the first edit of a clean buffer made its text the same as an older version's, by undo or by hand.
   * The editor still reports the buffer as clean, but it is not based on that version.
   */
  #isBackAtOldText(document: vscode.TextDocument): boolean {
    const { base, buffer } = this.#deps.queries.of(document.uri);
    const old = buffer.reads.withText(document.getText());
    return (
      buffer.unsaved === undefined && base !== undefined && old !== undefined && old.version < base.version
    );
  }

  /** Stores the base after a merge or undo; neither is complete until its base is stored. */
  #noteBase(uri: vscode.Uri): void {
    const document = openDocument(uri);
    const isUnsaved = this.#deps.queries.find(uri)?.buffer.unsaved !== undefined;
    if (document !== undefined && isUnsaved) this.#note(document, true);
  }

  #noteClosed({ uri }: vscode.TextDocument): void {
    // Changing the language closes and reopens a document without changing its text.
    if (uri.scheme !== savedQueryScheme || openDocument(uri) !== undefined) return;
    this.#take(uri, { kind: 'closed' });
    this.#deps.queries.close(uri);
    this.#publish();
  }

  /** Looks up the base of restored unsaved edits, which was stored when the edits began. */
  async #restoreBase(uri: vscode.Uri): Promise<void> {
    const { queries, archive } = this.#deps;
    if (queries.baseOf(uri) !== undefined) return;
    const kept = await archive.read(savedQueryKey(uri));
    if (kept === undefined || queries.baseOf(uri) !== undefined) return;
    queries.of(uri).rebase(kept);
  }

  /**
   * Returns whether a document has edits. After typing during a save, the editor reports the document as clean, and the
   * state of its tab may lag behind.
   */
  #isEdited(document: vscode.TextDocument): boolean {
    const buffer = this.#deps.queries.find(document.uri)?.buffer;
    const isOf = (record: SavedQuery | undefined) =>
      record !== undefined && isSameText(record.query_string, document.getText());
    return (
      hasEdits(document) && (document.isDirty || !(isOf(buffer?.filled) || isOf(buffer?.reads.newest())))
    );
  }

  #publish(): void {
    const hasUnsaved = this.#deps.queries.all().some(({ buffer }) => buffer.unsaved !== undefined);
    if (this.#isPublished === hasUnsaved) return;
    this.#isPublished = hasUnsaved;
    void vscode.commands.executeCommand('setContext', contextKeys.hasUnsavedQueries, hasUnsaved);
  }

  #inBackground(what: string, work: Promise<void>): void {
    void work.catch((error: unknown) => this.#deps.log.warn(`${what} failed: ${errorName(error)}`));
  }
}
