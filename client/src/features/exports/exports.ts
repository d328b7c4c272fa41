/** The user's exports: requests them and polls until they are ready, even after a restart. */
import * as vscode from 'vscode';
import { NotFoundError } from '#api/client/errors.ts';
import type { DownloadCreate } from '#api/contract/downloads.ts';
import { DisposableStore } from '#base/disposables.ts';
import { errorName } from '#base/errors.ts';
import type { Logger } from '#base/logger.ts';
import type { ConnectedClient } from '#client/session/connected-client.ts';
import type { Session } from '#client/session/session.ts';
import { connectionKeyOf } from '#core/connections/connection-profile.ts';
import {
  createExport,
  followExport,
  lookAtExport,
  openExport,
  type ExportsOf,
} from '#core/exports/ask-export.ts';
import { discardPart, partStateOf, tidyParts, type PartState } from '#core/exports/export-parts.ts';
import { ExportStore, type KnownExport } from '#core/exports/export-store.ts';
import type { Memory } from '#core/memory/memory.ts';

/** Interval for checking whether another window is still writing a partial file; no event reports when it is done. */
const otherWindowMs = 3_000;

/** An export whose partial file was left by a closed window. */
export interface FoundPart {
  readonly known: KnownExport;
  readonly state: PartState;
}

export class Exports implements vscode.Disposable {
  readonly #session: Session;
  readonly #log: Logger;
  readonly store: ExportStore;
  readonly #disposables = new DisposableStore();
  readonly #onDidChange = this.#disposables.add(new vscode.EventEmitter<void>());
  readonly #onDidEnd = this.#disposables.add(new vscode.EventEmitter<KnownExport>());
  readonly #onDidFindParts = this.#disposables.add(new vscode.EventEmitter<readonly FoundPart[]>());
  /** Polled exports by ID, with the controller that stops polling. */
  readonly #watched = new Map<string, AbortController>();
  /** The last polling error by export ID. Polling continues regardless. */
  readonly #notes = new Map<string, string>();
  #known: readonly KnownExport[] = [];
  #parts: ReadonlyMap<KnownExport, PartState> = new Map();
  /** Serializes reads, so that an older state never replaces a newer one. */
  #reading: Promise<void> = Promise.resolve();
  #lookAgain: NodeJS.Timeout | undefined;

  readonly onDidChange = this.#onDidChange.event;
  /** Fires when a polled export completes or fails, in one of the windows that poll it. */
  readonly onDidEnd = this.#onDidEnd.event;
  /** Fires once for abandoned partial files when their connection is available again. */
  readonly onDidFindParts = this.#onDidFindParts.event;

  constructor(deps: { readonly session: Session; readonly log: Logger; readonly memory: Memory }) {
    this.#session = deps.session;
    this.#log = deps.log;
    this.store = new ExportStore(deps.memory, () => this.#read());
    this.#disposables.add(deps.session.onDidChangeState(() => void this.#connectionChanged()));
    this.#disposables.add(
      vscode.window.onDidChangeWindowState(({ focused }) => {
        // On focus, show changes made by other windows.
        if (focused && deps.session.state.kind === 'connected') void this.#lookAround();
      }),
    );
    void this.#connectionChanged();
  }

  /** The exports of the current connection, newest first; empty without a connection. */
  get known(): readonly KnownExport[] {
    const { state } = this.#session;
    if (state.kind !== 'connected') return [];
    const key = connectionKeyOf(state.profile);
    return this.#known.filter(({ connectionKey }) => connectionKey === key);
  }

  isWatched({ id }: KnownExport): boolean {
    return this.#watched.has(id);
  }

  /** Returns the reason that an export's state could not be read; undefined after a successful read. */
  noteOf({ id }: KnownExport): string | undefined {
    return this.#notes.get(id);
  }

  /** Returns an export's partial file; undefined if the download is complete or not started. */
  partOf(known: KnownExport): PartState | undefined {
    return this.#parts.get(known);
  }

  /** Partial files that can be resumed. */
  get left(): readonly FoundPart[] {
    return this.known.flatMap((known) => {
      const state = this.partOf(known);
      return state?.kind === 'left' ? [{ known, state }] : [];
    });
  }

  /** Refreshes all exports, including those of other windows. */
  async refresh(): Promise<void> {
    await this.#read();
  }

  /** Deletes a partial file. @throws PartInUseError */
  async discard({ known, state }: FoundPart): Promise<void> {
    await discardPart(this.store, known, state.part);
  }

