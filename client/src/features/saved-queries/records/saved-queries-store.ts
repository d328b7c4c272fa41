/** The saved queries of the current connection: one list, kept current by reads and writes. No windows, no commands. */
import * as vscode from 'vscode';
import type { ServiceClient } from '../../../../../api/client/client.ts';
import { NotFoundError } from '../../../../../api/client/errors.ts';
import type { SavedQuery, SavedQuerySummary } from '../../../../../api/contract/saved-queries.ts';
import type { Session } from '../../../session/session.ts';
import { failureOf } from '../../../../../core/src/util/failure.ts';
import { eachOf } from '../../../../../core/src/util/async/each-of.ts';
import { DisposableStore } from '../../../../../core/src/util/disposables.ts';
import type { Logger } from '../../../../../core/src/util/logger.ts';
import type { KnownQuery } from '../../../../../core/src/saved-queries/known-query.ts';
import {
  QueryCollection,
  type CollectionChange,
} from '../../../../../core/src/saved-queries/query-collection.ts';
import type { QueryTexts } from '../../../../../core/src/saved-queries/query-texts.ts';
import { isListMissing } from '../../../../../core/src/saved-queries/write-answers.ts';
import { errorName } from '../../../../../core/src/util/errors.ts';

/** Two million saved queries: a longer list counts as endless. */
const pagesMax = 10_000;

export type ListState =
  | { readonly kind: 'empty' }
  | { readonly kind: 'loading' }
  /** `leftOut`: unreadable queries of the list. */
  | { readonly kind: 'loaded'; readonly leftOut: number }
  /** The service has no list: only this person's opened, created or marked queries are known. */
  | { readonly kind: 'unsupported' }
  | { readonly kind: 'failed'; readonly reason: string };

/**
 * Ids of this person's opened, created or marked queries, for services without a list (assumption `saved-query-list`).
 */
export interface RememberedIds {
  ids(): readonly string[];
  /** The service reports that there is no such query. */
  forget(queryId: string): void;
}

/** The needed part of the session. */
type StoreSession = Pick<Session, 'state' | 'onDidChangeState'>;

/** Stores versions of a list while there is room (version-store.ts). */
export interface ListedVersions {
  noteListed(connection: string, records: readonly SavedQuery[]): void;
}

/**
 * Rows before the first update of a long list; later updates are throttled, so that the view does not redraw for every
 * page.
 */
const firstLook = 200;
const nextLookMs = 1_000;
/** Concurrent reads by ID without a list. */
const readsAtATime = 4;
/** Versions of a list stored per batch; the store has its own limits. */
const maxListedVersions = 5_000;
/** Up to this many changed records are reported individually; more count as a changed list. */
const toldOneByOne = 50;

export class SavedQueriesStore implements vscode.Disposable {
  readonly #session: StoreSession;
  readonly #log: Logger;
  readonly #remembered: RememberedIds;
  readonly #versions: ListedVersions;
  readonly #disposables = new DisposableStore();
  readonly #onDidChange = this.#disposables.add(new vscode.EventEmitter<string | undefined>());
  readonly #queries: QueryCollection;
  #state: ListState = { kind: 'empty' };
  #loading: AbortController | undefined;

  /** Fires with the ID of the changed query, or undefined for the list or its state. */
  readonly onDidChange = this.#onDidChange.event;

