/**
 * Moves the editors of queries whose URI changes because the query or its connection was renamed. They are reopened in
 * place, with unsaved edits and their base version.
 */
import * as vscode from 'vscode';
import type { SavedQuery } from '#api/contract/saved-queries.ts';
import { Queue } from '#base/async/queue.ts';
import { hasEdits } from '#client/ui/has-edits.ts';
import { allTabs, uriOfTab } from '#client/ui/shown-uris.ts';
import { showDiff } from '#client/ui/shown/diffs.ts';
import { isSameText } from '#core/saved-queries/same-text.ts';
import { openDocument, openDocumentOf } from '../records/open-document.ts';
import type { QueryConnections } from '../records/query-connection.ts';
import { nameInUri, parseSavedQueryUri } from '../records/saved-query-uri.ts';
import type { OpenQueries } from '../saving/open-queries.ts';
import type { SavedQueryFileSystem } from '../saving/saved-query-file-system.ts';
import { parseVersionUri } from '../versions/version-documents.ts';

export interface QueryTabsDependencies {
  readonly queries: OpenQueries;
  readonly fileSystem: SavedQueryFileSystem;
  readonly connections: QueryConnections;
}

/** The URIs of an open query, which have changed with the name of the query or its connection. */
export interface Moved {
  readonly from: vscode.Uri;
  readonly to: vscode.Uri;
}

export class QueryTabs implements vscode.Disposable {
  readonly #deps: QueryTabsDependencies;
  readonly #moved = new vscode.EventEmitter<Moved>();
  readonly onDidMove = this.#moved.event;
  /** One move at a time: concurrent moves of a document must not interleave. */
  readonly #moves = new Queue();

  constructor(deps: QueryTabsDependencies) {
    this.#deps = deps;
  }

  /**
   * Moves a document to another URI. Edits keep their base version.
   * @param content the new content of a document without edits, if its text changes.
   * @returns the new document, or the same one if it cannot be moved.
   */
  async move(
    document: vscode.TextDocument,
    to: vscode.Uri,
    content?: SavedQuery,
  ): Promise<vscode.TextDocument> {
    return await this.#moves.add(async () => {
      if (!(await this.#move(document, to, content))) return document;
      // A tab that moved in the background has no document until it is shown.
      this.#moved.fire({ from: document.uri, to });
      return openDocument(to) ?? document;
    });
  }

  /** Moves the background tabs of a query that the editor has not loaded yet: they have no document to move. */
  async moveUnloaded(to: vscode.Uri): Promise<void> {
    await this.#moves.add(async () => {
      for (const { input } of allTabs()) {
        if (!(input instanceof vscode.TabInputText)) continue;
        const { uri } = input;
        if (!isOfSameQuery(uri, to) || openDocument(uri) !== undefined) continue;
        await showTabsAt(uri, to);
        await closeClean(uri);
        this.#moved.fire({ from: uri, to });
      }
    });
  }

  dispose(): void {
    this.#moved.dispose();
  }

  /** Shows open versions under the current names of their queries. */
  async renameVersions(): Promise<void> {
    const isVersion = (tab: vscode.Tab) =>
      parseVersionUri(uriOfTab(tab) ?? vscode.Uri.file('/')) !== undefined;
    if (!allTabs().some(isVersion)) return;
    const { renameVersionTabs } = await import('../versions/version-tabs.ts');
    await this.#moves.add(renameVersionTabs);
  }

  /** Closes a document whose text, including edits, has moved elsewhere. */
  async closeKeptElsewhere(document: vscode.TextDocument): Promise<void> {
    const { fileSystem } = this.#deps;
    await this.#moves.add(async () => {
      const { uri } = document;
      if (hasEdits(document)) await fileSystem.handingOver(uri, () => document.save());
      await closeClean(uri);
    });
  }

  async #move(
    document: vscode.TextDocument,
    to: vscode.Uri,
    content: SavedQuery | undefined,
  ): Promise<boolean> {
    const { uri } = document;
    const { queries, fileSystem, connections } = this.#deps;
    await queries.find(uri)?.restored();
    await queries.find(uri)?.idle();
    if (uri.toString() === to.toString()) return false;
    const shown = tabsOf(uri);
    if (shown.length === 0) return await this.#moveFurther(to, content);
    if (document.isClosed || !shown.every((tab) => this.#canMove(tab, uri, to))) return false;
    const base = queries.baseOf(uri);
    const filling = hasEdits(document) ? base : (content ?? base);
    if (filling !== undefined) fileSystem.prepare(to, filling);
    connections.noteMoved(uri, to);
    // Edits with an unknown base version are not moved; their base is checked when they are saved.
    if (base !== undefined && (await this.#become(document, to, base))) return true;
    if (hasEdits(document)) return false;
    // The text changes, too.
    await showTabsAt(uri, to);
    await showComparisonsAt(uri, to);
    // If the document was edited in the meantime, it stays open and keeps its state.
    if (!hasEdits(document)) queries.carry(uri, to);
    await closeClean(uri);
    return true;
  }

  /** A comparison can move with a rename; a conflict stays where it is shown. */
  #canMove({ input }: vscode.Tab, uri: vscode.Uri, to: vscode.Uri): boolean {
    if (input instanceof vscode.TabInputText) return true;
    if (!(input instanceof vscode.TabInputTextDiff)) return false;
    const isOfSameConnection = parseSavedQueryUri(uri)?.connection === parseSavedQueryUri(to)?.connection;
    return (
      isOfSameConnection &&
      this.#deps.queries.conflictOf(uri) === undefined &&
      input.modified.toString() === uri.toString() &&
      parseVersionUri(input.original) !== undefined
    );
  }

  /** Continues from the current URI if the document has already moved. */
  async #moveFurther(to: vscode.Uri, content: SavedQuery | undefined): Promise<boolean> {
    const address = parseSavedQueryUri(to);
    const now = address && openDocumentOf(address.connection, address.queryId);
    if (now === undefined || tabsOf(now.uri).length === 0) return false;
    if (now.uri.toString() !== to.toString()) return await this.#move(now, to, content);
    if (content !== undefined && !hasEdits(now)) this.#deps.fileSystem.reload(to, content);
    return true;
  }

  /**
   * Moves the text with its edits, and with what is typed meanwhile, to a buffer with the same base text.
   * @returns false if the text there is another one.
   */
  async #become(document: vscode.TextDocument, to: vscode.Uri, base: SavedQuery): Promise<boolean> {
    const { queries, fileSystem } = this.#deps;
    const [moved, { becomeDocument }, { FollowedEdits }] = await Promise.all([
      vscode.workspace.openTextDocument(to),
      import('../becoming/become-document.ts'),
      import('../becoming/followed-edits.ts'),
    ]);
    const { uri } = document;
    // If the document was reverted or reloaded in the meantime, its text has a different base version.
    const isSame = (text: string | undefined) => text !== undefined && isSameText(text, base.query_string);
    const bases = [queries.baseOf(uri), queries.baseOf(to)].map((each) => each?.query_string);
    if (moved.isDirty || ![...bases, moved.getText()].every(isSame)) return false;
    const followed = new FollowedEdits(document);
    let isCarried = false;
    try {
      return await becomeDocument(followed, to, {
        isAsItIs: true,
        keepsPreview: true,
        showElsewhere: () => showComparisonsAt(uri, to),
        letGo: async () => {
          // A second time would exchange them back.
          if (!isCarried) queries.carry(uri, to);
          isCarried = true;
          if (hasEdits(document)) await fileSystem.handingOver(uri, () => document.save());
          await closeClean(uri);
          return tabsOf(uri).length === 0;
        },
      });
    } finally {
      followed.dispose();
    }
  }
}

