/** The saved queries of the current connection, kept up to date by reads and writes. Uses no windows or commands. */
import * as vscode from 'vscode';
import type { ServiceClient } from '#api/client/client.ts';
import { NotFoundError } from '#api/client/errors.ts';
import type { SavedQuery, SavedQuerySummary } from '#api/contract/saved-queries.ts';
import { eachOf } from '#base/async/each-of.ts';
import { latestEnded } from '#base/async/latest.ts';
import { DisposableStore } from '#base/disposables.ts';
import { errorName } from '#base/errors.ts';
import type { Logger } from '#base/logger.ts';
import { countedText } from '#base/words/counted-text.ts';
import type { Session } from '#client/session/session.ts';
import { shortFailure } from '#client/ui/short-failure.ts';
import { connectionKeyOf, type ConnectionProfile } from '#core/connections/connection-profile.ts';
import { failureOf } from '#core/failures/failure.ts';
import type { KnownQuery } from '#core/saved-queries/known-query.ts';
import { QueryCollection, type CollectionChange } from '#core/saved-queries/query-collection.ts';
import type { QueryTexts } from '#core/saved-queries/query-texts.ts';
import { isListMissing } from '#core/saved-queries/write-answers.ts';

/** Maximum number of pages, enough for two million queries; a longer list is treated as endless. */
const pagesMax = 10_000;

export type ListState =
  /** Nothing has been read from the current service; queries of the same connection may be left from before. */
  | { readonly kind: 'empty' }
  | { readonly kind: 'loading' }
  /** `leftOut`: number of unreadable queries in the list. `isPart`: whether it has more, which cannot be asked for. */
  | { readonly kind: 'loaded'; readonly leftOut: number; readonly isPart: boolean }
  /** The service has no list: only queries that this user opened, created or marked are known. */
  | { readonly kind: 'unsupported' }
  /** `short` is one sentence; the reason is the whole explanation of the error. */
  | { readonly kind: 'failed'; readonly reason: string; readonly short: string; readonly error: unknown };

/**
 * IDs of queries that this user opened, created or marked, for services without a list (assumption `saved-query-list`).
 */
export interface RememberedIds {
  ids(): readonly string[];
  /** Called when the service reports that the query does not exist. */
  forget(queryId: string): void;
}

/** The session members that the store uses. */
type StoreSession = Pick<Session, 'state' | 'onDidChangeState' | 'away' | 'onDidChangeReach'>;

/** Stores the versions in a list while there is space (version-store.ts). */
export interface ListedVersions {
  noteListed(connection: string, records: readonly SavedQuery[]): void;
}

/**
 * Number of rows before the first update from a long list. Later updates are throttled, so that the view does not
 * redraw for every page.
 */
