/**
 * Shows the tabs of a query under its current name, after it or its connection was renamed, by opening them again in
 * place. Unsaved edits keep their tab, and its name, until they are saved; only if their connection has another name do
 * they move, since the address of their tab does not lead to it.
 */
import * as vscode from 'vscode';
import type { SavedQuery } from '#api/contract/saved-queries.ts';
import { Queue } from '#base/async/queue.ts';
import { hasEdits } from '#client/ui/has-edits.ts';
import { allTabs, uriOfTab, urisOfTab } from '#client/ui/shown-uris.ts';
import { showDiff } from '#client/ui/shown/diffs.ts';
import { isSameText } from '#core/saved-queries/same-text.ts';
import { openDocument, openDocumentOf } from '../records/open-document.ts';
import type { QueryConnections } from '../records/query-connection.ts';
import { isOfSameConnection, nameInUri, parseSavedQueryUri } from '../records/saved-query-uri.ts';
import type { OpenQueries } from '../saving/open-queries.ts';
import type { SavedQueryFileSystem } from '../saving/saved-query-file-system.ts';
import { parseVersionUri } from '../versions/version-documents.ts';

/** The editor reads a changed file within a fraction of this, unless it has just closed the document. */
const readLimitMs = 2_000;

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

export interface Following {
  /** Shown in tabs without edits; otherwise, each keeps its version. */
  readonly newest?: SavedQuery | undefined;
  /** Whether the focus stays where it is, such as in a tree. */
  readonly keepsFocus?: boolean;
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
   * Shows the tabs of a query at its current URI, also those that the editor has not loaded; if it has edits, where
   * those are.
   * @returns where the query is shown; the current URI if it is not.
   */
  async follow(current: vscode.Uri, following: Following = {}): Promise<vscode.Uri> {
    const { connection = '', queryId = '' } = parseSavedQueryUri(current) ?? {};
    const elsewhere = this.#elsewhere(current);
    // The usual case waits for nobody.
    if (elsewhere.length === 0 && !isVersionOpen()) return current;
    // Other queries do not wait for the requests of this one.
    for (const from of elsewhere) {
      const query = this.#deps.queries.find(from);
      await query?.restored();
      await query?.idle();
    }
    return await this.#moves.add(async () => {
      const { connections } = this.#deps;
      const edited = openDocumentOf(connections, connection, queryId);
      const isKept = edited !== undefined && hasEdits(edited) && isOfSameConnection(edited.uri, current);
      const to = isKept ? edited.uri : current;
      for (const from of this.#elsewhere(to))
        if (await this.#move(from, to, following)) this.#moved.fire({ from, to });
      await renameVersions(following);
      // What cannot move may be at an earlier name of the connection.
      const open = openDocumentOf(connections, connection, queryId);
      return open !== undefined && (hasEdits(open) || tabsOf(open.uri).length > 0) ? open.uri : to;
    });
  }

  dispose(): void {
    this.#moved.dispose();
  }

