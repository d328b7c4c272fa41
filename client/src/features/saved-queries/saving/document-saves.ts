/**
 * How each open saved query stands: settled, or in a conflict that waits for a person. Owns those states and moves
 * them with save-machine.ts; which version a buffer comes from stays with the open query. Whatever asks the service, or changes
 * a text together with where it comes from, takes its turn in one queue a query, so that no save sees half of it. Shows
 * nothing itself.
 */
import * as vscode from 'vscode';
import type { ServiceClient } from '../../../../../api/client/client.ts';
import type { SavedQuery } from '../../../../../api/contract/saved-queries.ts';
import { DisposableStore } from '../../../../../core/src/util/disposables.ts';
import { isSameText } from '../../../../../core/src/saved-queries/same-text.ts';
import type { OpenQueries } from './open-queries.ts';
import { fillDocument } from './open-document.ts';
import { runSave, type SaveOutcome } from '../../../../../core/src/saved-queries/run-save.ts';
import {
  bringBack,
  draftFor,
  settledFrom,
  settledOn,
  step,
  type Choice,
  type Conflict,
  type MergeLabelsOf,
  type SaveEffect,
  type SaveState,
} from '../../../../../core/src/saved-queries/save-machine.ts';
import { parseSavedQueryUri, savedQueryKey } from '../records/saved-query-uri.ts';
import { StoredForm } from '../../../../../core/src/saved-queries/stored-text.ts';
import { SwappedTexts } from './swapped-texts.ts';

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

/** What happened to a text while a turn was under way; it counts after what the turn leaves. */
type Meanwhile =
  | { readonly kind: 'broughtBack'; readonly text: string }
  | { readonly kind: 'filled'; readonly before: string; readonly record: SavedQuery };

interface Turn {
  /** From where the service is being asked, or the text is being changed; then what that leaves. */
  state: SaveState;
  readonly meanwhile: Meanwhile[];
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
  readonly #onDidChangeConflicts = this.#disposables.add(new vscode.EventEmitter<vscode.Uri>());
  readonly #onDidAsk = this.#disposables.add(new vscode.EventEmitter<Asked>());
  readonly #onDidChangeBase = this.#disposables.add(new vscode.EventEmitter<vscode.Uri>());
  /** States that are more than "comes from its base". */
  readonly #states = new Map<string, SaveState>();
  readonly #conflicts = new Map<string, vscode.Uri>();
  /** The last turn of each query that has not ended. */
  readonly #running = new Map<string, Promise<unknown>>();
  readonly #turns = new Map<string, Turn>();
  readonly #swapped = new SwappedTexts();
  /** By connection. */
  readonly #storedForms = new Map<string, StoredForm>();

