/** Files of exports, and pages of results, whose readers stall: how many there may be, how long, and what they hold. */
import assert from 'node:assert/strict';
import { once } from 'node:events';
import { get, request, type IncomingMessage } from 'node:http';
import { text } from 'node:stream/consumers';
import { suite, test } from 'node:test';
import { setTimeout as wait } from 'node:timers/promises';
import { createServer } from '#service/app.ts';
import { registerExportRoutes } from '#service/own-data/identity/export-routes.ts';
import { RequestLog } from '#service/plugins/request-log.ts';
import { useStalledReaderLimit } from '#service/plugins/stalled-readers.ts';
import type { QueryEngine } from '#service/query/engine.ts';
import { GrowingResult } from '#service/query/growing-result.ts';
import { FileLinks } from '#service/routes/file-link.ts';
import { registerQueryRoutes } from '#service/routes/query.ts';
import type { KeptExport } from '#service/state/exports.ts';
import { PageTokens } from '#service/tokens.ts';

const row = Buffer.from(`["${'x'.repeat(1_000_000)}"]`);

/** The file of the client `ada` is a row, and for `isLong` some more than any buffer on the way takes. */
async function withFile(
  body: (file: { readonly url: string; readonly signals: readonly AbortSignal[] }) => Promise<void>,
  { isLong, stalledMs }: { readonly isLong: boolean; readonly stalledMs?: number },
): Promise<void> {
  const signals: AbortSignal[] = [];
  const engine: QueryEngine = {
    ready: () => Promise.resolve(),
    change: () => Promise.resolve(),
    close: () => Promise.resolve(),
    run(_query, signal) {
      signals.push(signal);
      const result = new GrowingResult();
      for (let index = 0; index < (isLong ? 16 : 1); index += 1) result.rows(row, Uint32Array.of(row.length));
      if (isLong) result.finish({ kind: 'complete' });
      else void wait(400).then(() => result.finish({ kind: 'complete' }));
      return result;
    },
  };
  const kept: KeptExport = {
    id: 'e',
    client: 'ada',
    context: 'employees',
    format: 'csv',
    minutes: 5,
    expiresAt: Date.now() + 300_000,
  };
  const options = { host: '127.0.0.1', publicUrl: undefined, log: () => undefined };
  const app = createServer(options, new RequestLog());
  useStalledReaderLimit(app, stalledMs);
  const links = new FileLinks(Buffer.from('key'));
  registerExportRoutes(app, {
    engine,
    links,
    store: {
      create: () => Promise.resolve(kept),
      find: () => Promise.resolve({ ...kept, isOver: false }),
    },
    exports: () => [{ context: 'employees', sql: 'SELECT x', columns: ['x'] }],
    baseUrl: () => '',
  });
  const own = await app.listen({ host: '127.0.0.1', port: 0 });
  try {
    await body({ url: links.of(own, kept.id, kept.expiresAt), signals });
  } finally {
    await app.close();
  }
}

const opened = async (url: string): Promise<IncomingMessage> => {
  const [answer] = (await once(get(url, { agent: false }), 'response')) as [IncomingMessage]; // a response
  answer.on('error', () => undefined); // cut off
  return answer;
};

