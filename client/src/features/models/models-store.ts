/**
 * Models of the current connection with their tables and columns. Each schema is read on first use, cached across
 * restarts, and reread when stale. No windows, no commands.
 */
import * as vscode from 'vscode';
import type { ServiceClient } from '#api/client/client.ts';
import { ApiError, UserAbort } from '#api/client/errors.ts';
import { DisposableStore } from '#base/disposables.ts';
import { errorName } from '#base/errors.ts';
import type { Logger } from '#base/logger.ts';
import type { Session } from '#client/session/session.ts';
import { connectionKeyOf, type ConnectionProfile } from '#core/connections/connection-profile.ts';
import { failureOf } from '#core/failures/failure.ts';
import { KnownModels, modelsAgeMax, type SchemaState } from '#core/models/known-models.ts';
import type { SchemaCache } from '#core/models/schema-cache.ts';
import type { CatalogueModel } from '#server/protocol.ts';

export interface ModelsStoreDependencies {
  readonly session: Session;
  readonly log: Logger;
  readonly cache: SchemaCache;
}

/** Name of the changed schema, or undefined if anything may have changed. */
export type ModelsChange = string | undefined;

export type Confirmation =
  /** The models were reread and are unchanged. */
  | 'same'
  /** The models have changed. */
  | 'changed'
  /** The models could not be reread. */
  | 'unanswered';

/** Minimum interval between background reads, whatever their outcome. */
const retryMs = 60_000;
/** Minimum interval between reads because of names that the service lacks: most are slips. */
const missedMs = 5_000;

export class ModelsStore implements vscode.Disposable {
  readonly #deps: ModelsStoreDependencies;
  readonly #disposables = new DisposableStore();
  readonly #onDidChange = this.#disposables.add(new vscode.EventEmitter<ModelsChange>());
  /** Known models by connection name, kept while the window is open. */
  readonly #known = new Map<string, KnownModels>();
  #current: KnownModels | undefined;
  #client: ServiceClient | undefined;
  #reading = new AbortController();
  #refreshing: Promise<void> | undefined;
  #quietAt = 0;
  #missedAt = 0;
  #failure: unknown;

  readonly onDidChange = this.#onDidChange.event;

  constructor(deps: ModelsStoreDependencies) {
    this.#deps = deps;
    this.#disposables.add(deps.session.onDidChangeState(() => this.#follow()));
    this.#disposables.add(
      deps.session.onDidChangeReach(() => {
        if (deps.session.away === undefined && this.#failure !== undefined) void this.#refreshQuietly();
      }),
    );
  }

  /** The current connection, reachable or not; undefined if there is none. */
  get connection(): string | undefined {
    return this.#current?.connection;
  }

  get isConnected(): boolean {
    return this.#client !== undefined;
  }

  /** Returns the known models; undefined until any are known. */
  models(): readonly CatalogueModel[] | undefined {
    return this.#current?.catalogue();
  }

  schemaOf(model: string): SchemaState | undefined {
    return this.#current?.schemas.get(model);
  }

  /** Returns the time at which the oldest known part was read, in milliseconds since 1970. */
  readAt(): number | undefined {
    return this.#current?.oldestReadAt();
  }

  /** The error of the last refresh; undefined if it succeeded. */
  get failure(): unknown {
    return this.#failure;
  }

  /** Returns a string that changes whenever the known tables or columns may have changed. */
  stamp(): string {
    const schemas = [...(this.#current?.schemas ?? [])].map(([name, schema]) => [
      name,
      schema.kind === 'loaded' ? schema.readAt : schema.kind,
    ]);
    return JSON.stringify([this.connection, schemas]);
  }

  /** Returns whether these models of a connection were read in this window. */
  isFresh(connection: string, models: readonly string[]): boolean {
    const known = this.#known.get(connection);
    return models.every((model) => {
      const schema = known?.schemas.get(model);
      return schema?.kind !== 'loaded' || !schema.isKept;
    });
  }

