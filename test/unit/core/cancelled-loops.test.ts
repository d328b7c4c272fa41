/**
 * Cancelled is a state that nothing leaves: every loop that asks for pages stops for good, whenever the signal aborts.
 * A real client talks to a service whose lists never end, and which counts its requests.
 */
import assert from 'node:assert/strict';
import { once } from 'node:events';
import { createServer, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { PassThrough } from 'node:stream';
import { after, before, describe, it } from 'node:test';
import { setImmediate as turn } from 'node:timers/promises';
import { createClient, type ServiceClient } from '#api/client/client.ts';
import { executeQuery } from '#cli/run/execute.ts';
import { readRecords } from '#cli/run/read-records.ts';
import { Result } from '#client/features/results/result.ts';
import { SourceReading } from '#client/features/results/rows-source.ts';
import { answerControl } from '#core/agents/answers/control-answer.ts';
import { answerRows, type OpenReader } from '#core/agents/answers/rows-answer.ts';
import { noFacts } from '#core/controls/control-rows.ts';
import { readControl } from '#core/controls/control.ts';
import { listRows } from '#core/controls/list-rows.ts';
import { rowDigests } from '#core/controls/row-digest.ts';
import { runControl, type ControlRun } from '#core/controls/run-control.ts';
import { runControls } from '#core/controls/run-controls.ts';
import { takeBaseline } from '#core/controls/take-baseline.ts';
import { readCatalogue } from '#core/models/read-schema.ts';
import { defaultAgentLimits } from '#core/policy/agent-levels.ts';
import { Masker } from '#core/policy/masking/masker.ts';
import { ownQuery, sendQuery } from '#core/policy/send-query.ts';
import { IterationFeed } from '#core/reading/feeds.ts';
import { PageReader, type PageFeed } from '#core/reading/page-reader.ts';
import { limitedByCaller } from '#core/reading/time-limit.ts';
import { recordsFeed } from '#core/records/records-source.ts';
import { resultFeed } from '#core/records/result-pages.ts';
import { createLocalData } from '#core/rows/local-data.ts';
import { PipedWriter } from '#core/runs/piped-writer.ts';
import { QueryRun } from '#core/runs/query-run.ts';
import { SeveralRuns, type SeveralPart } from '#core/runs/several/several-runs.ts';
import { readService, UnreadQueries } from '#core/sync/read-service.ts';
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
    deadline: limitedByCaller(),
    explain: (error) => ({ message: String(error), reasons: [] }),
  });
}

const terminalTarget = {
  ...noTarget,
  finish: () => Promise.resolve({ cutCells: 0 }),
  close: () => Promise.resolve(),
};

async function readAll(signal: AbortSignal, feed: PageFeed): Promise<void> {
  const writer = new PipedWriter(noTarget);
  await writer.readAll(
    new PageReader({ feed, writer, signal, rowLimit: 1_000_000, deadline: limitedByCaller() }),
  );
}

const wanted = {
  expected: { list: ['id', 'table_name'].map((name) => ({ name, origin: undefined })) },
  masker: new Masker(),
  limits: { ...defaultAgentLimits, maxRows: 1_000_000, maxBytes: 1e9 },
  maxRows: undefined,
};
const agentReader =
  (signal: AbortSignal): OpenReader =>
  (writer, rowLimit) =>
    new QueryRun({
      deadline: limitedByCaller(),
      ...{ writer, rowLimit, signal, pageSize: 1, request },
      execute: (asking, { signal: within }) => sendQuery(client, ownQuery(), asking, { signal: within }),
    });

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
  'a query on several connections': async (signal) => {
    const part = (connection: string): SeveralPart => ({
      connection,
      explain: (error) => ({ message: String(error), reasons: [] }),
      prepare: (reading) =>
        Promise.resolve(
          new QueryRun({
            ...reading,
            ...{ request, pageSize: 1 },
            execute: (page, options) => sendQuery(client, ownQuery(), page, options),
          }),
        ),
    });
    const several = new SeveralRuns([part('eu'), part('us')], {
      ...{ signal, atATime: 1, timeLimitMs: Infinity, rowLimit: 1_000_000, isFailFast: false },
    });
    await readAll(signal, new IterationFeed(several.wholePages(() => new Error('incomplete'))));
  },
  'the rows of a built-in query': (signal) =>
    readAll(signal, resultFeed(client, ownQuery(), request, { say: () => undefined })),
  'the records of a collection, into a file': (signal) =>
    readAll(signal, recordsFeed(client, 'accounts', { filter: {}, say: () => undefined })),
  'the records of a collection, in the terminal': (signal) =>
    readRecords(
      { stderr: new PassThrough(), signal } as never, // it uses nothing else
      { client } as never, // it uses nothing else
      { collection: 'accounts', filter: {}, limit: undefined, isSilent: true, target: terminalTarget },
    ),
  'the rows of a query, in the terminal': (signal) =>
    executeQuery(
      { stderr: new PassThrough(), signal } as never, // it uses nothing else
      { client } as never, // it uses nothing else
      {
        prepared: { title: 'Query', request, permit: ownQuery(), locate: () => ({ line: 0, character: 0 }) },
        ...{ limit: undefined, isSilent: true, target: terminalTarget },
      },
    ),
  'the records of a collection, in the panel': async (signal) => {
    const header = { title: 'accounts', origin: 'rows', parameters: [] } as const;
    const result: Result = new Result({
      ...{ id: 'r', key: 'k', header, factory: createLocalData(), changed: () => undefined },
    });
    const pages = (_: AbortSignal, say: (note: string) => void) =>
      recordsFeed(client, 'accounts', { filter: {}, say });
    const reading = new SourceReading({ key: 'k', header, pages }, { result, rowLimit: 1_000_000 });
    signal.addEventListener('abort', () => result.actions?.end?.());
    if (signal.aborted) result.actions?.end?.();
    await reading.start();
    const isLoading = () => result.state.kind === 'rows' && result.state.loading.kind !== 'none';
    for (let times = 0; times < 50; times += 1) {
      result.actions?.load?.(times % 2 === 0);
      while (isLoading()) await turn();
    }
  },
  "an agent's rows": (signal) => answerRows(agentReader(signal), wanted),
  "an agent's control": (signal) => answerControl(agentReader(signal), { ...wanted, control, isFree: true }),
  'the list of saved queries': (signal) => Array.fromAsync(client.savedQueries.listSummaries({ signal })),
  'the saved queries of a folder': (signal) =>
    readService(client, { agreed: new Map(), ids: [], signal, unread: new UnreadQueries() }),
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
