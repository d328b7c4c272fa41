/**
 * Moves open saved queries from one state to the next with save-machine.ts: settled, or in a conflict that waits for a
 * person. Whatever asks the service, or changes a text together with where it comes from, takes its turn in one queue a
 * query, so that no save sees half of it. Shows nothing itself.
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
  /** The client of the connection that the query belongs to, whatever is chosen meanwhile. */
  readonly client: ServiceClient;
  /** Whether a person pressed Save, and looks at this query. Else the editor saves by itself, or many at once. */
  readonly isExplicit: boolean;
}

export interface Asked {
  readonly uri: vscode.Uri;
  readonly isExplicit: boolean;
}

/** What a choice put into the editor. */
export interface Chosen {
  readonly kind: 'fill' | 'saveNow';
  /** What the editor held before, and holds now. */
  readonly before: string;
  readonly text: string;
  readonly theirs: SavedQuery;
}

export interface DocumentSavesDependencies {
  readonly queries: OpenQueries;
  readonly labels: MergeLabelsOf;
  /** Every record that the service answers with. */
  readonly onRecord: (uri: vscode.Uri, record: SavedQuery) => void;
}

export class DocumentSaves implements vscode.Disposable {
  readonly #deps: DocumentSavesDependencies;
  readonly #disposables = new DisposableStore();
  readonly #onDidAsk = this.#disposables.add(new vscode.EventEmitter<Asked>());
  readonly #onDidChangeBase = this.#disposables.add(new vscode.EventEmitter<vscode.Uri>());
  /** By connection. */
  readonly #storedForms = new Map<string, StoredForm>();

  /** Fires when a person is to be asked about a conflict. */
  readonly onDidAsk = this.#onDidAsk.event;
  /** Fires when the text of an editor comes from another version than before. */
  readonly onDidChangeBase = this.#onDidChangeBase.event;

  constructor(deps: DocumentSavesDependencies) {
    this.#deps = deps;
  }

  /** Writes a text over the version that it comes from. */
  async save(request: SaveRequest): Promise<SaveEffect & { readonly error?: unknown }> {
    return await this.#run(request, 'save');
  }

  /** Looks for a newer version before a save, and writes nothing. */
  async check(request: SaveRequest): Promise<SaveEffect & { readonly error?: unknown }> {
    return await this.#run(request, 'check');
  }

  /**
   * Settles a conflict. A text that takes the place of another one is in the editor when its version counts as what it
   * comes from, and what was typed until then is part of the choice.
   * @param theirs the version that the person decided about; another one is not settled.
   * @param isWanted whether a text may be put into the editor; else the conflict stays.
   * @returns undefined when there is no such conflict (any more), or where the text is not wanted.
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
        // Typed into meanwhile: again with what is there now. A closed one takes no text.
        if (document.isClosed || document.getText() === before) return undefined;
      }
    });
  }

  /** Puts a text back that was there before: where it comes from comes back with it. @returns whether it is there. */
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

  /** Undo or redo changed the text: over a merge, that changes what it comes from. */
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
   * The buffer is clean, so nothing is left to settle. Where it holds another version now, undo brings back what was
   * there before, and with it where that came from.
   * @param unsaved the edits that were taken out of it.
   * @returns the version that it holds.
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
      // Told again when the turn is over; meanwhile a window that goes keeps where the text comes from.
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
      // Undo may have gone back behind what it is about: then the next save asks.
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
