/** This person's exports: asked for, looked at until they are ready, also after a restart. */
import * as vscode from 'vscode';
import { pause } from '../../../../api/client/abort.ts';
import type { ServiceClient } from '../../../../api/client/client.ts';
import { NotFoundError, RateLimitError } from '../../../../api/client/errors.ts';
import type { DownloadCreate, DownloadRequest } from '../../../../api/contract/downloads.ts';
import { connectionKeyOf, type ConnectionProfile } from '../../session/connection-profile.ts';
import type { Session } from '../../session/session.ts';
import { failureOf } from '../../ui/failure.ts';
import { pauseWords } from '../../ui/pause-words.ts';
import { DisposableStore } from '../../util/disposables.ts';
import type { Logger } from '../../util/logger.ts';
import { waitingOutRateLimits } from '../../util/rate-limit.ts';
import { ExportStore, type KnownExport } from './export-store.ts';

const firstPauseMs = 1_000;
const maxPauseMs = 60_000;

export interface Connected {
  readonly client: ServiceClient;
  readonly profile: ConnectionProfile;
}

export class Exports implements vscode.Disposable {
  readonly #session: Session;
  readonly #log: Logger;
  readonly #store: ExportStore;
  readonly #disposables = new DisposableStore();
  readonly #onDidChange = this.#disposables.add(new vscode.EventEmitter<void>());
  readonly #onDidEnd = this.#disposables.add(new vscode.EventEmitter<KnownExport>());
  /** Those that are being looked at, by id, and what ends that. */
  readonly #watched = new Map<string, AbortController>();
  /** Why the last look at one failed, by id: it is looked at again all the same. */
  readonly #notes = new Map<string, string>();
  #known: readonly KnownExport[] = [];

  readonly onDidChange = this.#onDidChange.event;
  /** Fires when one that was waited for is completed or failed. */
  readonly onDidEnd = this.#onDidEnd.event;

  constructor(deps: { readonly session: Session; readonly log: Logger; readonly folder: string }) {
    this.#session = deps.session;
    this.#log = deps.log;
    this.#store = new ExportStore(deps.folder);
    this.#disposables.add(deps.session.onDidChangeState(() => void this.#connectionChanged()));
    void this.#connectionChanged();
  }

  /** Of the present connection, the newest first; none without a connection. */
  get known(): readonly KnownExport[] {
    const { state } = this.#session;
    if (state.kind !== 'connected') return [];
    const key = connectionKeyOf(state.profile);
    return this.#known.filter(({ connectionKey }) => connectionKey === key);
  }

  isWatched({ id }: KnownExport): boolean {
    return this.#watched.has(id);
  }

  /** Why it was not possible to see how one stands; undefined when it was. */
  noteOf({ id }: KnownExport): string | undefined {
    return this.#notes.get(id);
  }

  /** What a rate limit holds up has not been taken by the service, so asking again asks for one export. */
  async create(
    { client, profile }: Connected,
    request: DownloadCreate,
    options: { readonly signal: AbortSignal; readonly say: (note: string) => void },
  ): Promise<KnownExport> {
    const record = await waitingOutRateLimits(
      () => client.downloads.create(request, { signal: options.signal, throwsRateLimit: true }),
      {
        signal: options.signal,
        onPause: (delayMs) => options.say(pauseWords(delayMs)),
      },
    );
    return await this.#note(record, { client, profile }, Date.now());
  }

  /** An export by its id, asked for here or elsewhere. @throws NotFoundError. */
  async open({ client, profile }: Connected, id: string): Promise<KnownExport> {
    const record = await client.downloads.get(id);
    return await this.#note(record, { client, profile }, Date.now());
  }

  async saved(known: KnownExport, file: string): Promise<void> {
    await this.#put({ ...(this.#find(known.id) ?? known), savedTo: file });
  }

  async forget(known: KnownExport): Promise<void> {
    this.#watched.get(known.id)?.abort();
    await this.#store.forget(known);
    await this.#read();
  }

  dispose(): void {
    this.#endAll();
    this.#disposables.dispose();
  }

  async #note(record: DownloadRequest, connected: Connected, createdAt: number): Promise<KnownExport> {
    const before = this.#find(record.id);
    const known: KnownExport = {
      id: record.id,
      connectionKey: connectionKeyOf(connected.profile),
      connection: connected.profile.name,
      context: record.context,
      fileFormat: record.fileFormat,
      urlTtlMinutes: record.urlTtlMinutes,
      createdAt: before?.createdAt ?? createdAt,
      status: record.status,
      completedAt: record.status === 'completed' ? (before?.completedAt ?? Date.now()) : undefined,
      error: record.error,
      savedTo: before?.savedTo,
    };
    await this.#put(known);
    if (known.status === 'accepted') this.#watch(known, connected);
    return known;
  }

  #find(id: string): KnownExport | undefined {
    return this.known.find((one) => one.id === id);
  }

  async #put(known: KnownExport): Promise<void> {
    await this.#store.put(known);
    await this.#read();
  }

  async #read(): Promise<void> {
    this.#known = await this.#store.list();
    this.#onDidChange.fire();
  }

  async #connectionChanged(): Promise<void> {
    this.#endAll();
    try {
      await this.#read();
    } catch (error) {
      this.#log.warn(`exports could not be read: ${error instanceof Error ? error.name : 'error'}`);
    }
    const { state } = this.#session;
    if (state.kind !== 'connected') return;
    for (const known of this.known) if (known.status === 'accepted') this.#watch(known, state);
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

  #watch(known: KnownExport, connected: Connected): void {
    if (this.#watched.has(known.id)) return;
    const controller = new AbortController();
    this.#watched.set(known.id, controller);
    this.#onDidChange.fire();
    void this.#look(known, connected, controller.signal)
      .catch((error: unknown) => {
        if (!controller.signal.aborted)
          this.#log.warn(
            `an export could not be looked at: ${error instanceof Error ? error.name : 'error'}`,
          );
      })
      .finally(() => {
        if (this.#watched.get(known.id) === controller) this.#watched.delete(known.id);
        this.#onDidChange.fire();
      });
  }

  /** Only reads, so a service that is away is asked again. */
  async #look(known: KnownExport, connected: Connected, signal: AbortSignal): Promise<void> {
    let delayMs = firstPauseMs;
    for (let nextMs = delayMs; ;) {
      await pause(nextMs, signal);
      delayMs = Math.min(maxPauseMs, delayMs * 1.5);
      nextMs = delayMs;
      try {
        const record = await connected.client.downloads.get(known.id, { signal, throwsRateLimit: true });
        this.#tell(known.id, undefined);
        if (record.status === 'accepted') continue;
        this.#onDidEnd.fire(await this.#note(record, connected, known.createdAt));
        return;
      } catch (error) {
        signal.throwIfAborted();
        if (error instanceof NotFoundError) {
          await this.#put({
            ...known,
            status: 'failed',
            error: { code: error.code, message: error.message },
          });
          return;
        }
        const isLimited = error instanceof RateLimitError;
        if (isLimited) nextMs = Math.max(nextMs, error.retryAfterMs ?? 0);
        const failure = failureOf(error);
        this.#tell(
          known.id,
          isLimited ? pauseWords(nextMs) : failure.kind === 'cancelled' ? undefined : failure.message,
        );
      }
    }
  }
}
