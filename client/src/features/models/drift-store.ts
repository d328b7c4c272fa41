/** Checks every saved query against the current models, and updates the result when queries are saved. */
import * as vscode from 'vscode';
import { DisposableStore } from '#base/disposables.ts';
import type { Logger } from '#base/logger.ts';
import { countedText } from '#base/words/counted-text.ts';
import { ExpectedError, failureOf } from '#core/failures/failure.ts';
import { breaking, withQuery, type CheckedQuery, type DriftResult } from '#core/models/drift.ts';
import type { CheckParams, CheckResult } from '#server/protocol.ts';
import type { QueryRecord, QuerySource } from './query-source.ts';

export interface DriftStoreDependencies {
  readonly log: Logger;
  readonly queries: QuerySource;
  readonly check: (text: CheckParams) => Promise<CheckResult>;
  /** Reloads the list of saved queries and all models. @throws ApiError, ExpectedError */
  readonly readAll: () => Promise<void>;
  /** Returns the name of the current connection. @throws ExpectedError if not connected */
  readonly requireConnection: () => string;
}

/** Maximum number of concurrent server requests. */
const atATime = 8;

export class DriftStore implements vscode.Disposable {
  readonly #deps: DriftStoreDependencies;
  readonly #disposables = new DisposableStore();
  readonly #onDidChange = this.#disposables.add(new vscode.EventEmitter<void>());
  #result: DriftResult | undefined;
  /** The version of each query that was last checked. */
  readonly #seen = new Map<string, string>();

  readonly onDidChange = this.#onDidChange.event;

  constructor(deps: DriftStoreDependencies) {
    this.#deps = deps;
    this.#disposables.add(
      deps.queries.onDidChange((queryId) => {
        if (queryId === undefined) this.#dropDeleted();
        else void this.#checkAgain(queryId);
      }),
    );
  }

  /** The result, or undefined before the first check. */
  get result(): DriftResult | undefined {
    return this.#result;
  }

  clear(): void {
    if (this.#result !== undefined) this.#set(undefined);
  }

  /**
   * @param report called with the number of queries done and in total. @throws ApiError, ContractError, ExpectedError,
   * UserAbort
   */
  async checkAll(signal: AbortSignal, report: (done: number, count: number) => void): Promise<DriftResult> {
    const { queries, readAll, requireConnection, log } = this.#deps;
    const connection = requireConnection();
    await readAll();
    const started = performance.now();
    const count = queries.list().length;
    const found: CheckedQuery[] = [];
    let unread = 0;
    let batch: Promise<CheckedQuery>[] = [];
    const settle = async () => {
      for (const each of await Promise.all(batch)) found.push(each);
      batch = [];
      report(found.length + unread, count);
    };
    for await (const { query, text } of queries.withTexts({ signal, maxReads: Infinity })) {
      if (text === undefined) unread += 1;
      else batch.push(this.#check(connection, query, text));
      if (batch.length >= atATime) await settle();
    }
    await settle();
    if (requireConnection() !== connection)
      throw new ExpectedError(vscode.l10n.t('The check stopped because the connection changed.'));
    const broken = found.filter(({ findings }) => findings.length > 0);
    log.info(
      `checked ${countedText(found.length, 'saved query', 'saved queries')} in ${Math.round(performance.now() - started)} ms, ${broken.length} broken`,
    );
    const result = { connection, checkedAt: Date.now(), checked: found.length, unread, broken };
    this.#set(result);
    return result;
  }

  dispose(): void {
    this.#disposables.dispose();
  }

  async #check(connection: string, query: QueryRecord, text: string): Promise<CheckedQuery> {
    this.#seen.set(query.query_id, recordOf(query));
    const { diagnostics } = await this.#deps.check({ sql: text, model: query.model, connection });
    return {
      queryId: query.query_id,
      name: query.name,
      version: query.version,
      model: query.model,
      text,
      findings: breaking(diagnostics),
    };
  }

  /** Checks a query again after it was saved or read. Never rejects. */
  async #checkAgain(queryId: string): Promise<void> {
    const before = this.#result;
    const { queries } = this.#deps;
    const query = queries.get(queryId);
    if (before === undefined || query === undefined || this.#seen.get(queryId) === recordOf(query)) return;
    this.#seen.set(queryId, recordOf(query));
    try {
      const text = queries.textOf(queryId) ?? (await queries.read(queryId)).query_string;
      const checked = await this.#check(before.connection, query, text);
      if (this.#result?.connection !== before.connection) return;
      this.#set(withQuery(this.#result, checked));
    } catch (error) {
      const failure = failureOf(error);
      if (failure.kind !== 'cancelled') this.#deps.log.warn(`a query was not checked: ${failure.kind}`);
    }
  }

  #dropDeleted(): void {
    const result = this.#result;
    const { queries } = this.#deps;
    if (result === undefined || queries.list().length === 0) return;
    const left = result.broken.filter(({ queryId }) => queries.get(queryId) !== undefined);
    if (left.length < result.broken.length) this.#set({ ...result, broken: left });
  }

  #set(result: DriftResult | undefined): void {
    this.#result = result;
    this.#onDidChange.fire();
  }
}

function recordOf({ version, model, name }: QueryRecord): string {
  return JSON.stringify([version, model, name]);
}
