/**
 * Drives the save state machine of open saved queries: each is settled, or in a conflict that waits for the user.
 * Requests and base changes run in order per query, so that no save sees a partial state. Has no user interface.
 */
import * as vscode from 'vscode';
import type { ServiceClient } from '#api/client/client.ts';
import type { SavedQuery } from '#api/contract/saved-queries.ts';
import { DisposableStore } from '#base/disposables.ts';
import { runSave, type SaveOutcome } from '#core/saved-queries/run-save.ts';
import { isSameText } from '#core/saved-queries/same-text.ts';
import {
  afterUndo,
  draftFor,
  settledFrom,
  step,
  type Choice,
  type MergeLabelsOf,
  type SaveEffect,
  type SaveState,
  type UndoWay,
} from '#core/saved-queries/save-machine.ts';
import { StoredForm } from '#core/saved-queries/stored-text.ts';
import { fillDocument } from '../records/open-document.ts';
import { parseSavedQueryUri } from '../records/saved-query-uri.ts';
import type { OpenQueries } from './open-queries.ts';
import type { OpenQuery } from './open-query.ts';
import { Turn } from './turn.ts';

export interface SaveRequest {
  readonly uri: vscode.Uri;
  readonly text: string;
  /** Client for the query's own connection. */
  readonly client: ServiceClient;
  /** Whether the user pressed Save and sees this query. Otherwise, it is an automatic save or one of many. */
  readonly isExplicit: boolean;
}

export interface Asked {
  readonly uri: vscode.Uri;
  readonly isExplicit: boolean;
}

/** The editor's content after a conflict was resolved. */
export interface Chosen {
  readonly kind: 'fill' | 'saveNow';
  /** Text before the change; `text` is the new text. */
  readonly before: string;
  readonly text: string;
  readonly theirs: SavedQuery;
}

export interface DocumentSavesDependencies {
  readonly queries: OpenQueries;
  readonly labels: MergeLabelsOf;
  /** Called with every record in a service response. */
  readonly onRecord: (uri: vscode.Uri, record: SavedQuery) => void;
}

export class DocumentSaves implements vscode.Disposable {
  readonly #deps: DocumentSavesDependencies;
  readonly #disposables = new DisposableStore();
  readonly #onDidAsk = this.#disposables.add(new vscode.EventEmitter<Asked>());
  readonly #onDidChangeBase = this.#disposables.add(new vscode.EventEmitter<vscode.Uri>());
  /** By connection name. */
  readonly #storedForms = new Map<string, StoredForm>();

  /** Fires when the user has to resolve a conflict. */
  readonly onDidAsk = this.#onDidAsk.event;
  /** Fires when the base version of an editor's text changes. */
  readonly onDidChangeBase = this.#onDidChangeBase.event;

  constructor(deps: DocumentSavesDependencies) {
    this.#deps = deps;
  }

  /** Saves the text as the version that follows its base. */
  async save(request: SaveRequest): Promise<SaveEffect & { readonly error?: unknown }> {
    return await this.#run(request, 'save');
  }

  /** Checks for a newer version before a save, without writing anything. */
  async check(request: SaveRequest): Promise<SaveEffect & { readonly error?: unknown }> {
    return await this.#run(request, 'check');
  }

