/**
 * Exports over the identity model: each data set is a query of the mapping, which runs while its file is read. A link is
 * signed and holds until it expires, on every instance.
 */
import { Readable } from 'node:stream';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import type { DownloadRequest } from '#api/contract/downloads.ts';
import { endpoints } from '#api/contract/endpoints.ts';
import { identityModel } from '#api/contract/tables.ts';
import { quoteName } from '#base/sql-names.ts';
import { batches, csvLine } from '../../data/exports/file-lines.ts';
import { ServiceError } from '../../errors.ts';
import type { QueryEngine } from '../../query/engine.ts';
import type { RunRows } from '../../query/growing-result.ts';
import { goneSignal } from '../../query/paged-runs.ts';
import { rowText } from '../../query/results.ts';
import { defineRoute } from '../../route.ts';
import {
  describeFile,
  expiredLink,
  filePath,
  FilePath,
  FileQuery,
  wrongLink,
  type FileLinks,
} from '../../routes/file-link.ts';
import type { ExportStore, KeptExport } from '../../state/exports.ts';
import { defaultTtlMinutes } from '../../store/downloads.ts';
import { failureOf } from './failure-of.ts';
import type { DescribedExport } from './tables.ts';

export interface ExportParts {
  readonly store: ExportStore;
  readonly links: FileLinks;
}

export interface ExportRoutes extends ExportParts {
  readonly engine: QueryEngine;
  /** The data sets at the moment. */
  readonly exports: () => readonly DescribedExport[];
  readonly baseUrl: () => string;
}

/** Files of one client that are read at once. Each may need room for a whole result. */
const mostReaders = 4;
/** Rows that are turned into lines at a time. */
const rowsAtOnce = 500;