/** Replaces a URI in every tab that shows it. */
async function showTabsAt(from: vscode.Uri, to: vscode.Uri): Promise<void> {
  for (const { group, isActive, isPreview, input } of tabsOf(from)) {
    if (!(input instanceof vscode.TabInputText)) continue;
    const at = vscode.window.visibleTextEditors.find(
      (editor) =>
        editor.document.uri.toString() === from.toString() && editor.viewColumn === group.viewColumn,
    );
    const place = { viewColumn: group.viewColumn, preview: isPreview };
    if (!isActive) {
      // A background tab stays in the background.
      await vscode.commands.executeCommand('vscode.open', to, { ...place, background: true });
      continue;
    }
    await vscode.window.showTextDocument(to, {
      ...place,
      preserveFocus: !group.isActive,
      ...(at === undefined ? {} : { selection: at.selection }),
    });
  }
}

/** Reopens the comparisons of a document with the new URI and title. */
async function showComparisonsAt(from: vscode.Uri, to: vscode.Uri): Promise<void> {
  const [before, after] = [nameInUri(from), nameInUri(to)];
  for (const { group, isActive, isPreview, input, label } of tabsOf(from)) {
    if (!(input instanceof vscode.TabInputTextDiff)) continue;
    const short = (name: string) => name.slice(name.lastIndexOf('/') + 1);
    const title = label.startsWith(before)
      ? after + label.slice(before.length)
      : label.startsWith(short(before))
        ? short(after) + label.slice(short(before).length)
        : label;
    await showDiff(input.original, to, title, {
      viewColumn: group.viewColumn,
      preview: isPreview,
      preserveFocus: !(group.isActive && isActive),
    });
  }
}

/** Returns whether a URI shows the same query under another name. */
function isOfSameQuery(uri: vscode.Uri, to: vscode.Uri): boolean {
  const [one, other] = [parseSavedQueryUri(uri), parseSavedQueryUri(to)];
  if (one === undefined || other === undefined || uri.toString() === to.toString()) return false;
  return one.connection === other.connection && one.queryId === other.queryId;
}

/** Closes tabs, but checks for edits again first: a tab with edits stays open. */
async function closeClean(uri: vscode.Uri): Promise<void> {
  const left = tabsOf(uri).filter(({ isDirty }) => !isDirty);
  if (left.length > 0) await vscode.window.tabGroups.close(left, true);
}

/** Returns every tab that shows a document, alone or in a comparison. */
function tabsOf(uri: vscode.Uri): readonly vscode.Tab[] {
  const address = uri.toString();
  return allTabs().filter(({ input }) => {
    if (input instanceof vscode.TabInputText) return input.uri.toString() === address;
    if (!(input instanceof vscode.TabInputTextDiff)) return false;
    return input.original.toString() === address || input.modified.toString() === address;
  });
}
