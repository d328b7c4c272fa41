/**
 * How each open saved query stands: settled, or in a conflict that waits for a person. Owns those states and moves
 * them with save-machine.ts; which version a buffer comes from stays with `Bases`. Shows nothing itself.
 */
import * as vscode from 'vscode';
import type { ServiceClient } from '../../../../api/client/client.ts';
import type { SavedQuery } from '../../../../api/contract/saved-queries.ts';
import { DisposableStore } from '../../../../core/src/util/disposables.ts';
import { isSameText, type Bases } from '../../../../core/src/saved-queries/bases.ts';
import { runSave, type SaveOutcome } from '../../../../core/src/saved-queries/run-save.ts';
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
} from '../../../../core/src/saved-queries/save-machine.ts';
import { parseSavedQueryUri, savedQueryKey } from './saved-query-uri.ts';

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

export interface DocumentSavesDependencies {
  readonly bases: Bases;
  readonly labels: MergeLabelsOf;
  /** Every record that the service answers with. */
  readonly onRecord: (uri: vscode.Uri, record: SavedQuery) => void;
}

export class DocumentSaves implements vscode.Disposable {
  readonly #deps: DocumentSavesDependencies;
  readonly #disposables = new DisposableStore();
  readonly #onDidChangeConflicts = this.#disposables.add(new vscode.EventEmitter<vscode.Uri>());
  readonly #onDidAsk = this.#disposables.add(new vscode.EventEmitter<Asked>());
  /** States that are more than "comes from its base". */
  readonly #states = new Map<string, SaveState>();
  readonly #conflicts = new Map<string, vscode.Uri>();
  readonly #running = new Map<string, Promise<unknown>>();
  /** From where the service is being asked, and what undo and redo brought back since. */
  readonly #asking = new Map<string, { readonly from: SaveState; readonly broughtBack: string[] }>();

  /** Fires with the address of a query whose conflict came or went. */
  readonly onDidChangeConflicts = this.#onDidChangeConflicts.event;
  /** Fires when a person is to be asked about a conflict. */
  readonly onDidAsk = this.#onDidAsk.event;

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

  /** @returns undefined when there is no conflict (any more). */
  choose(uri: vscode.Uri, choice: Choice, text: string): SaveEffect | undefined {
    const key = savedQueryKey(uri);
    const state = this.#stateOf(uri);
    const mine = draftFor(state, text);
    const next = step(state, { kind: 'choose', choice, mine }, this.#deps.labels);
    if (next === undefined) return undefined;
    this.#keep(uri, key, next.state);
    return next.effect;
  }

  /** Undo or redo changed the text: over a merge, that changes what it comes from. */
  noteBroughtBack(document: vscode.TextDocument): void {
    const { uri } = document;
    const key = savedQueryKey(uri);
    const asking = this.#asking.get(key);
    if (asking === undefined) {
      if (this.#states.has(key)) this.#bringBack(uri, key, [document.getText()]);
      return;
    }
    // Told again when the answer is here; meanwhile a window that goes keeps where the text comes from.
    asking.broughtBack.push(document.getText());
    this.#rebase(key, bringBack(asking.from, asking.broughtBack).base);
  }

  #bringBack(uri: vscode.Uri, key: string, texts: readonly string[]): void {
    const state = this.#stateOf(uri);
    const next = bringBack(state, texts);
    if (next === state) return;
    this.#rebase(key, next.base);
    this.#keep(uri, key, next);
  }

  #rebase(key: string, base: SavedQuery): void {
    if (base.version === 0) this.#deps.bases.forgetBase(key);
    else if (this.#deps.bases.get(key) !== base) this.#deps.bases.rebase(key, base);
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
    const before = this.#deps.bases.get(key);
    const base = this.#deps.bases.noteClean(key, document.getText());
    const text = unsaved ?? before?.query_string;
    const isOther =
      base !== undefined && base !== before && !isSameText(before?.query_string ?? '', base.query_string);
    if (isOther && text !== undefined) this.#noteFilled(uri, { text, base: before }, base);
    const state = this.#states.get(key);
    if (state?.kind === 'conflict') this.#keep(uri, key, settledFrom(state, base ?? state.base));
    return base;
  }

  #noteFilled(
    uri: vscode.Uri,
    before: { readonly text: string; readonly base: SavedQuery | undefined },
    record: SavedQuery,
  ): void {
    const key = savedQueryKey(uri);
    const base = before.base ?? unknownVersion(record.query_id);
    const next = step(
      this.#stateOver(key, base),
      { kind: 'filled', before: before.text, record },
      this.#deps.labels,
    );
    if (next !== undefined) this.#keep(uri, key, next.state);
  }

  isSaving(uri: vscode.Uri): boolean {
    return this.#running.has(savedQueryKey(uri));
  }

  /** Resolves when no save of this query is under way; however that one ended. */
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
    const key = savedQueryKey(uri);
    const { labels, onRecord } = this.#deps;
    const work = async (): Promise<SaveOutcome | undefined> => {
      await this.#deps.bases.settled(key);
      const state = this.#stateOf(uri);
      const context = { client, labels, onRecord: (record: SavedQuery) => onRecord(uri, record) };
      const broughtBack: string[] = [];
      this.#asking.set(key, { from: state, broughtBack });
      const outcome = await runSave(state, { kind, mine: draftFor(state, text) }, context);
      this.#asking.delete(key);
      if (outcome !== undefined) this.#keep(uri, key, outcome.state);
      this.#bringBack(uri, key, broughtBack);
      return outcome;
    };
    // One after another: a second save starts from what the first one left.
    const before = this.#running.get(key) ?? Promise.resolve();
    const run = before.then(work, work);
    this.#running.set(key, run);
    try {
      const outcome = await run;
      // Undo may have gone back behind what it is about: then the next save asks.
      if (outcome?.effect.kind === 'ask' && this.conflictOf(uri) !== undefined)
        this.#onDidAsk.fire({ uri, isExplicit });
      return { ...(outcome?.effect ?? { kind: 'none' }), error: outcome?.error };
    } finally {
      if (this.#running.get(key) === run) this.#running.delete(key);
    }
  }

  #stateOf(uri: vscode.Uri): SaveState {
    const key = savedQueryKey(uri);
    const base = this.#deps.bases.get(key);
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

  #keep(uri: vscode.Uri, key: string, state: SaveState): void {
    const { base } = state;
    const kept = [state.back, state.forth, state.unanswered];
    const isPlain = state.kind === 'settled' && kept.every((each) => each.length === 0);
    if (isPlain) this.#states.delete(key);
    else this.#states.set(key, state);
    if (base.version > 0) this.#rebase(key, base);
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
