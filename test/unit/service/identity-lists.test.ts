/** Lists of records over a run: what is given up with the caller or a failure, and what the pages of one list share. */
import assert from 'node:assert/strict';
import { once } from 'node:events';
import { request as send } from 'node:http';
import { suite, test } from 'node:test';
import type { ModelTable } from '#api/contract/model-tables.ts';
import { createServer } from '#service/app.ts';
import { registerIdentityRoutes } from '#service/own-data/identity/collection-routes.ts';
import { RequestLog } from '#service/plugins/request-log.ts';
import type { QueryEngine } from '#service/query/engine.ts';
import { GrowingResult } from '#service/query/growing-result.ts';
import { PageTokens } from '#service/tokens.ts';

/** A run whose rows and end the test decides. */
interface Run {
  readonly result: GrowingResult;
  readonly signal: AbortSignal;
  readonly values: readonly (string | null)[];
  isDiscarded: boolean;
}

const tables: readonly ModelTable[] = ['accounts', 'activities', 'roles'].map((name) => ({
  name,
  kind: 'view',
  columns: [{ name: 'object_metadata', type: 'jsonb' }],
  keys: [],
  references: [],
}));

async function withLists(
  body: (service: {
    get: (path: string) => Promise<{ status: number; body: { nextPageToken?: string; code?: string } }>;
    url: string;
    runs: readonly Run[];
  }) => Promise<void>,
  onRun: (run: Run) => void,
): Promise<void> {
  const runs: Run[] = [];
  const engine: QueryEngine = {
    ready: () => Promise.resolve(),
    change: () => Promise.resolve(),
    close: () => Promise.resolve(),
    run({ values }, signal) {
      const store = {
        keep: (json: Uint8Array) => (start: number, end: number) => json.subarray(start, end),
        hold: () => () => undefined,
        discard: () => void (run.isDiscarded = true),
      };
      const run: Run = { result: new GrowingResult(store), signal, values, isDiscarded: false };
      runs.push(run);
      onRun(run);
      return run.result;
    },
  };
  const app = createServer(
    { host: '127.0.0.1', publicUrl: undefined, log: () => undefined },
    new RequestLog(),
  );
  registerIdentityRoutes(app, { engine, tables: () => tables, tokens: new PageTokens() });
  const url = await app.listen({ host: '127.0.0.1', port: 0 });
  try {
    const get = async (path: string) => {
      const response = await fetch(`${url}${path}`);
      return {
        status: response.status,
        body: (await response.json()) as { nextPageToken?: string; code?: string },
      };
    };
    await body({ get, url, runs });
  } finally {
    await app.close();
  }
}

/** Gives a run rows with these IDs. */
function addRows({ result }: Run, ...ids: readonly string[]): void {
  const rows = ids.map((id) => `[{"id":"${id}"}]`);
  let at = -1;
  result.rows(
    Buffer.from(rows.join(',')),
    Uint32Array.from(rows, (row) => (at += row.length + 1)),
  );
}

const failure = {
  phase: 'run',
  sqlState: '22012',
  message: 'division by zero',
  hint: undefined,
  position: undefined,
} as const;

suite('lists of the identity model', () => {
  test('a first page that fails keeps nothing', async () => {
    await withLists(
      async ({ get, runs }) => {
        const { status, body } = await get('/v1/accounts?pageSize=5');
        assert.deepEqual([status, body.code], [400, 'QUERY_FAILED']);
        assert.deepEqual(
          runs.map(({ isDiscarded }) => isDiscarded),
          [true],
        );
      },
      (run) => {
        addRows(run, 'a');
        run.result.finish({ kind: 'failed', failure });
      },
    );
  });

  for (const path of ['/v1/accounts', '/v1/roles/some-id'])
    test(`the run of ${path} stops with its caller`, async () => {
      const started = Promise.withResolvers<Run>();
      await withLists(async ({ url }) => {
        const caller = send(`${url}${path}`).on('error', () => undefined);
        caller.end();
        const { signal } = await started.promise;
        const stopped = once(signal, 'abort');
        caller.destroy();
        await stopped;
      }, started.resolve);
    });

  test('the run of a list that is dropped stops', async () => {
    await withLists(
      async ({ get, runs }) => {
        const { body } = await get('/v1/accounts?pageSize=1');
        assert.ok(body.nextPageToken !== undefined);
        const [first] = runs;
        assert.ok(first !== undefined);
        assert.equal(first.signal.aborted, false);
        first.result.sizeBytes = 2 * 1024 ** 3;
        await get('/v1/roles?pageSize=1');
        assert.deepEqual([first.signal.aborted, first.isDiscarded], [true, true]);
        const gone = await get(`/v1/accounts?pageSize=1&pageToken=${body.nextPageToken}`);
        assert.equal(gone.body.code, 'RESULT_GONE');
      },
      (run) => addRows(run, 'a', 'b'),
    );
  });

  test('later pages of activities have no window either, and IDs of applications have no case', async () => {
    await withLists(
      async ({ get, runs }) => {
        const instance = 'AAAAAAAA-0000-4000-8000-00000000000A';
        for (const [first, next] of [
          ['', ''],
          ['&from=2026-01-01T00:00:00Z', '&from=2026-01-01T00:00:00Z'],
          [`&applicationInstanceId=${instance}`, `&applicationInstanceId=${instance.toLowerCase()}`],
        ] as const) {
          const { body } = await get(`/v1/activities?pageSize=1${first}`);
          const token = String(body.nextPageToken);
          const at = Date.now();
          while (Date.now() === at); // the default window moves with the time
          const second = await get(`/v1/activities?pageSize=1${next}&pageToken=${token}`);
          assert.deepEqual([second.status, second.body.nextPageToken], [200, undefined], next);
          const other = await get(`/v1/activities?pageSize=1&to=2026-01-02T00:00:00Z&pageToken=${token}`);
          assert.equal(other.status, 400);
        }
        assert.equal(runs.length, 3);
      },
      (run) => {
        addRows(run, 'a', 'b');
        run.result.finish({ kind: 'complete' });
      },
    );
  });
});