  async create(
    connected: ConnectedClient,
    request: DownloadCreate,
    options: { readonly signal: AbortSignal; readonly say: (note: string) => void },
  ): Promise<KnownExport> {
    const known = await createExport(this.#of(connected), request, options);
    // A service may have the file at once.
    if (known.status !== 'accepted') this.#onDidEnd.fire(known);
    return this.#followed(known, connected);
  }

  /** Looks up an export by ID, whether or not it was requested here. @throws NotFoundError */
  async open(connected: ConnectedClient, id: string): Promise<KnownExport> {
    return this.#followed(await openExport(this.#of(connected), id), connected);
  }

  /** Reads an export whose file is gone, so that its row says so. Never rejects. */
  async lookAgain(connected: ConnectedClient, known: KnownExport): Promise<void> {
    try {
      await lookAtExport(this.#of(connected), known);
    } catch (error) {
      this.#log.warn(`an export could not be looked at: ${errorName(error)}`);
    }
  }

  async saved(known: KnownExport, file: string): Promise<void> {
    await this.store.put(known, (before) => ({ ...(before ?? known), savedTo: file }));
  }

  /** Removes an export and its partial file. @throws PartInUseError while that file is being written. */
  async forget(known: KnownExport): Promise<void> {
    const parts = (await this.store.find(known))?.parts ?? [];
    for (const part of parts) await discardPart(this.store, known, part);
    this.#watched.get(known.id)?.abort();
    await this.store.forget(known);
  }

  dispose(): void {
    this.#endAll();
    clearTimeout(this.#lookAgain);
    this.#disposables.dispose();
  }

  #of({ client, profile }: ConnectedClient): ExportsOf {
    return { client, profile, store: this.store };
  }

  #followed(known: KnownExport, connected: ConnectedClient): KnownExport {
    if (known.status === 'accepted') this.#watch(known, connected);
    return known;
  }

  async #read(): Promise<void> {
    const read = async () => {
      const known = await this.store.list();
      const parts = new Map<KnownExport, PartState>();
      for (const one of known) {
        const state = one.parts === undefined ? undefined : await partStateOf(this.store, one);
        if (state !== undefined) parts.set(one, state);
      }
      this.#known = known;
      this.#parts = parts;
      this.#onDidChange.fire();
      clearTimeout(this.#lookAgain);
      if (this.#disposables.isDisposed || ![...parts.values()].some(({ kind }) => kind === 'elsewhere'))
        return;
      this.#lookAgain = setTimeout(() => void this.#lookAround(), otherWindowMs);
      this.#lookAgain.unref();
    };
    const reading = this.#reading.then(read, read);
    this.#reading = reading.catch(() => undefined); // the caller handles the error
    await reading;
  }

  async #readQuietly(): Promise<void> {
    try {
      await this.#read();
    } catch (error) {
      this.#log.warn(`exports could not be read: ${errorName(error)}`);
    }
  }

  /** Reads changes made by other windows. Their partial files are offered in the focused window. */
  async #lookAround(): Promise<void> {
    await this.#readQuietly();
    if (vscode.window.state.focused) await this.#findParts();
  }

  /** Removes abandoned partial files that are useless, and offers the others once. */
  async #findParts(): Promise<void> {
    try {
      for (const known of this.known) await tidyParts(this.store, known);
      const fresh: FoundPart[] = [];
      for (const found of this.left) {
        if ((await this.store.offerParts(found.known, [found.state.part])).length > 0) fresh.push(found);
      }
      if (fresh.length > 0) this.#onDidFindParts.fire(fresh);
    } catch (error) {
      this.#log.warn(`what is left of exports could not be looked at: ${errorName(error)}`);
    }
  }

  async #connectionChanged(): Promise<void> {
    this.#endAll();
    await this.#readQuietly();
    const { state } = this.#session;
    if (state.kind !== 'connected') return;
    for (const known of this.known) if (known.status === 'accepted') this.#watch(known, state);
    await this.#findParts();
  }

  #endAll(): void {
    for (const controller of this.#watched.values()) controller.abort();
    this.#watched.clear();
    this.#notes.clear();
  }

  #tell(id: string, note: string | undefined): void {
    if (this.#notes.get(id) === note) return;
    if (note === undefined) this.#notes.delete(id);
    else this.#notes.set(id, note);
    this.#onDidChange.fire();
  }

  #watch(known: KnownExport, connected: ConnectedClient): void {
    if (this.#watched.has(known.id)) return;
    const controller = new AbortController();
    this.#watched.set(known.id, controller);
    this.#onDidChange.fire();
    void this.#look(known, connected, controller.signal)
      .catch((error: unknown) => {
        if (!controller.signal.aborted)
          this.#log.warn(`an export could not be looked at: ${errorName(error)}`);
      })
      .finally(() => {
        if (this.#watched.get(known.id) === controller) this.#watched.delete(known.id);
        this.#onDidChange.fire();
      });
  }

  async #look(known: KnownExport, connected: ConnectedClient, signal: AbortSignal): Promise<void> {
    try {
      const ended = await followExport(this.#of(connected), known, {
        signal,
        tell: (note) => this.#tell(known.id, note),
      });
      if (!signal.aborted && (await this.store.claimEnd(ended))) this.#onDidEnd.fire(ended);
    } catch (error) {
      if (!(error instanceof NotFoundError)) throw error; // the store already records that it is gone
    }
  }
}
