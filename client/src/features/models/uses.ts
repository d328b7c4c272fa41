/** Keeps the index of used tables and columns up to date while it is visible. */
import * as vscode from 'vscode';
import { latestEnded } from '#base/async/latest.ts';
import { DisposableStore } from '#base/disposables.ts';
import type { Logger } from '#base/logger.ts';
import { countedText } from '#base/words/counted-text.ts';
import { namingFailure } from '#client/ui/naming-failure.ts';
import { failureOf } from '#core/failures/failure.ts';
import type { ReferencesResult, TextParams } from '#server/protocol.ts';
import type { QuerySource } from './query-source.ts';
import { UsesIndex, type QueryUse } from './uses-index.ts';

export interface UsesDependencies {
  readonly log: Logger;
  readonly queries: QuerySource;
  readonly references: (text: TextParams) => Promise<ReferencesResult>;
  readonly connection: () => string | undefined;
  /** Returns a string that changes whenever the known tables or columns may have changed. */
  readonly stamp: () => string;
}

interface FoundUses {
  /** The query version and model for which the uses were found. */
  readonly record: string;
  readonly use: QueryUse;
}

/** Debounce delay after a change. */
const pauseMs = 500;

export const queriesNotRead = (reason: string): string =>
  vscode.l10n.t('The saved queries could not be read: {0}', reason);

export class Uses implements vscode.Disposable {
  readonly #deps: UsesDependencies;
  readonly #disposables = new DisposableStore();
  readonly #onDidChange = this.#disposables.add(new vscode.EventEmitter<void>());
  #index: UsesIndex | undefined;
  /** Uses by query, so that a changed query costs only one request. */
  #found = new Map<string, FoundUses>();
  #foundStamp = '';
  /** The connection that the index was built for. */
  #indexed: string | undefined;
  /** The current or last build. */
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

  /** The index; undefined before the first build. */
  get index(): UsesIndex | undefined {
    return this.#index;
  }

  /** Whether the index is visible; it is built and updated only then. */
  set isWanted(isWanted: boolean) {
    this.#isWanted = isWanted;
    this.#schedule();
  }

  /** Marks the index as outdated: queries, tables or columns have changed. */
  invalidate(): void {
    this.#isStale = true;
    if (this.#index !== undefined && this.#deps.connection() !== this.#indexed) {
      this.#index = undefined;
      this.#onDidChange.fire();
    }
    this.#schedule();
  }

  /** Returns an up-to-date index, even if it is not visible. @throws ExpectedError if the queries can't be read. */
  async current(): Promise<UsesIndex> {
    if (this.#isStale || this.#work === undefined) this.#work = this.#build();
    await namingFailure(queriesNotRead, () => latestEnded(() => this.#work));
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
      if (!this.#isStale) return;
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
          known = {
            record,
            use: {
              tables: statements.flatMap(({ tables }) => tables),
              outputs: statements.flatMap(({ outputs }) => outputs ?? []),
            },
          };
          count += 1;
        }
        found.set(query.query_id, known);
        index.add(query.query_id, known.use);
      }
    } catch (error) {
      if (this.#building === building) this.#isStale = true;
      throw error;
    }
    if (this.#building !== building) return;
    this.#deps.log.debug(
      `read the uses of ${countedText(count, 'saved query', 'saved queries')} in ${Math.round(performance.now() - started)} ms`,
    );
    this.#index = index;
    this.#indexed = connection;
    this.#found = found;
    this.#foundStamp = stamp;
    this.#onDidChange.fire();
  }
}
