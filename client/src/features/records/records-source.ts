/** A collection as a source of rows for the result panel, and the pages that streaming to a file reads too. */
import * as vscode from 'vscode';
import { pause } from '../../../../api/client/abort.ts';
import type { ServiceClient } from '../../../../api/client/client.ts';
import { ApiError, ContractError, RateLimitError } from '../../../../api/client/errors.ts';
import { limits } from '../../../../api/contract/limits.ts';
import type { Page } from '../../../../api/contract/lists.ts';
import type { CollectionId } from '../../../../api/contract/tables.ts';
import { ExpectedError } from '../../ui/failure.ts';
import type { RowsPage } from '../results/index.ts';
import { rfc3339, type ActivityWindow } from './activity-window.ts';
import type { RecordField } from './record-fields.ts';

export interface RecordsFilter {
  /** A UUID; undefined: all application instances. */
  readonly applicationInstanceId?: string | undefined;
  /** Activities only. */
  readonly window?: ActivityWindow | undefined;
}

/** Items of a collection with the fields that make them rows. */
export interface ItemsPage {
  readonly items: readonly unknown[];
  readonly isLast: boolean;
}

const firstEmptyDelayMs = 200;
const maxEmptyDelayMs = 10_000;
const defaultRateLimitDelayMs = 5_000;

/**
 * Pages of a collection, each with items or the last. Empty pages, which the service sends while it prepares, are waited
 * out; so is a rate limit, as long as the service says. `next` may be called again after it threw: it goes on with the
 * page that failed.
 */
export function pagesOf(
  client: ServiceClient,
  collection: CollectionId,
  options: {
    readonly filter: RecordsFilter;
    readonly signal: AbortSignal;
    readonly say: (note: string) => void;
  },
): AsyncIterableIterator<ItemsPage, undefined> {
  let pageToken: string | undefined;
  let isOver = false;
  const reader = client[collection] as { list(query: object): Promise<Page<unknown>> }; // each takes what `query` below may hold
  const { filter, signal, say } = options;
  const query = {
    applicationInstanceId: filter.applicationInstanceId,
    ...(filter.window === undefined
      ? {}
      : { from: rfc3339(filter.window.from), to: rfc3339(filter.window.to) }),
  };
  const read = async (): Promise<Page<unknown>> => {
    for (;;) {
      try {
        return await reader.list({
          ...query,
          pageSize: limits.pageSizeMax,
          ...(pageToken === undefined ? {} : { pageToken }),
          signal,
        });
      } catch (error) {
        if (!(error instanceof RateLimitError)) throw error;
        const delayMs = error.retryAfterMs ?? defaultRateLimitDelayMs;
        const at = new Date(Date.now() + delayMs).toLocaleTimeString();
        say(vscode.l10n.t('The service asked for a pause. Going on at {0}.', at));
        await pause(delayMs, signal);
      }
    }
  };
  const seen = new Set<string>();
  return {
    [Symbol.asyncIterator]() {
      return this;
    },
    async next() {
      if (isOver) return { done: true, value: undefined };
      for (let delayMs = firstEmptyDelayMs; ; delayMs = Math.min(maxEmptyDelayMs, delayMs * 1.5)) {
        const page = await read();
        isOver = page.nextPageToken === undefined;
        pageToken = page.nextPageToken;
        if (page.items.length > 0 || isOver) {
          if (pageToken !== undefined && seen.has(pageToken)) {
            throw new ExpectedError(
              vscode.l10n.t(
                'The service repeats a page of this list, so it would never end. Reading stopped.',
              ),
            );
          }
          if (pageToken !== undefined) seen.add(pageToken);
          return { done: false, value: { items: page.items, isLast: isOver } };
        }
        say(vscode.l10n.t('The service is still preparing these rows.'));
        await pause(delayMs, signal);
      }
    },
    return() {
      isOver = true;
      return Promise.resolve({ done: true, value: undefined });
    },
  };
}

/** The rows of a page: a column a field, fields that the specification does not know after those that it does. */
export class RowShape {
  readonly #names: readonly string[];
  readonly columns: RowsPage['columns'];

  /** @param fields undefined where items are texts. */
  constructor(fields: readonly RecordField[] | undefined, items: readonly unknown[]) {
    if (fields === undefined) {
      this.#names = [];
      this.columns = [{ name: 'relationship', type: 'text' }];
      return;
    }
    const known = new Set(fields.map(({ name }) => name));
    const others = new Set<string>();
    for (const item of items) {
      if (typeof item !== 'object' || item === null) continue;
      for (const name of Object.keys(item)) if (!known.has(name)) others.add(name);
    }
    this.#names = [...known, ...others];
    this.columns = [
      ...fields.map(({ name, type }) => ({ name, type })),
      ...[...others].map((name) => ({ name, type: 'jsonb' })),
    ];
  }

  rowOf(item: unknown): readonly unknown[] {
    if (typeof item !== 'object' || item === null) return [item];
    return this.#names.map((name) => (Reflect.get(item, name) as unknown) ?? null); // absent is NULL
  }
}

/** A service without this list answers 404, 405 or 501 (assumption: every collection has a list). */
export function isMissingList(error: unknown): boolean {
  const status = error instanceof ApiError || error instanceof ContractError ? error.status : undefined;
  return status === 404 || status === 405 || status === 501;
}
