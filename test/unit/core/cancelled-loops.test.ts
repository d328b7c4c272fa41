/**
 * Cancelled is a state that nothing leaves: every loop that asks for pages stops for good, whenever the signal aborts.
 * A real client talks to a service whose lists never end, and which counts its requests.
 */
import assert from 'node:assert/strict';
import { once } from 'node:events';
import { createServer, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { after, before, describe, it } from 'node:test';
import { setImmediate as turn } from 'node:timers/promises';
import { createClient, type ServiceClient } from '#api/client/client.ts';
import { noFacts } from '#core/controls/control-rows.ts';
import { readControl } from '#core/controls/control.ts';
import { listRows } from '#core/controls/list-rows.ts';
import { rowDigests } from '#core/controls/row-digest.ts';
import { runControl, type ControlRun } from '#core/controls/run-control.ts';
import { runControls } from '#core/controls/run-controls.ts';
import { takeBaseline } from '#core/controls/take-baseline.ts';
import { readCatalogue } from '#core/models/read-schema.ts';
import { ownQuery, sendQuery } from '#core/policy/send-query.ts';
import { resultPages } from '#core/records/result-pages.ts';
import { rowPages } from '#core/records/row-pages.ts';
import { PipedWriter } from '#core/runs/piped-writer.ts';
import { QueryRun } from '#core/runs/query-run.ts';
import { readService } from '#core/sync/read-service.ts';
import { provenStatement } from '#test/helpers/control-service.ts';

/** What the service answers at a page: rows, or a page that is still empty, always with another page to come. */
type Pages = 'full' | 'empty';

let pages: Pages = 'full';
let asked = 0;
let onAsked: (count: number) => void = () => undefined;
const server = createServer((request, response) => {
  request.resume();
  if (request.url === '/token') {
    send(response, { access_token: 'a', token_type: 'Bearer', expires_in: 3_600 });
    return;
  }
  asked += 1;
  onAsked(asked);
  send(response, page(request.url ?? '', asked));
});
let client: ServiceClient;

before(async () => {
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo; // a TCP server
  client = createClient({
    baseUrl: `http://127.0.0.1:${port}`,
    authUrl: `http://127.0.0.1:${port}/token`,
    clientId: 'c',
    clientSecret: 's',
  });
});
after(async () => {
  await client.close();
  server.closeAllConnections();
  server.close();
});

function send(response: ServerResponse, body: unknown): void {
  response.setHeader('content-type', 'application/json').end(JSON.stringify(body));
}

function page(url: string, count: number): unknown {
  const isFull = pages === 'full';
  if (url.startsWith('/v1/query/execute'))
    return {
      columns: [
        { name: 'id', type: 'text' },
        { name: 'table_name', type: 'text' },
      ],
      rows: isFull ? [[`${count}`, 't']] : [],
      nextPageToken: `t${count}`,
    };
  if (url.startsWith('/v1/query/models')) return { models: [{ name: 'm' }] };
  return { items: isFull ? [itemOf(count)] : [], nextPageToken: `t${count}` };
}

function itemOf(count: number): unknown {
  return {
    query_id: `q${count}`,
    name: `q${count}`,
    version: 1,
    query_string: 'SELECT 1',
    model: 'm',
    createdAt: '2026-01-01T00:00:00Z',
    accountGlobalId: `a${count}`,
  };
}

async function drain(iterable: AsyncIterable<unknown>): Promise<void> {
  const read = iterable[Symbol.asyncIterator]();
  while ((await read.next()).done !== true);
}

const text = '-- @control A\n-- @key id\n-- @error_if rows > 1000000\nSELECT id FROM accounts';
const control = readControl(text);
assert.ok(control !== undefined);
const run: ControlRun = {
  control,
  place: { name: 'a.identity.sql' },
  text,
  checked: provenStatement(),
  facts: noFacts,
};
const request = { query_string: 'SELECT 1', model: 'm' };
const noTarget = {
  open: () => Promise.resolve(),
  grow: () => Promise.resolve(),
  write: () => Promise.resolve(),
};

function queryRun(signal: AbortSignal): QueryRun {
  return new QueryRun({
    signal,
    execute: (page, options) => sendQuery(client, ownQuery(), page, options),
    request,
    writer: new PipedWriter(noTarget),
    pageSize: 1,
    rowLimit: 1_000_000,
    explain: (error) => ({ message: String(error), reasons: [] }),
  });
}

/** Every loop of the product that asks for pages without a person. */
const loops: Readonly<Record<string, (signal: AbortSignal) => Promise<unknown>>> = {
  'a control': (signal) => runControl(run, { client, signal }),
  'a folder of controls': (signal) =>
    runControls(
      ['a', 'b', 'c', 'd'].map((id) => ({ ...run, control: { ...control, id }, model: undefined })),
      {
        client,
        signal,
        atATime: 2,
        check: () => Promise.resolve(provenStatement()),
        factsOf: () => noFacts,
      },
    ),
  'a baseline': (signal) =>
    takeBaseline(run, { client, signal, digests: rowDigests('k'.repeat(40)), day: '2026-01-01' }),
  'the rows of a control': (signal) => listRows(run, { client, signal, namedMax: 1_000_000 }),
  'all rows of a query': async (signal) => {
    const query = queryRun(signal);
    await query.start();
    // A caller that does not look at the outcome, and asks again.
    for (let times = 0; times < 3; times += 1) await query.load(true);
    await query.start();
  },
  'page after page of a query': async (signal) => {
    const query = queryRun(signal);
    await query.start();
    for (let times = 0; times < 100; times += 1) await query.load(false);
  },
  'the rows of a built-in query': (signal) =>
    drain(resultPages(client, ownQuery(), request, { signal, say: () => undefined })),
  'the records of a collection': (signal) =>
    drain(rowPages(client, 'accounts', { filter: {}, signal, say: () => undefined })),
  'the list of saved queries': (signal) => drain(client.savedQueries.listSummaries({ signal })),
  'the saved queries of a folder': (signal) => readService(client, { agreed: new Map(), signal }),
  'the models with their columns': (signal) => readCatalogue(client, { signal }),
};

describe('after cancelling, nothing is requested', () => {
  for (const [name, loop] of Object.entries(loops))
    for (const given of ['full', 'empty'] as const)
      it(`${name}, while pages are ${given}`, { timeout: 20_000 }, async () => {
        // In the middle of a request, with its answer already on the way, and right after it arrived.
        for (const moment of ['asked', 'answered', 'before'] as const) {
          pages = given;
          asked = 0;
          const controller = new AbortController();
          const abort = () => controller.abort(new DOMException('Interrupted', 'AbortError'));
          let atAbort = 0;
          onAsked = (count) => {
            if (controller.signal.aborted) return;
            if (count < (given === 'full' ? 3 : 1)) return;
            if (moment === 'answered') {
              void turn().then(() => {
                atAbort = asked;
                abort();
              });
              return;
            }
            atAbort = asked;
            abort();
          };
          if (moment === 'before') abort();
          const outcome = await loop(controller.signal).then(
            () => 'ended',
            () => 'stopped',
          );
          assert.ok(controller.signal.aborted, outcome);
          await turn();
          // Another control's request may have left before.
          const leftBefore = name === 'a folder of controls' ? 1 : 0;
          assert.ok(asked <= atAbort + leftBefore, `${moment}: ${asked} requests, ${atAbort} before`);
        }
      });
});