  /** Shows open versions under the current names of their queries. */
  async renameVersions(): Promise<void> {
    await this.#moves.add(() => renameVersions({}));
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

  /** Returns the other URIs under which tabs show the query. */
  #elsewhere(to: vscode.Uri): readonly vscode.Uri[] {
    const { connection, queryId } = parseSavedQueryUri(to) ?? {};
    const uris = new Map<string, vscode.Uri>();
    for (const uri of allTabs().flatMap((tab) => uriOfTab(tab) ?? [])) {
      const isSame = parseSavedQueryUri(uri)?.queryId === queryId && queryId !== undefined;
      if (isSame && this.#deps.connections.nameNow(uri) === connection) uris.set(uri.toString(), uri);
    }
    uris.delete(to.toString());
    return [...uris.values()];
  }

  async #move(uri: vscode.Uri, to: vscode.Uri, { newest, keepsFocus = false }: Following): Promise<boolean> {
    const { queries, fileSystem, connections } = this.#deps;
    const query = queries.find(uri);
    await query?.restored();
    await query?.idle();
    if (newest !== undefined) await this.#showNewest(uri, newest);
    const shown = tabsOf(uri);
    if (shown.length === 0 || !shown.every((tab) => this.#canMove(tab, uri, to))) return false;
    const document = openDocument(uri);
    const isEdited = shown.some(({ isDirty }) => isDirty) || document?.isDirty === true;
    if ((isEdited || query?.buffer.isUndone === true) && isOfSameConnection(uri, to)) return false;
    const base = query?.base;
    const filling = isEdited ? base : (newest ?? base);
    const isOpen = openDocument(to) !== undefined;
    // What is open there may be newer, and what the person decided there counts.
    if (!isOpen && filling !== undefined) fileSystem.prepare(to, filling);
    if (!isOpen) queries.carry(uri, to);
    connections.noteMoved(uri, to);
    // Edits with an unknown base version are not moved; their base is checked when they are saved.
    if (document !== undefined && base !== undefined) {
      const isMoved = await this.#become(document, to, { base, keepsFocus });
      if (isMoved) return true;
    }
    if (isEdited || hasEdits(document)) {
      if (openDocument(to) === undefined) queries.close(to);
      return false;
    }
    // The text is another one, or is not loaded.
    const { showInPlaceOf } = await import('../becoming/become-document.ts');
    await showInPlaceOf(uri, to, { keepsPreview: true, keepsFocus });
    await showComparisonsAt(uri, to, keepsFocus);
    await closeClean(uri);
    if (!hasEdits(document)) return true;
    // It was edited in the meantime, so it stays, and the next keys are meant for it.
    await vscode.window.showTextDocument(uri, { preview: false, preserveFocus: keepsFocus });
    if (!isOpen) await closeClean(to);
    return false;
  }

  /** Shows the newest text in an open document first: keys can follow only to a document with the same text. */
  async #showNewest(uri: vscode.Uri, newest: SavedQuery): Promise<void> {
    const { queries, fileSystem } = this.#deps;
    const document = openDocument(uri);
    const { base, buffer } = queries.find(uri) ?? {};
    if (document === undefined || base === undefined || hasEdits(document) || buffer?.isUndone === true)
      return;
    if (isSameText(base.query_string, newest.query_string) || tabsOf(uri).length === 0) return;
    // The text came from elsewhere, so nothing in the document will change.
    if (isSameText(document.getText(), newest.query_string)) {
      fileSystem.reload(uri, newest);
      return;
    }
    const { promise: isRead, resolve } = Promise.withResolvers<true>();
    const changes = vscode.workspace.onDidChangeTextDocument((event) => {
      if (event.document === document && event.contentChanges.length > 0) resolve(true);
    });
    const limit = setTimeout(() => resolve(true), readLimitMs);
    fileSystem.reload(uri, newest);
    await isRead;
    clearTimeout(limit);
    changes.dispose();
  }

  /**
   * A comparison can move with a rename. What waits for the user, or for the outcome of a write, stays where it is.
   */
  #canMove({ input }: vscode.Tab, uri: vscode.Uri, to: vscode.Uri): boolean {
    const state = this.#deps.queries.find(uri)?.state;
    if (state?.kind === 'conflict' || (state?.unanswered.length ?? 0) > 0) return false;
    if (input instanceof vscode.TabInputText) return true;
    return (
      input instanceof vscode.TabInputTextDiff &&
      isOfSameConnection(uri, to) &&
      input.modified.toString() === uri.toString() &&
      parseVersionUri(input.original) !== undefined
    );
  }

  /**
   * Moves the text, with what is typed meanwhile, to a buffer with the same base text.
   * @returns false if the text there is another one.
   */
  async #become(
    document: vscode.TextDocument,
    to: vscode.Uri,
    { base, keepsFocus }: { readonly base: SavedQuery; readonly keepsFocus: boolean },
  ): Promise<boolean> {
    const { queries, fileSystem } = this.#deps;
    const [moved, { becomeDocument }, { FollowedEdits }] = await Promise.all([
      vscode.workspace.openTextDocument(to),
      import('../becoming/become-document.ts'),
      import('../becoming/followed-edits.ts'),
    ]);
    const { uri } = document;
    if (hasEdits(document) && isOfSameConnection(uri, to)) return false;
    // If the document was reverted or reloaded in the meantime, its text has a different base version.
    const isSame = (text: string | undefined) => text !== undefined && isSameText(text, base.query_string);
    const bases = [queries.baseOf(uri), queries.baseOf(to)].map((each) => each?.query_string);
    if (moved.isDirty || ![...bases, moved.getText()].every(isSame)) return false;
    const followed = new FollowedEdits(document);
    try {
      return await becomeDocument(followed, to, {
        isAsItIs: true,
        keepsPreview: true,
        keepsFocus,
        showElsewhere: () => showComparisonsAt(uri, to, keepsFocus),
        letGo: async () => {
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

function isVersionOpen(): boolean {
  return allTabs().some((tab) => parseVersionUri(uriOfTab(tab) ?? vscode.Uri.file('/')) !== undefined);
}

async function renameVersions({ keepsFocus = false }: Following): Promise<void> {
  if (!isVersionOpen()) return;
  const { renameVersionTabs } = await import('../versions/version-tabs.ts');
  await renameVersionTabs({ keepsFocus });
}

/** Reopens the comparisons of a document with the new URI and title. */
async function showComparisonsAt(from: vscode.Uri, to: vscode.Uri, keepsFocus: boolean): Promise<void> {
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
      preserveFocus: keepsFocus || !(group.isActive && isActive),
    });
  }
}

/** Closes tabs, but checks for edits again first: a tab with edits stays open. */
async function closeClean(uri: vscode.Uri): Promise<void> {
  const left = tabsOf(uri).filter(({ isDirty }) => !isDirty);
  if (left.length > 0) await vscode.window.tabGroups.close(left, true);
}

/** Returns every tab that shows a document, alone or in a comparison. */
function tabsOf(uri: vscode.Uri): readonly vscode.Tab[] {
  const address = uri.toString();
  return allTabs().filter((tab) => urisOfTab(tab).some((each) => each.toString() === address));
}