export function registerExportRoutes(
  app: FastifyInstance,
  { engine, exports, store, links, baseUrl }: ExportRoutes,
): void {
  const exportOf = (context: string): DescribedExport | undefined =>
    exports().find((each) => each.context === context);
  /** @throws ServiceError if the mapping has no query for the data set, or none at all. */
  const requireExport = (context: string): void => {
    if (exportOf(context) !== undefined) return;
    const there = exports().map((each) => each.context);
    if (there.length === 0)
      throw new ServiceError('NOT_FOUND', 'Its data sets are the `exports` of a mapping, and it has none.');
    // To a client, 404 means a service without exports.
    throw new ServiceError(
      'BAD_REQUEST',
      `The mapping of this service has no query for the data set ${context}. It has: ${there.join(', ')}.`,
    );
  };
  const readers = new Map<string, number>();
  /** @throws ServiceError if the client reads too many files already. */
  const countReader = (client: string, { raw }: FastifyReply): void => {
    const others = readers.get(client) ?? 0;
    if (others >= mostReaders)
      throw new ServiceError(
        'TOO_MANY_REQUESTS',
        `${mostReaders} files of this client are being read. Wait until one of them is over.`,
        { headers: { 'retry-after': '10' } },
      );
    readers.set(client, others + 1);
    raw.once('close', () => {
      const left = (readers.get(client) ?? 1) - 1;
      if (left === 0) readers.delete(client);
      else readers.set(client, left);
    });
  };
  const record = (kept: KeptExport): DownloadRequest => ({
    id: kept.id,
    context: kept.context,
    fileFormat: kept.format,
    status: 'completed',
    urlTtlMinutes: kept.minutes,
    url: links.of(baseUrl(), kept.id, kept.expiresAt),
  });

  defineRoute(app, endpoints.createDownload, async ({ body, request, reply }) => {
    const { context, fileFormat: format = 'csv', urlTtlMinutes: minutes = defaultTtlMinutes } = body;
    requireExport(context);
    const kept = await store.create({ client: clientOf(request), context, format, minutes });
    if (kept === undefined)
      throw new ServiceError(
        'TOO_MANY_REQUESTS',
        'This client has too many exports whose links are valid. Wait until some have expired, or ask for shorter lifetimes.',
        { headers: { 'retry-after': '60' } },
      );
    reply.header('location', endpoints.getDownload.path.replace('{id}', kept.id));
    return record(kept);
  });

  defineRoute(app, endpoints.getDownload, async ({ path, request }) => {
    const kept = await store.find(path.id.toLowerCase());
    if (kept === undefined || kept.client !== clientOf(request))
      throw new ServiceError('NOT_FOUND', 'There is no download request with this id.');
    return record(kept);
  });

  app.get<{ Params: { id: string }; Querystring: FileQuery }>(
    filePath,
    { schema: { params: FilePath, querystring: FileQuery } },
    async ({ params: { id }, query }, reply) => {
      const kept = links.isRight(id, query) ? await store.find(id) : undefined;
      if (kept === undefined) throw wrongLink();
      if (kept.isOver) throw expiredLink();
      const { context, format } = kept;
      const dataSet = exportOf(context);
      if (dataSet === undefined) throw expiredLink(); // made by a start with another mapping
      const { sql, columns } = dataSet;
      countReader(kept.client, reply);
      const running = new AbortController();
      const signal = goneSignal(reply);
      signal.addEventListener('abort', () => running.abort(), { once: true });
      const isCsv = format === 'csv';
      const result = engine.run(
        {
          schema: identityModel,
          sql: isCsv ? valuesSql(sql, columns) : objectsSql(sql),
          values: [],
          fallbackTypes: [],
          client: kept.client,
        },
        running.signal,
      );
      const end = (): void => {
        running.abort();
        result.discard();
      };
      await result.until(() => result.rowCount > 0, signal);
      if (result.end !== undefined && result.end.kind !== 'complete') {
        end();
        throw failureOf(result, `The data set ${context}`);
      }
      describeFile(reply, { context, fileFormat: format });
      // The next run may give other rows, so a part of one file never goes on with another.
      reply.header('accept-ranges', 'none');
      reply.header('cache-control', 'no-store');
      const lines = async function* (): AsyncGenerator<string, void, undefined> {
        try {
          if (isCsv) yield csvLine(columns);
          for await (const rows of rowsOf(result, context, signal))
            yield* batches(rows.map((row) => (isCsv ? csvLine(row) : `${lineOf(row[0])}\n`)));
        } finally {
          end();
        }
      };
      return await reply.send(Readable.from(lines()));
    },
  );
}

function clientOf({ grant }: FastifyRequest): string {
  return grant?.clientId ?? '';
}

/** Every value as text: structures as JSON, others as in JSON, but without quotes. */
function valuesSql(sql: string, columns: readonly string[]): string {
  const values = columns.map((name) => `pg_catalog.to_json(row_.${quoteName(name)}) #>> '{}'`);
  return `SELECT ${values.join(', ')} FROM (${sql}\n) row_`;
}

/** Every row as the text of a JSON object. Without the star, a column of this name would be taken. */
function objectsSql(sql: string): string {
  return `SELECT pg_catalog.row_to_json(row_.*)::text FROM (${sql}\n) row_`;
}

/** Values of the type json have the line breaks of their text, which only lie between tokens. */
function lineOf(json: unknown): string {
  return String(json).replaceAll(/[\r\n]+/g, ' ');
}

/** Yields the rows as they arrive. Throws if the run fails, so that the file is not mistaken for a whole one. */
async function* rowsOf(
  result: RunRows,
  context: string,
  signal: AbortSignal,
): AsyncGenerator<readonly (readonly unknown[])[], void, undefined> {
  let from = 0;
  for (;;) {
    const next = from;
    await result.until(() => result.rowCount > next, signal);
    const to = Math.min(result.rowCount, from + rowsAtOnce);
    if (to === from) break;
    yield JSON.parse(`[${await rowText(result, from, to)}]`) as readonly (readonly unknown[])[]; // rows of texts
    from = to;
  }
  if (result.end?.kind !== 'complete') throw failureOf(result, `The data set ${context}`);
}
