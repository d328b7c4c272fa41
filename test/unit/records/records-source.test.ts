/** Records as rows, in any form that a service may send: nothing is lost, and reading always ends. */
import assert from 'node:assert/strict';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { suite, test } from 'node:test';
import { ColumnAligner } from '#api/client/align-columns.ts';
import { UnfinishedListError } from '#api/client/errors.ts';
import { exportRows } from '#client/features/exports/export-rows.ts';
import { pagesOf, RowShape } from '#core/records/records-source.ts';
import { createLocalData } from '#core/rows/local-data.ts';
import { createWorkerData } from '#core/rows/worker/worker-data.ts';
import { withService, type Answer } from '#test/helpers/client-service.ts';
import { sendJson } from '#test/helpers/http.ts';

const fields = [{ name: 'id', type: 'text', description: '', isReference: false }];

suite('odd records', () => {
  test('keep additional members, and are shown as JSON if they are invalid', () => {
    const items: readonly unknown[] = [{ id: 'a' }, { id: 'b', constructor: 1, extra: [2] }, 'odd', ['x']];
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
      ],
    );
  });

  const endless: Answer = (_, response, count) =>
    sendJson(response, 200, { items: [], nextPageToken: `t${count}` });
  test('are stopped after endless empty pages, with a message', async () => {
    await withService(endless, async (client, seen) => {
      const notes: string[] = [];
      const pages = pagesOf(client, 'accounts', {
        filter: {},
        signal: new AbortController().signal,
        say: (note) => notes.push(note),
        words: { preparing: 'preparing', pausedFor: String },
        pacing: { emptyPageDelayMs: 0, emptyPagesMax: 4 },
      });
      await assert.rejects(
        pages.next(),
        (error: unknown) => error instanceof UnfinishedListError && error.why === 'empty',
      );
      assert.equal(seen().filter(({ method }) => method === 'GET').length, 4);
      assert.deepEqual(notes, ['preparing', 'preparing', 'preparing']);
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
