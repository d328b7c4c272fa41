/** A data set for which the mapping has no query. */
import assert from 'node:assert/strict';
import { suite, test } from 'node:test';
import { errorOfResponse } from '#api/client/requests/error-of-response.ts';
import type { DownloadContext } from '#api/contract/downloads.ts';
import { createServer } from '#service/app.ts';
import { registerExportRoutes } from '#service/own-data/identity/export-routes.ts';
import { RequestLog } from '#service/plugins/request-log.ts';
import type { QueryEngine } from '#service/query/engine.ts';
import { FileLinks } from '#service/routes/file-link.ts';
import type { KeptExport } from '#service/state/exports.ts';

const engine: QueryEngine = {
  ready: () => Promise.resolve(),
  change: () => Promise.resolve(),
  close: () => Promise.resolve(),
  run: () => assert.fail('nothing to run'),
};
const kept: KeptExport = {
  id: 'e',
  client: '',
  context: 'employees',
  format: 'csv',
  minutes: 5,
  expiresAt: Date.now() + 300_000,
};

function serviceWith(...mapped: readonly DownloadContext[]) {
  const app = createServer(
    { host: '127.0.0.1', publicUrl: undefined, log: () => undefined },
    new RequestLog(),
  );
  const links = new FileLinks(Buffer.from('key'));
  registerExportRoutes(app, {
    engine,
    links,
    store: {
      create: () => assert.fail('nothing to make'),
      find: () => Promise.resolve({ ...kept, isOver: false }),
    },
    exports: () => mapped.map((context) => ({ context, sql: 'SELECT x', columns: ['x'] })),
    baseUrl: () => '',
  });
  return { app, link: links.of('', kept.id, kept.expiresAt) };
}

/** Returns what the client says of the answer. */
async function saidOf(...mapped: readonly DownloadContext[]): Promise<string> {
  const { app } = serviceWith(...mapped);
  const { statusCode, headers, body } = await app.inject({
    method: 'POST',
    url: '/v1/downloads',
    payload: { context: 'employees' },
  });
  const request = 'POST /v1/downloads';
  return errorOfResponse({
    status: statusCode,
    headers: { 'content-type': String(headers['content-type']) },
    body,
    request,
    origin: 'http://127.0.0.1',
    scope: 'read',
    optional: { name: request, isOfOne: false },
  }).message;
}

suite('a data set that the mapping lacks', () => {
  test('is told with those that it has, as a mistake of the request', async () => {
    assert.equal(
      await saidOf('risks', 'identities'),
      'The service refused this (BAD_REQUEST): The mapping of this service has no query for the data set employees. It has: risks, identities.',
    );
  });

  test('is not offered where a mapping has none, or there is no mapping', async () => {
    assert.match(
      await saidOf(),
      /does not offer POST \/v1\/downloads .* Its data sets are the `exports` of a mapping, and it has none\.$/,
    );
  });

  test('ends the links of a start with another mapping', async () => {
    const { app, link } = serviceWith('risks');
    assert.equal((await app.inject({ url: link })).statusCode, 403);
  });
});