  /** Fires with the address of a query whose conflict came or went. */
  readonly onDidChangeConflicts = this.#onDidChangeConflicts.event;
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
    return await this.#inTurn(document.uri, async (turn) => {
      for (;;) {
        const state = this.#catchUp(turn);
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
          this.#swapped.begin(document.uri, [text, document.getText()]);
          return { kind: 'fill', before, text, theirs: state.theirs };
        }
        // Typed into meanwhile: again with what is there now. A closed one takes no text.
        if (document.isClosed || document.getText() === before) return undefined;
      }
    });
  }

  /** Puts a text back that was there before: where it comes from comes back with it. @returns whether it is there. */
  async putBack(document: vscode.TextDocument, text: string): Promise<boolean> {
    return await this.#inTurn(document.uri, async (turn) => {
      if (!(await fillDocument(document, text))) return false;
      turn.state = bringBack(this.#catchUp(turn), [text]);
      this.#swapped.begin(document.uri, [text, document.getText()]);
      return true;
    });
  }

  /** Grows each time that another text was put in place of what an editor held. */
  swapsOf(uri: vscode.Uri): number {
    return this.#swapped.count(uri);
  }

  /** The text of an editor is another one now, whoever changed it. */
  noteText(document: vscode.TextDocument): void {
    this.#swapped.add(document.uri, () => document.getText());
  }

  noteClosed(uri: vscode.Uri): void {
    this.#swapped.forget(uri);
  }

  /** Undo or redo changed the text: over a merge, that changes what it comes from. */
  noteBroughtBack(document: vscode.TextDocument): void {
    const { uri } = document;
    const turn = this.#turns.get(savedQueryKey(uri));
    if (turn !== undefined) this.#noteMeanwhile(uri, turn, { kind: 'broughtBack', text: document.getText() });
    else if (this.#states.has(savedQueryKey(uri))) this.#bringBack(uri, document.getText());
  }

  /** Told again when the turn is over; meanwhile a window that goes keeps where the text comes from. */
  #noteMeanwhile(uri: vscode.Uri, turn: Turn, change: Meanwhile): void {
    turn.meanwhile.push(change);
    this.#rebase(uri, this.#after(turn).base);
  }

  #after({ state, meanwhile }: Turn): SaveState {
    return meanwhile.reduce<SaveState>((from, change) => {
      if (change.kind === 'broughtBack') return bringBack(from, [change.text]);
      return step(from, change, this.#deps.labels)?.state ?? from;
    }, state);
  }

  /** What happened so far is no longer to be told again. */
  #catchUp(turn: Turn): SaveState {
    turn.state = this.#after(turn);
    turn.meanwhile.length = 0;
    return turn.state;
  }

  #bringBack(uri: vscode.Uri, text: string): void {
    const state = this.#stateOf(uri);
    const next = bringBack(state, [text]);
    if (next === state) return;
    this.#keep(uri, next);
    this.#swapped.begin(uri, [text]);
  }

  #rebase(uri: vscode.Uri, base: SavedQuery): void {
    const query = this.#deps.queries.of(uri);
    const before = query.base;
    if (base.version === 0) query.forgetBase();
    else if (before !== base) query.rebase(base);
    if ((before?.version ?? 0) !== base.version) this.#onDidChangeBase.fire(uri);
  }

  /**
   * The buffer is clean, so nothing is left to settle. Where it holds another version now, undo brings back what was
   * there before, and with it where that came from.
   * @param unsaved the edits that were taken out of it.
   * @returns the version that it holds.
   */
  noteClean(document: vscode.TextDocument, unsaved?: string): SavedQuery | undefined {
    const { uri } = document;
    const key = savedQueryKey(uri);
    const query = this.#deps.queries.of(uri);
    const before = query.base;
    const base = query.noteClean(document.getText());
    const text = unsaved ?? before?.query_string;
    const isOther =
      base !== undefined && base !== before && !isSameText(before?.query_string ?? '', base.query_string);
    if (isOther && text !== undefined) this.#noteFilled(uri, { text, base: before }, base);
    const state = this.#states.get(key);
    if (state?.kind === 'conflict' && !this.#turns.has(key))
      this.#keep(uri, settledFrom(state, base ?? state.base));
    return base;
  }

  #noteFilled(
    uri: vscode.Uri,
    before: { readonly text: string; readonly base: SavedQuery | undefined },
    record: SavedQuery,
  ): void {
    const key = savedQueryKey(uri);
    const turn = this.#turns.get(key);
    const change = { kind: 'filled', before: before.text, record } as const;
    this.#swapped.begin(uri, [record.query_string]);
    if (turn !== undefined) {
      this.#noteMeanwhile(uri, turn, change);
      return;
    }
    const base = before.base ?? unknownVersion(record.query_id);
    const next = step(this.#stateOver(key, base), change, this.#deps.labels);
    if (next !== undefined) this.#keep(uri, next.state);
  }

  /** Whether the text of this query is being saved, or changed together with what it comes from. */
  isSaving(uri: vscode.Uri): boolean {
    return this.#running.has(savedQueryKey(uri));
  }

  /** Resolves when the last turn that was taken has ended, however. */
  async idle(uri: vscode.Uri): Promise<void> {
    await this.#running.get(savedQueryKey(uri))?.catch(() => undefined); // whoever saved hears of it
  }

  /** The buffer has another address now, and with it goes whatever is not settled yet. */
  carry(from: vscode.Uri, to: vscode.Uri): void {
    const [fromKey, toKey] = [savedQueryKey(from), savedQueryKey(to)];
    const state = this.#states.get(fromKey);
    if (state === undefined) return;
    this.#states.delete(fromKey);
    this.#states.set(toKey, state);
    if (state.kind !== 'conflict') return;
    this.#noteConflict(from, fromKey, false);
    this.#noteConflict(to, toKey, true);
  }

  conflictOf(uri: vscode.Uri): Conflict | undefined {
    const state = this.#stateOf(uri);
    return state.kind === 'conflict' ? state : undefined;
  }

  /** The open queries that are in a conflict. */
  conflicts(): readonly vscode.Uri[] {
    return [...this.#conflicts.values()];
  }

  dispose(): void {
    this.#disposables.dispose();
  }

  async #run(
    { uri, text, client, isExplicit }: SaveRequest,
    kind: 'save' | 'check',
  ): Promise<SaveEffect & { readonly error?: unknown }> {
    const { labels, onRecord } = this.#deps;
    const stored = this.#storedFormOf(parseSavedQueryUri(uri)?.connection ?? '');
    const context = { client, labels, stored, onRecord: (record: SavedQuery) => onRecord(uri, record) };
    const asking = async (turn: Turn): Promise<SaveOutcome | undefined> => {
      const { state } = turn;
      if (!this.#swapped.holds(uri, text)) return { state, effect: { kind: 'keep', reason: 'overtaken' } };
      const outcome = await runSave(state, { kind, mine: draftFor(state, text) }, context);
      if (outcome !== undefined) turn.state = outcome.state;
      return outcome;
    };
    const outcome = await this.#inTurn(uri, asking, (left) => {
      // Undo may have gone back behind what it is about: then the next save asks.
      if (left?.effect.kind === 'ask' && this.conflictOf(uri) !== undefined)
        this.#onDidAsk.fire({ uri, isExplicit });
    });
    return { ...(outcome?.effect ?? { kind: 'none' }), error: outcome?.error };
  }

  /**
   * One after another: each turn starts from what the one before left.
   * @param onEnd called before anybody who waits goes on, so that what it begins comes next.
   */
  async #inTurn<T>(
    uri: vscode.Uri,
    work: (turn: Turn) => Promise<T>,
    onEnd: (result: T) => void = () => undefined,
  ): Promise<T> {
    const key = savedQueryKey(uri);
    const take = async (): Promise<T> => {
      await this.#deps.queries.of(uri).restored();
      const before = this.#stateOf(uri);
      const turn: Turn = { state: before, meanwhile: [] };
      this.#turns.set(key, turn);
      try {
        return await work(turn);
      } finally {
        this.#turns.delete(key);
        const state = this.#catchUp(turn);
        if (state !== before) this.#keep(uri, state);
      }
    };
    const run = (this.#running.get(key) ?? Promise.resolve()).then(take, take).then((result) => {
      onEnd(result);
      return result;
    });
    this.#running.set(key, run);
    try {
      return await run;
    } finally {
      if (this.#running.get(key) === run) this.#running.delete(key);
    }
  }

  #storedFormOf(connection: string): StoredForm {
    const form = this.#storedForms.get(connection) ?? new StoredForm();
    this.#storedForms.set(connection, form);
    return form;
  }

  #stateOf(uri: vscode.Uri): SaveState {
    const key = savedQueryKey(uri);
    const base = this.#deps.queries.baseOf(uri);
    const state = this.#states.get(key);
    if (base === undefined && state !== undefined) return state;
    return this.#stateOver(key, base ?? unknownVersion(parseSavedQueryUri(uri)?.queryId ?? ''));
  }

  #stateOver(key: string, base: SavedQuery): SaveState {
    const state = this.#states.get(key);
    if (state?.base.query_string !== base.query_string) return settledOn(base);
    if (state.base.version === base.version) return state;
    // A new name or model is a new version of the same text: what undo goes back to is still so.
    return state.kind === 'settled' ? { ...state, base } : settledOn(base);
  }

  #keep(uri: vscode.Uri, state: SaveState): void {
    const key = savedQueryKey(uri);
    const kept = [state.back, state.forth, state.unanswered];
    const isPlain = state.kind === 'settled' && kept.every((each) => each.length === 0);
    if (isPlain) this.#states.delete(key);
    else this.#states.set(key, state);
    this.#rebase(uri, state.base);
    this.#noteConflict(uri, key, state.kind === 'conflict');
  }

  #noteConflict(uri: vscode.Uri, key: string, isConflict: boolean): void {
    if (!isConflict && !this.#conflicts.has(key)) return;
    if (isConflict) this.#conflicts.set(key, uri);
    else this.#conflicts.delete(key);
    this.#onDidChangeConflicts.fire(uri);
  }
}

/** Stands for the version of a text whose origin was lost: older than every version, so nothing is replaced unseen. */
function unknownVersion(queryId: string): SavedQuery {
  return { query_id: queryId, name: '', model: '', version: 0, query_string: '' };
}