  constructor(deps: {
    readonly session: StoreSession;
    readonly log: Logger;
    readonly remembered: RememberedIds;
    readonly versions: ListedVersions;
    /** A text store with a custom limit. */
    readonly texts?: QueryTexts;
  }) {
    const { session } = deps;
    this.#session = session;
    this.#log = deps.log;
    this.#remembered = deps.remembered;
    this.#versions = deps.versions;
    this.#queries = new QueryCollection(deps.texts);
    let client: unknown;
    this.#disposables.add(
      session.onDidChangeState((state) => {
        if (state.kind === 'connected' && state.client === client) return;
        client = state.kind === 'connected' ? state.client : undefined;
        this.#clear();
        if (state.kind === 'connected') void this.refresh();
      }),
    );
  }

  get state(): ListState {
    return this.#state;
  }

  get size(): number {
    return this.#queries.size;
  }

  /** In natural name order. The same array until something changes. */
  list(): readonly KnownQuery[] {
    return this.#queries.list();
  }

  get(queryId: string): KnownQuery | undefined {
    return this.#queries.get(queryId);
  }

  /** The text of a query's known version, if kept. */
  textOf(queryId: string): string | undefined {
    const query = this.#queries.get(queryId);
    return query && this.#queries.texts.get(queryId, query.version);
  }

  /** Whether a known query has this name, by the service's comparison. */
  hasName(name: string): boolean {
    return this.#queries.hasName(name);
  }

  /** Adopts a record that was read or written. */
  put(query: SavedQuery): void {
    this.#tell(this.#queries.put(query));
  }

  remove(queryId: string): void {
    this.#tell(this.#queries.remove(queryId));
  }

  /** Rereads the whole list; known queries stay visible. Never rejects: a failure is a state. */
  async refresh(): Promise<void> {
    const { state } = this.#session;
    if (state.kind !== 'connected') return;
    this.#loading?.abort();
    const loading = new AbortController();
    this.#loading = loading;
    this.#setState({ kind: 'loading' });
    const started = performance.now();
    try {
      const list = await this.#readList(state.client, state.profile.name, loading.signal);
      if (this.#loading !== loading) return;
      if (list === undefined) await this.#readRemembered(state.client, loading.signal);
      if (this.#loading !== loading) return;
      this.#log.debug(
        `read ${this.#queries.size} saved queries in ${Math.round(performance.now() - started)} ms`,
      );
      this.#setState(list === undefined ? { kind: 'unsupported' } : { kind: 'loaded', ...list });
    } catch (error) {
      if (this.#loading !== loading) return;
      this.#log.warn(`listing saved queries failed: ${errorName(error)}`);
      this.#setState({ kind: 'failed', reason: reasonOf(error) });
    }
  }

  dispose(): void {
    this.#loading?.abort();
    this.#disposables.dispose();
  }

  /** @returns the number of unreadable queries; undefined if the service has no list. */
  async #readList(
    client: ServiceClient,
    connection: string,
    signal: AbortSignal,
  ): Promise<{ readonly leftOut: number } | undefined> {
    this.#queries.beginReading();
    const listed = new Set<string>();
    let leftOut = 0;
    const onLeftOut = (problems: readonly string[]) => {
      leftOut += problems.length;
      this.#log.warn(`saved queries could not be read: ${problems[0] ?? ''}`);
    };
    let page: SavedQuerySummary[] = [];
    let toldAt: number | undefined;
    const news: SavedQuery[] = [];
    const takeIn = () => {
      const isNew = (query: SavedQuerySummary) =>
        this.#queries.get(query.query_id)?.version !== query.version;
      if (news.length < maxListedVersions)
        for (const query of page.filter(isNew).filter(hasText)) news.push(query);
      const change = this.#queries.putListed(page);
      page = [];
      if (!change.isOrderChanged) this.#tell(change);
      return change.isOrderChanged;
    };
    try {
      for await (const query of client.savedQueries.listSummaries({ signal, onLeftOut, pagesMax })) {
        if (signal.aborted) return { leftOut };
        listed.add(query.query_id);
        page.push(query);
        if (page.length < firstLook) continue;
        if (!takeIn() || (toldAt !== undefined && performance.now() - toldAt < nextLookMs)) continue;
        this.#onDidChange.fire(undefined);
        toldAt = performance.now();
      }
    } catch (error) {
      if (isListMissing(error)) return undefined;
      throw error;
    } finally {
      // Rows first: storing thousands of versions takes longer than reading them.
      if (!signal.aborted) takeIn();
      if (news.length > 0) this.#versions.noteListed(connection, news);
    }
    if (signal.aborted) return { leftOut };
    // A known query may be unreadable now: then it is not proven to be gone.
    if (leftOut === 0) this.#queries.endReading(listed);
    return { leftOut };
  }

  /** This person's opened, created or marked queries, read one by one; a failure keeps those already read. */
  async #readRemembered(client: ServiceClient, signal: AbortSignal): Promise<void> {
    const ids = this.#remembered.ids();
    await eachOf(ids, readsAtATime, async (queryId) => {
      try {
        const query = await client.savedQueries.get(queryId, { signal });
        if (!signal.aborted) this.put(query);
      } catch (error) {
        if (signal.aborted) return;
        if (!(error instanceof NotFoundError)) throw error;
        // Only the service's own 404 counts: an unaware gateway must not empty the list.
        if (error.code === 'SAVED_QUERY_NOT_FOUND') this.#remembered.forget(queryId);
        this.remove(queryId);
      }
    });
  }

  #tell({ changed, isOrderChanged }: CollectionChange): void {
    if (isOrderChanged || changed.length > toldOneByOne) this.#onDidChange.fire(undefined);
    else for (const queryId of changed) this.#onDidChange.fire(queryId);
  }

  #clear(): void {
    this.#loading?.abort();
    this.#loading = undefined;
    this.#queries.clear();
    this.#setState({ kind: 'empty' });
  }

  #setState(state: ListState): void {
    this.#state = state;
    this.#onDidChange.fire(undefined);
  }
}

function hasText(query: SavedQuerySummary): query is SavedQuery {
  return query.query_string !== undefined;
}

function reasonOf(error: unknown): string {
  const failure = failureOf(error);
  return failure.kind === 'cancelled' ? vscode.l10n.t('cancelled') : failure.message;
}
