/**
 * Drives the save machine of open saved queries: settled, or in a conflict that waits for a person. Requests and base
 * changes queue up per query, so that no save sees a partial state. Shows nothing itself.
 */
import * as vscode from 'vscode';
import type { ServiceClient } from '../../../../../api/client/client.ts';
import type { SavedQuery } from '../../../../../api/contract/saved-queries.ts';
import { DisposableStore } from '../../../../../core/src/util/disposables.ts';
import { isSameText } from '../../../../../core/src/saved-queries/same-text.ts';
import type { OpenQueries } from './open-queries.ts';
import { fillDocument } from '../records/open-document.ts';
import { runSave, type SaveOutcome } from '../../../../../core/src/saved-queries/run-save.ts';
import {
  afterUndo,
  draftFor,
  settledFrom,
  step,
  type Choice,
  type MergeLabelsOf,
  type SaveEffect,
  type SaveState,
} from '../../../../../core/src/saved-queries/save-machine.ts';
import { parseSavedQueryUri } from '../records/saved-query-uri.ts';
import { StoredForm } from '../../../../../core/src/saved-queries/stored-text.ts';
import type { OpenQuery } from './open-query.ts';
import { Turn } from './turn.ts';

export interface SaveRequest {
  readonly uri: vscode.Uri;
  readonly text: string;
  /** The client of the query's own connection. */
  readonly client: ServiceClient;
  /**
   * Whether a person pressed Save and sees this query. Otherwise the editor saves automatically, or saves many queries
   * at once.
   */
  readonly isExplicit: boolean;
}

export interface Asked {
  readonly uri: vscode.Uri;
  readonly isExplicit: boolean;
}

/** The editor's content after a choice. */
export interface Chosen {
  readonly kind: 'fill' | 'saveNow';
  /** The editor's earlier and current content. */
  readonly before: string;
  readonly text: string;
  readonly theirs: SavedQuery;
}

export interface DocumentSavesDependencies {
  readonly queries: OpenQueries;
  readonly labels: MergeLabelsOf;
  /** Every record in a service response. */
  readonly onRecord: (uri: vscode.Uri, record: SavedQuery) => void;
}

export class DocumentSaves implements vscode.Disposable {
  readonly #deps: DocumentSavesDependencies;
  readonly #disposables = new DisposableStore();
  readonly #onDidAsk = this.#disposables.add(new vscode.EventEmitter<Asked>());
  readonly #onDidChangeBase = this.#disposables.add(new vscode.EventEmitter<vscode.Uri>());
  /** By connection. */
  readonly #storedForms = new Map<string, StoredForm>();

  /** Fires when a person must settle a conflict. */
  readonly onDidAsk = this.#onDidAsk.event;
  /** Fires when the base version of an editor's text changes. */
  readonly onDidChangeBase = this.#onDidChangeBase.event;

  constructor(deps: DocumentSavesDependencies) {
    this.#deps = deps;
  }

  /** Writes the text over its base version. */
  async save(request: SaveRequest): Promise<SaveEffect & { readonly error?: unknown }> {
    return await this.#run(request, 'save');
  }

  /** Checks for a newer version before a save; writes nothing. */
  async check(request: SaveRequest): Promise<SaveEffect & { readonly error?: unknown }> {
    return await this.#run(request, 'check');
  }

  /**
   * Settles a conflict. A replacing text is in the editor before its version becomes the base, and edits until then are
   * part of the choice.
   * @param theirs the version the person decided about; another one is not settled.
   * @param isWanted whether a text may be put into the editor; else the conflict stays.
   * @returns undefined if there is no such conflict (any longer), or the text is not wanted.
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
        // Edited meanwhile: retries with the current text. A closed document takes no text.
        if (document.isClosed || document.getText() === before) return undefined;
      }
    });
  }

  /** Restores an earlier text with its base. @returns whether it was applied. */
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

  /** Undo or redo changed the text: across a merge, that changes its base. */
  noteUndo(document: vscode.TextDocument): void {
    const query = this.#deps.queries.of(document.uri);
    const text = document.getText();
    if (query.turn !== undefined) {
      this.#rebase(query, query.turn.note({ kind: 'undone', text }).base);
      return;
    }
    const next = afterUndo(query.state, [text]);
    if (next === query.state) return;
    this.#stand(query, next);
    query.buffer.swapped.begin([text]);
  }

  /**
   * The buffer is clean, so nothing is left to settle. If it shows another version, undo restores the earlier text with
   * its base.
   * @param unsaved the discarded edits.
   * @returns the version it contains.
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
      // Repeated when the turn ends; a closing window stores the base meanwhile.
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
      // Undo may have gone back past the conflict: then the next save asks.
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