const firstLook = 200;
const nextLookMs = 1_000;
/** Maximum number of concurrent reads by ID if the service has no list. */
const readsAtATime = 4;
/** Maximum number of listed versions to store per batch; the store has its own limits. */
const maxListedVersions = 5_000;
/** Maximum number of changed records to report individually; more are reported as a change to the list. */
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
  /** The current or last reading. */
  #reading: Promise<void> | undefined;
  /** Key of the connection whose queries are known. */
  #owner: string | undefined;

  /** Fires with the ID of a changed query, or undefined if the list or its state changed. */
  readonly onDidChange = this.#onDidChange.event;

  constructor(deps: {
    readonly session: StoreSession;
    readonly log: Logger;
    readonly remembered: RememberedIds;
    readonly versions: ListedVersions;
    /** Replaces the default text store, for example with a different limit. */
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
        this.#leave();
        if (state.kind === 'connected') void this.refresh();
      }),
    );
    this.#disposables.add(
      session.onDidChangeReach(() => {
        // A service that was away may have restarted, with other queries.
        if (session.away === undefined) void this.refresh();
      }),
    );
  }

  get state(): ListState {
    return this.#state;
  }

  get size(): number {
    return this.#queries.size;
  }

  /**
   * The connection whose queries are known: the current one, or one that has failed or connects again, with its earlier
   * queries. Undefined if there is none.
   */
  get shown(): ConnectionProfile | undefined {
    const { state } = this.#session;
    return 'profile' in state && (state.kind === 'connected' || this.size > 0) ? state.profile : undefined;
  }

  /** Whether the queries are earlier ones of a connection that has failed or connects again. */
  get hasEarlier(): boolean {
    return this.#session.state.kind !== 'connected' && this.shown !== undefined;
  }

  /** Returns the queries in natural order by name. The array is reused until something changes. */
  list(): readonly KnownQuery[] {
    return this.#queries.list();
  }

  get(queryId: string): KnownQuery | undefined {
    return this.#queries.get(queryId);
  }

  /** Returns the text of a query's known version, if stored. */
  textOf(queryId: string): string | undefined {
    const query = this.#queries.get(queryId);
    return query && this.#queries.texts.get(queryId, query.version);
  }

  /** Returns whether a known query has this name, as compared by the service. */
  hasName(name: string): boolean {
    return this.#queries.hasName(name);
  }

  /** Adopts a record that has been read or written. */
  put(query: SavedQuery): void {
    this.#tell(this.#queries.put(query));
  }

  remove(queryId: string): void {
    this.#tell(this.#queries.remove(queryId));
  }

  /**
   * Rereads the whole list; known queries stay visible. Resolves once a list is read that was asked for from now on. Never
   * rejects; a failure becomes part of the state.
   */
  async refresh(): Promise<void> {
    this.#reading = this.#read();
    await latestEnded(() => this.#reading);
  }

  async #read(): Promise<void> {
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
        `read ${countedText(this.#queries.size, 'saved query', 'saved queries')} in ${Math.round(performance.now() - started)} ms`,
      );
      this.#setState(list === undefined ? { kind: 'unsupported' } : { kind: 'loaded', ...list });
    } catch (error) {
      if (this.#loading !== loading) return;
      this.#log.warn(`listing saved queries failed: ${errorName(error)}`);
      this.#setState({ kind: 'failed', reason: reasonOf(error), short: shortFailure(error), error });
    }
  }

  dispose(): void {
    this.#loading?.abort();
    this.#disposables.dispose();
  }

  /** @returns the number of unreadable queries, or undefined if the service has no list. */
  async #readList(
    client: ServiceClient,
    connection: string,
    signal: AbortSignal,
  ): Promise<{ readonly leftOut: number; readonly isPart: boolean } | undefined> {
    this.#queries.beginReading();
    const listed = new Set<string>();
    let leftOut = 0;
    const seen = { isPart: false };
    const onPart = () => (seen.isPart = true);
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
      for await (const query of client.savedQueries.listSummaries({ signal, onLeftOut, onPart, pagesMax })) {
        if (signal.aborted) return { leftOut, ...seen };
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
      // Update the rows first: storing thousands of versions takes longer than reading them.
      if (!signal.aborted) takeIn();
      if (news.length > 0) this.#versions.noteListed(connection, news);
    }
    if (signal.aborted) return { leftOut, ...seen };
    // A known query that is missing may just be unreadable now, so remove queries only if the list is complete.
    if (leftOut === 0 && !seen.isPart) this.#queries.endReading(listed);
    return { leftOut, ...seen };
  }

  /** Reads, by ID, the queries that this user opened, created or marked; if one fails, those already read are kept. */
  async #readRemembered(client: ServiceClient, signal: AbortSignal): Promise<void> {
    const ids = this.#remembered.ids();
    await eachOf(ids, readsAtATime, async (queryId) => {
      try {
        const query = await client.savedQueries.get(queryId, { signal });
        if (!signal.aborted) this.put(query);
      } catch (error) {
        if (signal.aborted) return;
        if (!(error instanceof NotFoundError)) throw error;
        // Only a 404 from the service itself counts: one from a gateway must not empty the list.
        if (error.code === 'SAVED_QUERY_NOT_FOUND') this.#remembered.forget(queryId);
        this.remove(queryId);
      }
    });
  }

  #tell({ changed, isOrderChanged }: CollectionChange): void {
    if (isOrderChanged || changed.length > toldOneByOne) this.#onDidChange.fire(undefined);
    else for (const queryId of changed) this.#onDidChange.fire(queryId);
  }

  /** Called when the client has changed. The queries stay while it is the same connection, even if it has failed. */
  #leave(): void {
    const { state } = this.#session;
    const owner = state.kind === 'disconnected' ? undefined : connectionKeyOf(state.profile);
    this.#loading?.abort();
    this.#loading = undefined;
    if (owner === undefined || owner !== this.#owner) this.#queries.clear();
    this.#owner = owner;
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
