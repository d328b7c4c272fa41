/** Keeps the index of what saved queries use, for as long as somebody can see it. */
import * as vscode from 'vscode';
import type { ReferencesResult, TableReference, TextParams } from '../../../../server/src/protocol.ts';
import { failureOf } from '../../../../core/src/util/failure.ts';
import { DisposableStore } from '../../../../core/src/util/disposables.ts';
import type { Logger } from '../../../../core/src/util/logger.ts';
import type { QuerySource } from './query-source.ts';
import { UsesIndex } from './uses-index.ts';

export interface UsesDependencies {
  readonly log: Logger;
  readonly queries: QuerySource;
  readonly references: (text: TextParams) => Promise<ReferencesResult>;
  /** The connection that is chosen. */
  readonly connection: () => string | undefined;
  /** Another text when tables or columns are known that were not before. */
  readonly stamp: () => string;
}

interface FoundUses {
  /** Version and model that it was found in. */
  readonly record: string;
  readonly tables: readonly TableReference[];
}

/** After the last of many changes. */
const pauseMs = 500;

export class Uses implements vscode.Disposable {
  readonly #deps: UsesDependencies;
  readonly #disposables = new DisposableStore();
  readonly #onDidChange = this.#disposables.add(new vscode.EventEmitter<void>());
  #index: UsesIndex | undefined;
  /** What each query was found to use, so that one changed query is one question. */
  #found = new Map<string, FoundUses>();
  #foundStamp = '';
  /** The connection that the index is of. */
  #indexed: string | undefined;
  /** The build under way, or the last one. */
  #work: Promise<void> | undefined;
  #isWanted = false;
  #isStale = true;
  #building: AbortController | undefined;
  #timer: NodeJS.Timeout | undefined;

  readonly onDidChange = this.#onDidChange.event;

  constructor(deps: UsesDependencies) {
    this.#deps = deps;
    this.#disposables.add(deps.queries.onDidChange(() => this.invalidate()));
  }

  /** Undefined until it was made for the first time. */
  get index(): UsesIndex | undefined {
    return this.#index;
  }

  /** Whether somebody looks at it; it is made, and made again after changes, only then. */
  set isWanted(isWanted: boolean) {
    this.#isWanted = isWanted;
    this.#schedule();
  }

  /** Queries, tables or columns have changed. */
  invalidate(): void {
    this.#isStale = true;
    if (this.#index !== undefined && this.#deps.connection() !== this.#indexed) {
      this.#index = undefined;
      this.#onDidChange.fire();
    }
    this.#schedule();
  }

  /** The index as of now, also when nobody looks. @throws ApiError, ContractError */
  async current(): Promise<UsesIndex> {
    if (this.#isStale || this.#work === undefined) this.#work = this.#build();
    await this.#work;
    return this.#index ?? new UsesIndex();
  }

  dispose(): void {
    clearTimeout(this.#timer);
    this.#building?.abort();
    this.#disposables.dispose();
  }

  #schedule(): void {
    clearTimeout(this.#timer);
    if (!this.#isWanted || !this.#isStale) return;
    this.#timer = setTimeout(() => {
      this.#work = this.#build();
      this.#work.catch((error: unknown) => {
        const failure = failureOf(error);
        if (failure.kind !== 'cancelled') this.#deps.log.warn(`uses are not known: ${failure.kind}`);
      });
    }, pauseMs);
  }

  async #build(): Promise<void> {
    this.#building?.abort();
    const building = new AbortController();
    this.#building = building;
    this.#isStale = false;
    const { queries, references } = this.#deps;
    const connection = this.#deps.connection();
    const stamp = this.#deps.stamp();
    const before = stamp === this.#foundStamp ? this.#found : new Map<string, never>();
    const found = new Map<string, FoundUses>();
    const index = new UsesIndex();
    const started = performance.now();
    let count = 0;
    try {
      for await (const { query, text } of queries.withTexts({ signal: building.signal })) {
        if (text === undefined || connection === undefined) continue;
        const record = `${query.version} ${query.model}`;
        let known = before.get(query.query_id);
        if (known?.record !== record) {
          const { statements } = await references({ sql: text, model: query.model, connection });
          if (building.signal.aborted) return;
          known = { record, tables: statements.flatMap(({ tables }) => tables) };
          count += 1;
        }
        found.set(query.query_id, known);
        index.add(query.query_id, known.tables);
      }
    } catch (error) {
      if (this.#building === building) this.#isStale = true;
      throw error;
    }
    if (this.#building !== building) return;
    this.#deps.log.debug(
      `read what ${count} saved queries use in ${Math.round(performance.now() - started)} ms`,
    );
    this.#index = index;
    this.#indexed = connection;
    this.#found = found;
    this.#foundStamp = stamp;
    this.#onDidChange.fire();
  }
}
