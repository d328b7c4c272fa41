/** All versions of a saved query: those that the service lists, if it does, and those that this machine has kept. */
import * as vscode from 'vscode';
import type { ListedVersions, ServiceClient } from '#api/client/client.ts';
import { DisposableStore } from '#base/disposables.ts';
import { errorName } from '#base/errors.ts';
import type { Logger } from '#base/logger.ts';
import { isHere } from '#client/session/is-here.ts';
import type { Session } from '#client/session/session.ts';
import { mergeVersions, type KnownVersion, type VersionStore } from '#core/saved-queries/version-store.ts';
import type { ListState, SavedQueriesStore } from './saved-queries-store.ts';

export interface KnownVersions {
  /** Newest first. */
  readonly versions: readonly KnownVersion[];
  /** Whether the service has more than are read. */
  readonly isCut: boolean;
}

interface Asked {
  readonly client: ServiceClient;
  /** The version in the list of saved queries when the service was asked. */
  readonly listed: number | undefined;
  readonly answer: Promise<ListedVersions | undefined>;
  /** Set once the answer is there. */
  settled: ListedVersions | undefined;
}

/** Queries whose answer is kept in memory. */
const mostAsked = 20;
/** The versions kept here are shown if the service takes longer. */
const longestMs = 10_000;

export class QueryVersions implements vscode.Disposable {
  readonly #kept: VersionStore;
  readonly #session: Pick<Session, 'state' | 'away'>;
  readonly #list: Pick<SavedQueriesStore, 'get' | 'state'>;
  readonly #log: Logger;
  readonly #disposables = new DisposableStore();
  readonly #onDidChange = this.#disposables.add(new vscode.EventEmitter<string | undefined>());
  /** By connection and query, last asked last. */
  readonly #asked = new Map<string, Asked>();
  /**
   * Services that list no versions, each with the list of saved queries of that time: what a gateway said in passing
   * holds until the next refresh.
   */
  readonly #without = new WeakMap<ServiceClient, ListState>();

  /** Fires with the ID of a query that has other versions; undefined if several have. */
  readonly onDidChange = this.#onDidChange.event;

  constructor(deps: {
    readonly kept: VersionStore;
    readonly session: Pick<Session, 'state' | 'away'>;
    readonly store: Pick<SavedQueriesStore, 'get' | 'state'>;
    readonly log: Logger;
  }) {
    this.#kept = deps.kept;
    this.#session = deps.session;
    this.#list = deps.store;
    this.#log = deps.log;
    this.#disposables.add(deps.kept.onDidChange(({ queryId }) => this.#onDidChange.fire(queryId)));
  }

  /** Returns what is known now, if anything. `onDidChange` fires when the service has said more. */
  async known(connection: string, queryId: string): Promise<KnownVersions> {
    const asked = this.#ask(connection, queryId);
    const now = await this.#merged(connection, queryId, asked?.settled);
    if (now.versions.length > 0 || asked === undefined) return now;
    return await this.#merged(connection, queryId, await asked.answer);
  }

  /** Waits for the service. If it cannot be asked, returns what this machine has kept. */
  async versions(connection: string, queryId: string): Promise<readonly KnownVersion[]> {
    const answer = await this.#ask(connection, queryId)?.answer;
    return (await this.#merged(connection, queryId, answer)).versions;
  }

  /** Returns one version; undefined if neither the service nor this machine has it. */
  async get(connection: string, queryId: string, version: number): Promise<KnownVersion | undefined> {
    const kept = await this.#kept.get(connection, queryId, version);
    if (kept !== undefined) return kept;
    const all = await this.versions(connection, queryId);
    return all.find(({ record }) => record.version === version);
  }

  dispose(): void {
    this.#disposables.dispose();
  }

  async #merged(
    connection: string,
    queryId: string,
    answer: ListedVersions | undefined,
  ): Promise<KnownVersions> {
    const kept = await this.#kept.versions(connection, queryId);
    return {
      versions: mergeVersions(answer?.items ?? [], kept),
      isCut: answer?.isComplete === false,
    };
  }

  /** Asks the service, unless it has answered since the query's last change. */
  #ask(connection: string, queryId: string): Asked | undefined {
    const { state, away } = this.#session;
    const key = JSON.stringify([connection, queryId]);
    const before = this.#asked.get(key);
    if (state.kind !== 'connected' || !isHere(this.#session, connection)) return before;
    const { client } = state;
    if (this.#without.get(client) === this.#list.state) return undefined;
    const listed = this.#list.get(queryId)?.version;
    if (before?.client === client && (before.listed === listed || away !== undefined)) return before;
    if (away !== undefined) return undefined;
    const asked: Asked = {
      client,
      listed,
      settled: before?.client === client ? before.settled : undefined,
      answer: this.#read(client, queryId).then((answer) => {
        if (answer === undefined) {
          // The next look asks again.
          if (this.#asked.get(key) === asked) this.#asked.delete(key);
          return undefined;
        }
        asked.settled = answer;
        if (!this.#disposables.isDisposed) this.#onDidChange.fire(queryId);
        return answer;
      }),
    };
    this.#asked.delete(key);
    this.#asked.set(key, asked);
    const oldest = this.#asked.keys().next();
    if (this.#asked.size > mostAsked && oldest.done === false) this.#asked.delete(oldest.value);
    return asked;
  }

  /** Never rejects. */
  async #read(client: ServiceClient, queryId: string): Promise<ListedVersions | undefined> {
    try {
      const answer = await client.savedQueries.versions(queryId, { signal: AbortSignal.timeout(longestMs) });
      if (answer === undefined) this.#without.set(client, this.#list.state);
      return answer;
    } catch (error) {
      this.#log.debug(`listing the versions of a query failed: ${errorName(error)}`);
      return undefined;
    }
  }
}
