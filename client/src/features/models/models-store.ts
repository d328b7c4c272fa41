/** Models of the current connection with their tables and columns, each read once and again on demand. */
import * as vscode from 'vscode';
import type { CatalogueModel, CatalogueTable } from '../../../../server/src/protocol.ts';
import type { ServiceClient } from '../../../../api/client/client.ts';
import type { Session } from '../../session/session.ts';
import { failureOf } from '../../ui/failure.ts';
import { DisposableStore } from '../../util/disposables.ts';
import type { Logger } from '../../util/logger.ts';
import { readModelSchema } from './model-schema.ts';

export type SchemaState =
  | { readonly kind: 'loading' }
  | { readonly kind: 'loaded'; readonly tables: readonly CatalogueTable[] }
  | { readonly kind: 'failed'; readonly reason: string };

export class ModelsStore implements vscode.Disposable {
  readonly #session: Session;
  readonly #log: Logger;
  readonly #disposables = new DisposableStore();
  readonly #onDidChange = this.#disposables.add(new vscode.EventEmitter<void>());
  readonly #schemas = new Map<string, SchemaState>();
  #reading = new AbortController();
  #client: ServiceClient | undefined;

  readonly onDidChange = this.#onDidChange.event;

  constructor(session: Session, log: Logger) {
    this.#session = session;
    this.#log = log;
    this.#disposables.add(
      session.onDidChangeState((state) => {
        const client = state.kind === 'connected' ? state.client : undefined;
        if (client !== this.#client) this.#reset(client);
        else this.#onDidChange.fire();
      }),
    );
  }

  /** Undefined while not connected. */
  models(): readonly CatalogueModel[] | undefined {
    const { state } = this.#session;
    if (state.kind !== 'connected') return undefined;
    return state.models.map((model) => {
      const schema = this.#schemas.get(model.name);
      return {
        name: model.name,
        description: model.description,
        ...(schema?.kind === 'loaded' ? { tables: schema.tables } : {}),
      };
    });
  }

  schemaOf(model: string): SchemaState | undefined {
    return this.#schemas.get(model);
  }

  /** Reads the models, then their schemas, again. @throws ApiError when the models cannot be read. */
  async refresh(): Promise<void> {
    await this.#session.refreshModels();
    this.#reading.abort();
    this.#reading = new AbortController();
    this.#schemas.clear();
    await this.#readSchemas();
  }

  dispose(): void {
    this.#reading.abort();
    this.#disposables.dispose();
  }

  #reset(client: ServiceClient | undefined): void {
    this.#client = client;
    this.#reading.abort();
    this.#reading = new AbortController();
    this.#schemas.clear();
    this.#onDidChange.fire();
    if (client !== undefined) void this.#readSchemas();
  }

  /** Never rejects: a schema that cannot be read is a state, and its tables stay unknown. */
  async #readSchemas(): Promise<void> {
    const { state } = this.#session;
    if (state.kind !== 'connected') return;
    const { client, models } = state;
    const { signal } = this.#reading;
    await Promise.all(
      models.map(async ({ name }) => {
        this.#schemas.set(name, { kind: 'loading' });
        const schema = await this.#read(client, name, signal);
        if (signal.aborted) return;
        this.#schemas.set(name, schema);
        this.#onDidChange.fire();
      }),
    );
  }

  async #read(client: ServiceClient, model: string, signal: AbortSignal): Promise<SchemaState> {
    try {
      return { kind: 'loaded', tables: await readModelSchema(client, model, signal) };
    } catch (error) {
      const failure = failureOf(error);
      if (failure.kind !== 'cancelled')
        this.#log.warn(`reading the columns of a model failed: ${failure.kind}`);
      return { kind: 'failed', reason: failure.kind === 'cancelled' ? '' : failure.message };
    }
  }
}
