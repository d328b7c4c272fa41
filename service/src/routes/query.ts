/** POST /v1/query/execute: runs one SELECT. All pages come from a single run and are available while it runs. */
import type { FastifyInstance, FastifyReply } from 'fastify';
import { Type } from 'typebox';
import { Value } from 'typebox/value';
import { endpoints } from '#api/contract/endpoints.ts';
import { limits } from '#api/contract/limits.ts';
import { badField, ServiceError } from '../errors.ts';
import { nobodyWaits, unavailable, type QueryEngine } from '../query/engine.ts';
import { parseProblem, queryError, timeoutError } from '../query/explain.ts';
import type { RunRows } from '../query/growing-result.ts';
import { prepareQuery, type PreparedQuery } from '../query/prepare.ts';
import { fingerprintOf, ResultKeeper, rowSlices } from '../query/results.ts';
import { defineRoute, JsonText } from '../route.ts';
import type { PageTokens } from '../tokens.ts';
import type { Models } from './models.ts';

const listName = 'execute';
const Position = Type.Object({ result: Type.String(), row: Type.Integer() });

const keepFor = { mostBytes: 256 * 1024 * 1024, lifetimeMs: 5 * 60_000, clock: Date.now };
const tidyMs = 60_000;

const wholeUpTo = 4 * 1024 * 1024;

export interface QueryDependencies {
  readonly engine: QueryEngine;
  readonly models: Models;
  readonly tokens: PageTokens;
  /** Results up to this size are completed before the first page is sent, so that it includes the row count. */
  readonly wholeUpToBytes?: number;
  /** Size of all results that are kept for their next pages. */
  readonly keptBytes?: number;
}

export function registerQueryRoutes(
  app: FastifyInstance,
  { engine, models, tokens, wholeUpToBytes = wholeUpTo, keptBytes = keepFor.mostBytes }: QueryDependencies,
): void {
  const kept = new ResultKeeper({ ...keepFor, mostBytes: keptBytes });
  const tidying = setInterval(() => kept.dropOld(), tidyMs);
  tidying.unref();
  app.addHook('onClose', (_instance, done) => {
    clearInterval(tidying);
    kept.clear();
    done();
  });

  defineRoute(app, endpoints.executeQuery, async ({ body, request, reply }) => {
    const model = models.resolve(body.model);
    const parameters = body.parameters ?? {};
    const pageSize = body.pageSize ?? limits.executePageSizeDefault;
    // A result belongs to the client that ran it.
    const fingerprint = fingerprintOf(request.grant?.clientId, body.query_string, model, parameters);
    const prepared = prepareQuery(body.query_string, parameters);
    if ('offset' in prepared) throw parseProblem(body.query_string, prepared);
    const asked = { text: body.query_string, prepared, pageSize, signal: goneSignal(reply) };

    if (body.pageToken !== undefined) {
      if (tokens.isOfEarlierProcess(listName, body.pageToken)) throw gone();
      const { result: id, row } = Value.Parse(Position, tokens.open(listName, body.pageToken, 'body'));
      const entry = kept.find(id);
      if (entry === undefined) throw gone();
      if (entry.fingerprint !== fingerprint) throw badField('body', 'pageToken', 'belongs to another query');
      return await pageOf(entry.result, row, asked, (end) => tokens.seal(listName, { result: id, row: end }));
    }

    const { sql, values, fallbackTypes } = prepared;
    const running = new AbortController();
    const stop = (): void => running.abort();
    asked.signal.addEventListener('abort', stop, { once: true });
    const result = engine.run({ schema: model, sql, values, fallbackTypes }, running.signal);
    const ids: string[] = [];
    try {
      await result.until(() => result.sizeBytes > wholeUpToBytes, asked.signal);
      if (result.sizeBytes <= wholeUpToBytes) throwIfCutShort(result, asked);
      return await pageOf(result, 0, asked, (end) => {
        const { id } = kept.keep({ fingerprint, result, abandon: stop });
        ids.push(id);
        return tokens.seal(listName, { result: id, row: end });
      });
    } finally {
      if (ids.length === 0) result.discard();
    }
  });
}

function gone(): ServiceError {
  return new ServiceError('RESULT_GONE', 'The service no longer has this result. Run the query again.');
}

interface Asked {
  readonly text: string;
  readonly prepared: PreparedQuery;
  readonly pageSize: number;
  /** Aborts when the caller disconnects. */
  readonly signal: AbortSignal;
}

/** Returns the page that starts at row `from`. Waits for one more row, to learn whether another page follows. */
async function pageOf(
  result: RunRows,
  from: number,
  asked: Asked,
  tokenOf: (row: number) => string,
): Promise<JsonText> {
  const full = from + asked.pageSize;
  await result.until(() => result.rowCount > full, asked.signal);
  if (result.rowCount < full) throwIfCutShort(result, asked);
  const isLast = result.end?.kind === 'complete' && result.rowCount <= full;
  return isLast
    ? await page(result, from, result.rowCount, undefined)
    : await page(result, from, full, tokenOf(full));
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

/** Returns a signal that aborts if the caller closes the connection before the response is complete. */
function goneSignal(reply: FastifyReply): AbortSignal {
  const controller = new AbortController();
  reply.raw.once('close', () => {
    if (!reply.raw.writableFinished) controller.abort();
  });
  return controller.signal;
}

async function page(
  result: RunRows,
  from: number,
  to: number,
  nextPageToken: string | undefined,
): Promise<JsonText> {
  const text = (value: string): Uint8Array => Buffer.from(value);
  const next = JSON.stringify(nextPageToken ?? null);
  // The row count is unknown while the query runs.
  const rowCount = result.end?.kind === 'complete' ? `,"rowCount":${result.rowCount}` : '';
  return new JsonText([
    text(`{"columns":${JSON.stringify(result.columns)},"rows":[`),
    ...(await rowSlices(result, from, to)),
    text(`]${rowCount},"nextPageToken":${next}}`),
  ]);
}