  /** Reads a model's schema unless known. Never rejects; a failure is part of the returned state. */
  async ensure(model: string): Promise<SchemaState | undefined> {
    const known = this.#current;
    if (known === undefined) return undefined;
    await known.whenLooked;
    const schema = known.schemas.get(model);
    if (schema !== undefined && schema.kind !== 'loading') return schema;
    if (this.#client === undefined || known !== this.#current) return schema;
    return await this.#read(known, this.#client, model);
  }

  async ensureAll(): Promise<void> {
    await Promise.all((this.models() ?? []).map((model) => this.ensure(model.name)));
  }

  /**
   * Rereads the model names and every known or failed schema. Known data is kept until replaced.
   * @throws ApiError or ExpectedError if a read fails.
   */
  async refresh(): Promise<void> {
    this.#refreshing ??= this.#refresh().finally(() => (this.#refreshing = undefined));
    await this.#refreshing;
  }

  /**
   * Rereads old data and retries failed reads, without reporting failures. Never rejects.
   * @param minutes the setting
   * @param isOnlyListed leaves out services that do not list their tables
   */
  async refreshIfOld(minutes: unknown, isOnlyListed = false): Promise<void> {
    const most = modelsAgeMax(minutes, this.#current?.models ?? []);
    if (most === undefined || (isOnlyListed && !most.isListed)) return;
    const readAt = this.readAt();
    const now = Date.now();
    if (this.#client === undefined || readAt === undefined) return;
    const hasFailed = [...(this.#current?.schemas.values() ?? [])].some(
      ({ kind }) => kind === 'failed' || kind === 'assumed',
    );
    if (now - readAt < most.ms && !hasFailed) return;
    if (now - this.#quietAt < retryMs) return;
    this.#quietAt = now;
    await this.#refreshQuietly();
  }

  /** Rereads what is known, since the service lacks a name that a query has. Never rejects. */
  async refreshAfterMissedName(): Promise<void> {
    const now = Date.now();
    if (this.#client === undefined || now - this.#missedAt < missedMs) return;
    this.#missedAt = now;
    await this.#refreshQuietly();
  }

  /** Rereads these models from the service to see whether they have changed. Never rejects. */
  async confirm(models: readonly string[]): Promise<Confirmation> {
    const known = this.#current;
    const client = this.#client;
    if (known === undefined || client === undefined) return 'unanswered';
    const snapshot = () =>
      JSON.stringify([known.models, models.map((name) => known.schemas.get(name))], (key, value: unknown) =>
        key === 'readAt' || key === 'isKept' ? undefined : value,
      );
    const before = snapshot();
    const errors: unknown[] = [];
    try {
      await this.#deps.session.refreshModels(this.#reading.signal);
      const names = new Set(known.models?.map((model) => model.name));
      const states = await Promise.all(
        models
          .filter((name) => names.has(name))
          .map((name) => this.#read(known, client, name, (error: unknown) => errors.push(error))),
      );
      if (errors.length > 0 || states.some((state) => state.kind !== 'loaded')) return 'unanswered';
    } catch (error) {
      this.#deps.log.debug(`an unknown name was not confirmed: ${failureOf(error).kind}`);
      return 'unanswered';
    }
    return snapshot() === before ? 'same' : 'changed';
  }

  dispose(): void {
    this.#reading.abort(new UserAbort('the window closes'));
    this.#disposables.dispose();
  }

  /** Adopts the session's model names. */
  #follow(): void {
    const { state } = this.#deps.session;
    const client = state.kind === 'connected' ? state.client : undefined;
    if (client !== this.#client) {
      this.#client = client;
      this.#reading.abort(new UserAbort('another connection was chosen'));
      this.#reading = new AbortController();
      this.#refreshing = undefined;
      this.#quietAt = 0;
      this.#missedAt = 0;
      this.#failure = undefined;
    }
    this.#current = state.kind === 'disconnected' ? undefined : this.#knownOf(state.profile);
    if (state.kind === 'connected' && this.#current?.models !== state.models) {
      this.#current?.setModels(state.models, Date.now());
      if (this.#current !== undefined) this.#keep(this.#current);
    }
    this.#onDidChange.fire(undefined);
  }

  #knownOf(profile: ConnectionProfile): KnownModels {
    const key = connectionKeyOf(profile);
    const before = this.#known.get(profile.name);
    if (before?.key === key) return before;
    const known = new KnownModels(profile.name, key, this.#deps.cache.load(key));
    this.#known.set(profile.name, known);
    void known.whenLooked.then(() => {
      if (known === this.#current) this.#onDidChange.fire(undefined);
    });
    return known;
  }

  /** Refreshes without reporting a failure. Never rejects. */
  async #refreshQuietly(): Promise<void> {
    try {
      await this.refresh();
    } catch (error) {
      this.#deps.log.warn(`reading models again failed: ${errorName(error)}`);
    }
  }

  async #refresh(): Promise<void> {
    const { signal } = this.#reading;
    try {
      await this.#readAll();
      this.#end(undefined);
    } catch (error) {
      if (!signal.aborted) this.#end(error);
      throw error;
    }
  }

  #end(failure: unknown): void {
    if (failure === this.#failure) return;
    this.#failure = failure;
    this.#onDidChange.fire(undefined);
  }

  async #readAll(): Promise<void> {
    await this.#deps.session.refreshModels(this.#reading.signal);
    const known = this.#current;
    const client = this.#client;
    if (known === undefined || client === undefined) return;
    await known.whenLooked;
    const names = [...known.schemas.keys()];
    const errors: unknown[] = [];
    await Promise.all(
      names.map((name) => {
        // What a service never told has its own words, and no earlier data are shown in its place.
        const isKept = known.schemas.get(name)?.kind === 'loaded';
        return this.#read(known, client, name, (error: unknown) => {
          if (isKept || !isPermanent(error)) errors.push(error);
        });
      }),
    );
    if (errors.length > 0) throw errors[0];
  }

  /**
   * Reads a model's schema; concurrent calls share one read. Never rejects.
   * @param failed receives the error, even if older tables are kept.
   */
  async #read(
    known: KnownModels,
    client: ServiceClient,
    model: string,
    failed?: (error: unknown) => void,
  ): Promise<SchemaState> {
    const underWay = known.reading.get(model);
    if (underWay !== undefined) return await underWay;
    const { signal } = this.#reading;
    const before = known.schemas.get(model);
    if (before?.kind !== 'loaded' && before?.kind !== 'assumed') {
      known.schemas.set(model, { kind: 'loading' });
      if (before !== undefined) this.#onDidChange.fire(model);
    }
    const read = this.#ask(client, model, signal, failed).finally(() => known.reading.delete(model));
    known.reading.set(model, read);
    const state = await read;
    const stays = state.kind !== 'loaded' && before?.kind === 'loaded';
    if (stays) return before;
    if (signal.aborted && state.kind === 'failed') known.schemas.delete(model);
    else known.schemas.set(model, state);
    if (state.kind === 'loaded') this.#keep(known);
    if (known === this.#current) this.#onDidChange.fire(model);
    return state;
  }

  async #ask(
    client: ServiceClient,
    model: string,
    signal: AbortSignal,
    failed?: (error: unknown) => void,
  ): Promise<SchemaState> {
    try {
      const { readSchema } = await import('#core/models/read-schema.ts');
      const schema = await readSchema(client, model, {
        signal,
        onFailure: (error) => {
          this.#deps.log.warn(`reading the columns of a model failed: ${errorName(error)}`);
          failed?.(error);
        },
      });
      return schema.kind === 'loaded' ? { ...schema, readAt: Date.now(), isKept: false } : schema;
    } catch (error) {
      if (failureOf(error).kind !== 'cancelled') throw error;
      return { kind: 'failed', reason: '' };
    }
  }

  #keep(known: KnownModels): void {
    void known.whenLooked.then(async () => {
      const models = known.toCache();
      if (models === undefined) return;
      await this.#deps.cache.save(known.key, models).catch((error: unknown) => {
        this.#deps.log.warn(`models were not kept: ${errorName(error)}`);
      });
    });
  }
}

function isPermanent(error: unknown): boolean {
  return error instanceof ApiError && !error.retryable;
}