  /**
   * Resolves a conflict. New text is put into the editor before its version becomes the base, and edits made until then
   * are part of the result.
   * @param theirs the version that the user's decision refers to; a conflict with another version is not resolved.
   * @param isWanted whether text may be put into the editor; otherwise, the conflict remains.
   * @returns undefined if the conflict no longer exists or the text is not wanted.
   */
  async choose(
    document: vscode.TextDocument,
    choice: Choice,
    {
      theirs,
      isWanted = () => true,
    }: { readonly theirs?: SavedQuery | undefined; readonly isWanted?: (text: string) => boolean } = {},
  ): Promise<Chosen | undefined> {
    const { labels } = this.#deps;
    const query = this.#deps.queries.of(document.uri);
    const { swapped } = query.buffer;
    return await this.#inTurn(query, async (turn) => {
      for (;;) {
        const state = turn.catchUp();
        const isOther =
          state.kind === 'conflict' && theirs !== undefined && theirs.version !== state.theirs.version;
        if (state.kind !== 'conflict' || isOther) return undefined;
        const before = document.getText();
        const next = step(state, { kind: 'choose', choice, mine: draftFor(state, before) }, labels);
        if (next?.effect.kind === 'saveNow') {
          turn.state = next.state;
          return { kind: 'saveNow', before, text: before, theirs: state.theirs };
        }
        if (next?.effect.kind !== 'fill' || !isWanted(next.effect.text)) return undefined;
        const { text } = next.effect;
        if (await fillDocument(document, text)) {
          turn.state = next.state;
          swapped.begin([text, document.getText()]);
          return { kind: 'fill', before, text, theirs: state.theirs };
        }
        // Edited in the meantime: retry with the current text. A closed document cannot be edited.
        if (document.isClosed || document.getText() === before) return undefined;
      }
    });
  }

  /** Restores earlier text together with its base. @returns whether the edit was applied. */
  async putBack(document: vscode.TextDocument, text: string): Promise<boolean> {
    const query = this.#deps.queries.of(document.uri);
    const { swapped } = query.buffer;
    return await this.#inTurn(query, async (turn) => {
      if (!(await fillDocument(document, text))) return false;
      turn.state = afterUndo(turn.catchUp(), [text]);
      swapped.begin([text, document.getText()]);
      return true;
    });
  }

  /** Called after undo or redo, which changes the base if it crosses a merge. */
  noteUndo(document: vscode.TextDocument, way: UndoWay): void {
    const query = this.#deps.queries.of(document.uri);
    const text = document.getText();
    if (query.turn !== undefined) {
      this.#rebase(query, query.turn.note({ kind: 'undone', text, way }).base);
      return;
    }
    const { state } = query;
    const next = afterUndo(state, [text], way);
    if (next === state) return;
    this.#stand(query, next);
    if (next.base !== state.base) query.buffer.swapped.begin([text]);
  }

  /**
   * Called when the buffer is clean, so that no conflict remains. If the buffer shows another version, undo restores
   * the earlier text together with its base.
   * @param unsaved the discarded edits.
   * @returns the version in the buffer.
   */
  noteClean(document: vscode.TextDocument, unsaved?: string): SavedQuery | undefined {
    const query = this.#deps.queries.of(document.uri);
    const { state, base: before, turn } = query;
    const record = query.buffer.noteClean(document.getText());
    const text = unsaved ?? before?.query_string;
    const isOther =
      record !== undefined &&
      record !== before &&
      !isSameText(before?.query_string ?? '', record.query_string);
    if (record !== undefined) query.rebase(record);
    if (isOther && text !== undefined) {
      const change = { kind: 'filled', before: text, record } as const;
      query.buffer.swapped.begin([record.query_string]);
      // This is repeated when the turn ends; rebase now in case the window closes first.
      if (turn !== undefined) this.#rebase(query, turn.note(change).base);
      else this.#stand(query, step(state, change, this.#deps.labels)?.state ?? query.state);
    } else if (turn === undefined && state.kind === 'conflict') {
      this.#stand(query, settledFrom(state, record ?? state.base));
    }
    return query.base;
  }

  dispose(): void {
    this.#disposables.dispose();
  }

  async #run(
    { uri, text, client, isExplicit }: SaveRequest,
    kind: 'save' | 'check',
  ): Promise<SaveEffect & { readonly error?: unknown }> {
    const { queries, labels, onRecord } = this.#deps;
    const query = queries.of(uri);
    const { swapped } = query.buffer;
    const stored = this.#storedFormOf(parseSavedQueryUri(uri)?.connection ?? '');
    const context = { client, labels, stored, onRecord: (record: SavedQuery) => onRecord(uri, record) };
    const asking = async (turn: Turn): Promise<SaveOutcome | undefined> => {
      const { state } = turn;
      if (!swapped.holds(text)) return { state, effect: { kind: 'keep', reason: 'overtaken' } };
      const outcome = await runSave(state, { kind, mine: draftFor(state, text) }, context);
      if (outcome !== undefined) turn.state = outcome.state;
      return outcome;
    };
    const outcome = await this.#inTurn(query, asking, (left) => {
      // If an undo went back past the conflict, the next save asks the user.
      if (left?.effect.kind === 'ask' && query.conflict !== undefined)
        this.#onDidAsk.fire({ uri: query.uri, isExplicit });
    });
    return { ...(outcome?.effect ?? { kind: 'none' }), error: outcome?.error };
  }

  async #inTurn<T>(
    query: OpenQuery,
    work: (turn: Turn) => Promise<T>,
    onEnd: (result: T) => void = () => undefined,
  ): Promise<T> {
    const take = async (): Promise<T> => {
      await query.restored();
      const before = query.state;
      const turn = new Turn(before, this.#deps.labels);
      query.turn = turn;
      try {
        return await work(turn);
      } finally {
        query.turn = undefined;
        const state = turn.catchUp();
        if (state !== before) this.#stand(query, state);
      }
    };
    return await query.inTurn(take, onEnd);
  }

  #storedFormOf(connection: string): StoredForm {
    const form = this.#storedForms.get(connection) ?? new StoredForm();
    this.#storedForms.set(connection, form);
    return form;
  }

  #stand(query: OpenQuery, state: SaveState): void {
    const before = query.state.base.version;
    query.stand(state);
    if (state.base.version !== before) this.#onDidChangeBase.fire(query.uri);
  }

  #rebase(query: OpenQuery, base: SavedQuery): void {
    const before = query.state.base.version;
    query.rebase(base);
    if (base.version !== before) this.#onDidChangeBase.fire(query.uri);
  }
}
