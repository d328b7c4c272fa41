/** Export endpoints: requested, polled, and downloaded through a signed link that needs no token. */
import { createHash } from 'node:crypto';
import { Readable } from 'node:stream';
import { setImmediate } from 'node:timers/promises';
import type { FastifyInstance } from 'fastify';
import { endpoints } from '#api/contract/endpoints.ts';
import type { Changes } from '../data/changes/changes.ts';
import type { World } from '../data/company/world.ts';
import { exportLines } from '../data/exports/data-sets.ts';
import { batches } from '../data/exports/file-lines.ts';
import { ServiceError } from '../errors.ts';
import type { SandboxOptions } from '../options.ts';
import { defineRoute } from '../route.ts';
import type { Downloads } from '../store/downloads.ts';
import { describeFile, expiredLink, filePath, FilePath, FileQuery, wrongLink } from './file-link.ts';

export function registerDownloadRoutes(
  app: FastifyInstance,
  options: SandboxOptions,
  { world, downloads }: { readonly world: World; readonly downloads: Downloads },
): void {
  defineRoute(app, endpoints.createDownload, ({ body, reply }) => {
    const record = downloads.create(body);
    reply.header('location', `/v1/downloads/${record.id}`);
    return record;
  });

  defineRoute(app, endpoints.getDownload, ({ path }) => {
    const record = downloads.get(path.id.toLowerCase(), options.baseUrl);
    if (record === undefined)
      throw new ServiceError('NOT_FOUND', 'There is no download request with this id.');
    return record;
  });

  app.get<{ Params: { id: string }; Querystring: FileQuery }>(
    filePath,
    { schema: { params: FilePath, querystring: FileQuery } },
    async (request, reply) => {
      const record = downloads.open(request.params.id, request.query);
      if (record === 'wrong') throw wrongLink();
      if (record === 'expired') throw expiredLink();
      describeFile(reply, record);
      const lines = () => batches(exportLines(world, record.context, record.fileFormat));
      reply.header('accept-ranges', 'bytes');
      const etag = etagOf(record.id, world.changes);
      reply.header('etag', etag);
      const { range, 'if-range': condition } = request.headers;
      // A partial response is useful only if the caller has the start of the same file (RFC 9110 section 13.1.5).
      const offset = condition === undefined || condition === etag ? offsetOf(range) : undefined;
      if (offset === undefined && world.accountCount > countedAccounts)
        return reply.send(Readable.from(lines()));
      const total = await bytesOf(lines());
      if (offset === undefined) {
        reply.header('content-length', total);
        return reply.send(Readable.from(lines()));
      }
      if (offset >= total) return reply.code(416).header('content-range', `bytes */${total}`).send();
      reply.code(206).header('content-range', `bytes ${offset}-${total - 1}/${total}`);
      reply.header('content-length', total - offset);
      return reply.send(Readable.from(from(offset, lines())));
    },
  );
}

/** Parses the only range form needed to resume: from a byte to the end of the file (RFC 9110 section 14.1.2). */
function offsetOf(range: string | undefined): number | undefined {
  const match = /^bytes=(\d{1,15})-$/.exec(range ?? '');
  return match === null ? undefined : Number(match[1]);
}

/** In larger companies, the file's length is not computed up front, since that takes as long as sending the file. */
const countedAccounts = 50_000;

/** The link and the changes determine the file. Changes are never removed, so their number identifies them. */
function etagOf(id: string, { disabledAccounts, removedAccess, memberships }: Changes): string {
  const count = disabledAccounts.size + removedAccess.size + memberships.length;
  return `"${createHash('sha256').update(`${id} ${count}`).digest('hex')}"`;
}

/** Milliseconds of work before other requests get a turn. */
const turnMs = 20;

async function bytesOf(pieces: Iterable<string>): Promise<number> {
  let total = 0;
  let turn = performance.now();
  for (const piece of pieces) {
    total += Buffer.byteLength(piece);
    if (performance.now() - turn < turnMs) continue;
    await setImmediate();
    turn = performance.now();
  }
  return total;
}

function* from(offset: number, pieces: Iterable<string>): Generator<Buffer, void, undefined> {
  let skipped = 0;
  for (const piece of pieces) {
    const bytes = Buffer.from(piece);
    if (skipped + bytes.length > offset) yield bytes.subarray(Math.max(0, offset - skipped));
    skipped += bytes.length;
  }
}