suite('readers of an export', () => {
  test('are at most four of one client at once', () =>
    withFile(
      async ({ url }) => {
        const readers = await Promise.all(Array.from({ length: 4 }, () => opened(url)));
        const refused = await fetch(url);
        const { code } = (await refused.json()) as { code: string };
        assert.deepEqual([refused.status, code], [429, 'TOO_MANY_REQUESTS']);
        assert.ok(refused.headers.get('retry-after'));
        readers[0]?.destroy();
        const deadline = Date.now() + 5_000;
        let status = 429;
        while (status === 429 && Date.now() < deadline) {
          await wait(20);
          const again = await opened(url);
          status = again.statusCode ?? 0;
          again.destroy();
        }
        assert.equal(status, 200);
        for (const each of readers) each.destroy();
      },
      { isLong: true },
    ));

  test('are cut off if they take nothing', () =>
    withFile(
      async ({ url, signals }) => {
        const reader = await opened(url);
        const [signal] = signals;
        assert.ok(signal !== undefined);
        if (!signal.aborted) await once(signal, 'abort', { signal: AbortSignal.timeout(5_000) });
        reader.destroy();
      },
      { isLong: true, stalledMs: 100 },
    ));

  test('may wait for a slow query', () =>
    withFile(
      async ({ url }) => {
        assert.equal((await (await fetch(url)).text()).length, 'x\r\n'.length + row.length - 4 + 2);
      },
      { isLong: false, stalledMs: 100 },
    ));
});

suite('readers of a page', () => {
  const partCount = 64;

  /** A result of one page, or of more, whose rows are read one at a time. */
  async function withPage(
    pageSize: number,
    body: (page: { readonly open: () => Promise<IncomingMessage>; readonly counts: Counts }) => Promise<void>,
  ): Promise<void> {
    const counts = { reads: 0, discards: 0, holds: 0 };
    const engine: QueryEngine = {
      ready: () => Promise.resolve(),
      change: () => Promise.resolve(),
      close: () => Promise.resolve(),
      run() {
        const result = new GrowingResult({
          keep: (json) => (start, end) => {
            counts.reads += 1;
            assert.equal(counts.holds, 1);
            return json.subarray(start, end);
          },
          hold: () => {
            counts.holds += 1;
            return () => (counts.holds -= 1);
          },
          discard: () => (counts.discards += 1),
        });
        for (let index = 0; index < partCount; index += 1) result.rows(row, Uint32Array.of(row.length));
        result.finish({ kind: 'complete' });
        return result;
      },
    };
    const app = createServer(
      { host: '127.0.0.1', publicUrl: undefined, log: () => undefined },
      new RequestLog(),
    );
    const models = { list: () => [], resolve: () => 'public' };
    registerQueryRoutes(app, { engine, models, tokens: new PageTokens() });
    const own = await app.listen({ host: '127.0.0.1', port: 0 });
    const open = async (): Promise<IncomingMessage> => {
      const headers = { 'content-type': 'application/json' };
      const asked = request(`${own}/v1/query/execute`, { method: 'POST', agent: false, headers });
      asked.end(JSON.stringify({ query_string: 'SELECT x', pageSize }));
      const [answer] = (await once(asked, 'response')) as [IncomingMessage]; // a response
      answer.on('error', () => undefined); // cut off
      return answer;
    };
    try {
      await body({ open, counts });
    } finally {
      await app.close();
    }
  }

  test('hold a part of it while they take nothing, and the result until they left', () =>
    withPage(partCount, async ({ open, counts }) => {
      const reader = await open();
      let before = -1;
      while (before < counts.reads) {
        before = counts.reads;
        await wait(200);
      }
      assert.ok(counts.reads < partCount / 2, `${counts.reads} of ${partCount} parts were read`);
      assert.deepEqual([counts.holds, counts.discards], [1, 1]);
      reader.destroy();
      while (counts.holds > 0) await wait(5);
    }));

  for (const [pageSize, discards] of [
    [partCount, 1],
    [partCount - 1, 0],
  ] as const)
    test(`get it whole, ${discards === 0 ? 'and its result is kept for the next' : 'after which its result is dropped'}`, () =>
      withPage(pageSize, async ({ open, counts }) => {
        const answer = JSON.parse(await text(await open())) as { rows: readonly unknown[] };
        assert.equal(answer.rows.length, pageSize);
        while (counts.holds > 0) await wait(5);
        assert.deepEqual([counts.holds, counts.discards], [0, discards]);
      }));
});

interface Counts {
  readonly reads: number;
  readonly holds: number;
  readonly discards: number;
}
