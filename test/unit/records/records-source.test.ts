/** Records as rows, in any form that a service may send: nothing is lost, and reading always ends. */
import assert from 'node:assert/strict';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { suite, test } from 'node:test';
import { ColumnAligner } from '#api/client/align-columns.ts';
import { UnfinishedListError } from '#api/client/errors.ts';
import { ExactNumber } from '#api/client/json.ts';
import { exportRows } from '#core/exports/export-rows.ts';
import { preparingWords } from '#core/records/page-messages.ts';
import { recordsFeed, RowShape } from '#core/records/records-source.ts';
import { createLocalData } from '#core/rows/local-data.ts';
import { createWorkerData } from '#core/rows/worker/worker-data.ts';
import { withService, type Answer } from '#test/helpers/client-service.ts';
import { sendJson } from '#test/helpers/http.ts';
import { pagesOfFeed } from '#test/helpers/query-pages.ts';

const fields = [{ name: 'id', type: 'text', description: '', isReference: false }];

suite('odd records', () => {
  test('keep additional members, and are shown as JSON if they are invalid', () => {
    const exact = new ExactNumber('12345678901234567890123');
    const items: readonly unknown[] = [
      { id: 'a' },
      { id: 'b', constructor: 1, extra: [2] },
      'odd',
      ['x'],
      exact,
    ];
    const shape = new RowShape(fields, items);
    assert.deepEqual(
      shape.columns.map(({ name, type }) => [name, type]),
      [
        ['id', 'text'],
        ['constructor', 'jsonb'],
        ['extra', 'jsonb'],
        ['unreadable record', 'jsonb'],
      ],
    );
    assert.deepEqual(
      items.map((item) => shape.rowOf(item)),
      [
        ['a', null, null],
        ['b', 1, [2]],
        [null, null, null, 'odd'],
        [null, null, null, ['x']],
        [null, null, null, exact],
      ],
    );
  });

  const endless: Answer = (_, response, count) =>
    sendJson(response, 200, { items: [], nextPageToken: `t${count}` });
  test('are stopped after endless empty pages, with a message', async () => {
    await withService(endless, async (client, seen) => {
      const notes: string[] = [];
      const feed = recordsFeed(client, 'accounts', {
        filter: {},
        say: (note) => notes.push(note),
        pacing: { emptyPageDelayMs: 0, emptyPagesMax: 4 },
      });
      await assert.rejects(
        Array.fromAsync(pagesOfFeed(feed)),
        (error: unknown) => error instanceof UnfinishedListError && error.why === 'empty',
      );
      assert.equal(seen().filter(({ method }) => method === 'GET').length, 4);
      assert.deepEqual(notes, [preparingWords(), preparingWords(), preparingWords()]);
    });
  });
});

suite('writing rows to a file', () => {
  const factories = {
    'in this thread': createLocalData,
    'in a worker': () =>
      createWorkerData(new URL('../../../core/src/rows/worker/worker-main.ts', import.meta.url)),
  };
  for (const [name, create] of Object.entries(factories)) {
    for (const [format, text] of [
      ['jsonl', '{ "a": 1 }\n{ "a": 2, "b": {"x":1} }\n'],
      ['json', '[\n  { "a": 1 },\n  { "a": 2, "b": {"x":1} }\n]\n'],
      ['csv', 'a,b\r\n1,\r\n2,"{""x"":1}"\r\n'],
    ] as const) {
      test(`with a column that appears later, as ${format}, ${name}`, async () => {
        const folder = await mkdtemp(path.join(tmpdir(), 'identity-queries-rows-'));
        const factory = create();
        try {
          const file = path.join(folder, 'rows');
          const options = { format, path: file, byteOrderMark: false, nullText: '', guardFormulas: true, tableName: 't' }; // oxfmt-ignore
          const written = await factory.createFile([{ name: 'a', type: 'int4' }], options);
          await written.write([[1]]);
          assert.equal(await written.grow([{ name: 'b', type: 'jsonb' }]), true);
          await written.write([[2, { x: 1 }]]);
          await written.finish();
          await written.dispose();
          assert.equal(await readFile(file, 'utf8'), text);
        } finally {
          await factory.dispose();
          await rm(folder, { recursive: true });
        }
      });
    }
  }
});

test('includes members that first appear after a thousand lines of an export', async () => {
  async function* bytes() {
    yield await Promise.resolve(Buffer.from('{"a":1}\n'.repeat(1_000) + '{"b":2}\n'));
  }
  const aligner = new ColumnAligner();
  const rows: (readonly unknown[])[] = [];
  for await (const page of exportRows(bytes(), 'jsonl')) rows.push(...aligner.align(page).rows);
  assert.deepEqual(
    aligner.columns.map((column) => column.name),
    ['a', 'b'],
  );
  assert.deepEqual(rows.at(-1), [null, 2]);
});

test('a month in which the clocks are set back is read in two windows, without a gap or a copy', async () => {
  const hour = 3_600_000;
  const from = Date.parse('2026-09-30T22:00Z');
  const window = { from, to: from + 31 * 24 * hour + hour };
  const times = Array.from({ length: 40 }, (_, at) => from + Math.floor((at * (window.to - from)) / 40));
  const asked = new Set<string>();
  await withService(
    ({ path: asking }, response) => {
      const { searchParams: query } = new URL(asking, 'http://service');
      const [start, end] = ['from', 'to'].map((name) => Date.parse(query.get(name) ?? ''));
      asked.add(`${start} ${end}`);
      if (start === undefined || end === undefined || end - start > 31 * 24 * hour) {
        sendJson(response, 400, { code: 'BAD_REQUEST', message: 'Too long.' });
        return;
      }
      const all = times.filter((time) => time >= start && time < end);
      const at = Number(query.get('pageToken') ?? 0);
      const items = all.slice(at, at + 7).map((time) => ({ globalId: String(time) }));
      sendJson(response, 200, { items, ...(at + 7 < all.length ? { nextPageToken: String(at + 7) } : {}) });
    },
    async (client) => {
      const feed = recordsFeed(client, 'activities', { filter: { window }, say: () => undefined });
      const ids = (await Array.fromAsync(pagesOfFeed(feed))).flatMap(({ columns, rows }) => {
        const place = columns.findIndex(({ name }) => name === 'globalId');
        return rows.map((row) => Number(row[place]));
      });
      assert.deepEqual(ids, times);
    },
  );
  assert.equal(asked.size, 2);
});

test('a page token that is a number beyond those of JavaScript is sent as it came, in one window or more', async () => {
  const day = 86_400_000;
  const token = '12345678901234567890123';
  for (const days of [1, 40]) {
    const window = { from: 0, to: days * day };
    await withService(
      ({ path: asking }, response) => {
        const isNext = new URL(asking, 'http://service').searchParams.get('pageToken') === token;
        sendJson(response, 200, isNext ? '{"items":["b"]}' : `{"items":["a"],"nextPageToken":${token}}`);
      },
      async (client) => {
        const feed = recordsFeed(client, 'activities', { filter: { window }, say: () => undefined });
        const items = (await Array.fromAsync(pagesOfFeed(feed))).flatMap(({ rows }) =>
          rows.map((row) => row.at(-1)),
        );
        assert.deepEqual(items, days === 1 ? ['a', 'b'] : ['a', 'b', 'a', 'b']);
      },
    );
  }
});
