/** POST /v1/query/execute: one SELECT, its rows page by page from one run. */
import type { FastifyInstance, FastifyReply } from 'fastify';
import { Type } from 'typebox';
import { Value } from 'typebox/value';
import { endpoints } from '../../../api/contract/endpoints.ts';
import { defaultModel, limits } from '../../../api/contract/limits.ts';
import { badField } from '../errors.ts';
import type { QueryEngine, QueryResult } from '../query/engine.ts';
import { parseProblem, queryError, timeoutError } from '../query/explain.ts';
import { prepareQuery } from '../query/prepare.ts';
import { fingerprintOf, ResultKeeper, rowSlices } from '../query/results.ts';
import { defineRoute, JsonText } from '../route.ts';
import type { PageTokens } from '../tokens.ts';
import { checkModel } from './models.ts';

const listName = 'execute';
const Position = Type.Object({ result: Type.String(), row: Type.Integer() });

const keepFor = { mostBytes: 256 * 1024 * 1024, lifetimeMs: 5 * 60_000, clock: Date.now };

export function registerQueryRoutes(app: FastifyInstance, engine: QueryEngine, tokens: PageTokens): void {
  const kept = new ResultKeeper(keepFor);

  defineRoute(app, endpoints.executeQuery, async ({ body, reply }) => {
    const model = body.model ?? defaultModel;
    const parameters = body.parameters ?? {};
    const pageSize = body.pageSize ?? limits.executePageSizeDefault;
    checkModel(model);
    const fingerprint = fingerprintOf(body.query_string, model, parameters);

    if (body.pageToken !== undefined) {
      const { result: id, row } = Value.Parse(Position, tokens.open(listName, body.pageToken, 'body'));
      const entry = kept.find(id);
      if (entry === undefined)
        throw badField('body', 'pageToken', 'names a result that is no longer kept; run the query again');
      if (entry.fingerprint !== fingerprint) throw badField('body', 'pageToken', 'belongs to another query');
      const end = Math.min(row + pageSize, entry.result.rowCount);
      return page(entry.result, row, end, nextToken(tokens, id, end, entry.result));
    }

    const prepared = prepareQuery(body.query_string, parameters);
    if ('offset' in prepared) throw parseProblem(body.query_string, prepared);
    const outcome = await engine.run(
      { schema: model, sql: prepared.sql, values: prepared.values, fallbackTypes: prepared.fallbackTypes },
      goneSignal(reply),
    );
    if (outcome.kind === 'timeout') throw timeoutError(outcome.limitMs);
    if (outcome.kind === 'failed') throw queryError(body.query_string, prepared, outcome.failure);
    const { result } = outcome;
    const end = Math.min(pageSize, result.rowCount);
    const token =
      end < result.rowCount ? nextToken(tokens, kept.keep(fingerprint, result).id, end, result) : undefined;
    return page(result, 0, end, token);
  });
}

function nextToken(tokens: PageTokens, id: string, row: number, result: QueryResult): string | undefined {
  return row < result.rowCount ? tokens.seal(listName, { result: id, row }) : undefined;
}

/** Aborts when the caller closes the connection before the answer. */
function goneSignal(reply: FastifyReply): AbortSignal {
  const controller = new AbortController();
  reply.raw.once('close', () => controller.abort());
  return controller.signal;
}

function page(result: QueryResult, from: number, to: number, nextPageToken: string | undefined): JsonText {
  const text = (value: string): Uint8Array => Buffer.from(value);
  const next = nextPageToken === undefined ? '' : `,"nextPageToken":${JSON.stringify(nextPageToken)}`;
  return new JsonText([
    text(`{"columns":${JSON.stringify(result.columns)},"rows":[`),
    ...rowSlices(result, from, to),
    text(`],"rowCount":${result.rowCount}${next}}`),
  ]);
}
