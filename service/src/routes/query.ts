/** POST /v1/query/execute: runs one SELECT. All pages come from a single run and are available while it runs. */
import type { FastifyInstance } from 'fastify';
import { endpoints } from '#api/contract/endpoints.ts';
import { limits } from '#api/contract/limits.ts';
import { unavailable } from '../errors.ts';
import { nobodyWaits, type QueryEngine } from '../query/engine.ts';
import { parseProblem, queryError, timeoutError } from '../query/explain.ts';
import { resultGone, type RunRows } from '../query/growing-result.ts';
import { PagedRuns, type PageOfRun } from '../query/paged-runs.ts';
import { prepareQuery, type PreparedQuery } from '../query/prepare.ts';
import { fingerprintOf, rowSlices } from '../query/results.ts';
import { defineRoute, JsonText } from '../route.ts';
import { callerOf, type PageTokens } from '../tokens.ts';
import type { Models } from './models.ts';

const keptByDefault = 256 * 1024 * 1024;
const wholeUpTo = 4 * 1024 * 1024;

export interface QueryDependencies {
  readonly engine: QueryEngine;
  readonly models: Models;
  readonly tokens: PageTokens;
  /** Results up to this size are completed before the first page is sent, so that it includes the row count. */
  readonly wholeUpToBytes?: number;
  /** Size of all results that are kept for their next pages. */
  readonly keptBytes?: number;
  /** Called before a run; it does not begin if this fails. */
  readonly onRun?: (run: {
    readonly client: string;
    readonly model: string;
    readonly text: string;
  }) => Promise<void>;
}

export function registerQueryRoutes(
  app: FastifyInstance,
  {
    engine,
    models,
    tokens,
    wholeUpToBytes = wholeUpTo,
    keptBytes: mostBytes = keptByDefault,
    onRun,
  }: QueryDependencies,
): void {
  const words = {
    gone: resultGone,
    isOther: 'belongs to another query',
  };
  const runs = new PagedRuns(app, { tokens, mostBytes, words });

  defineRoute(app, endpoints.executeQuery, async ({ body, request, reply }) => {
    const model = models.resolve(body.model);
    const { query_string: text, parameters = {}, pageToken } = body;
    const pageSize = body.pageSize ?? limits.executePageSizeDefault;
    // A result belongs to the client that ran it.
    const fingerprint = fingerprintOf(callerOf(request.grant), text, model, parameters);
    const prepared = prepareQuery(text, parameters);
    if ('offset' in prepared) throw parseProblem(text, prepared);
    const { sql, values, fallbackTypes } = prepared;
    if (pageToken === undefined) await onRun?.({ client: request.grant?.clientId ?? 'unknown', model, text });
    return await runs.page(
      {
        list: 'execute',
        pageToken,
        location: 'body',
        fingerprint,
        reply,
        start: (signal) =>
          engine.run({ schema: model, sql, values, fallbackTypes, client: request.grant?.clientId }, signal),
      },
      async (page) => {
        const { result, signal } = page;
        const asked = { text, prepared, pageSize };
        if (pageToken === undefined) {
          await result.until(() => result.sizeBytes > wholeUpToBytes, signal);
          if (result.sizeBytes <= wholeUpToBytes) throwIfCutShort(result, asked);
        }
        return await pageOf(page, asked);
      },
    );
  });
}

interface Asked {
  readonly text: string;
  readonly prepared: PreparedQuery;
  readonly pageSize: number;
}

/** Returns the page that starts at row `from`. Waits for one more row, to learn whether another page follows. */
async function pageOf({ result, from, signal, tokenOf }: PageOfRun, asked: Asked): Promise<JsonText> {
  const full = from + asked.pageSize;
  await result.until(() => result.rowCount > full, signal);
  if (result.rowCount < full) throwIfCutShort(result, asked);
  const isLast = result.end?.kind === 'complete' && result.rowCount <= full;
  return isLast ? page(result, from, result.rowCount, undefined) : page(result, from, full, tokenOf(full));
}

/** Throws the reason if the run stopped before its last row, or if the caller stopped waiting. */
function throwIfCutShort({ end }: RunRows, { text, prepared }: Asked): void {
  switch (end?.kind) {
    case 'complete':
      return;
    case 'failed':
      throw queryError(text, prepared, end.failure);
    case 'timeout':
      throw timeoutError(end.limitMs);
    case 'error':
      throw end.error;
    case undefined:
      throw unavailable(nobodyWaits);
  }
}

function page(result: RunRows, from: number, to: number, nextPageToken: string | undefined): JsonText {
  const text = (value: string): Uint8Array => Buffer.from(value);
  const next = JSON.stringify(nextPageToken ?? null);
  // The row count is unknown while the query runs.
  const rowCount = result.end?.kind === 'complete' ? `,"rowCount":${result.rowCount}` : '';
  return new JsonText([
    text(`{"columns":${JSON.stringify(result.columns)},"rows":[`),
    ...rowSlices(result, from, to),
    text(`]${rowCount},"nextPageToken":${next}}`),
  ]);
}
