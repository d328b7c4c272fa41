/**
 * The page's questions and the real host's answers, in validated messages. Outdated answers never arrive.
 */
import assert from 'node:assert/strict';
import { suite, test } from 'node:test';
import { createTranslate } from '#base/translate.ts';
import { ResultsPanel } from '#client/features/results/panel/results-panel.ts';
import { Result } from '#client/features/results/result.ts';
import { createLocalData } from '#core/rows/local-data.ts';
import type { HostMessage } from '#panel-protocol/messages.ts';
import { parsePanelMessage } from '#panel-protocol/panel-message.ts';
import type { PanelBody, Subject } from '#panel-protocol/panel-questions.ts';
import { Asking, ViewQuestions } from '#panel-protocol/view-questions.ts';

const names = ['ada', 'bea', 'ada', 'cy'];

/** Simulates a page that is connected to a panel with four rows. */
async function openPanel(copy: (text: string | Promise<string>) => Promise<void> = () => Promise.resolve()) {
  const failures: string[] = [];
  const said: string[] = [];
  const sent: string[] = [];
  const panel = new ResultsPanel({
    copy,
    failed: (what, error) => failures.push(`${what}: ${String(error)}`),
    copiesNames: () => false,
    textOptions: () => ({ nullText: 'NULL', guardFormulas: false, tableName: 't' }),
    export: () => undefined,
    whatChanged: () => undefined,
    maximize: () => undefined,
    focused: () => undefined,
    savePicture: () => Promise.resolve(),
    addToQuery: () => Promise.resolve(),
    group: () => Promise.resolve(),
    identify: (globalId) => Promise.resolve(globalId === 'nobody' ? undefined : `Account ${globalId}`),
    openRecord: () => undefined,
    showDetails: () => undefined,
    language: 'en',
    translate: createTranslate({ Copied: 'Kopiert' }),
  });
  const line = new Asking<PanelBody>({
    post: (message) => {
      const checked = parsePanelMessage(JSON.parse(JSON.stringify(message)));
      assert.ok(checked, `refused: ${JSON.stringify(message)}`);
      sent.push(message.kind === 'ask' ? message.body.asked.question : message.kind);
      void panel.receive(checked);
    },
    errorOf: ({ message }) => new Error(message),
  });
  panel.attach((message) => {
    const received = JSON.parse(JSON.stringify(message)) as HostMessage; // like the editor's channel
    if ('id' in received) line.receive(received);
    else if (received.kind === 'notice') said.push(received.text);
  });
  await panel.receive({ kind: 'ready' });
  const result = new Result({
    id: 'one',
    key: 'one',
    header: { title: 'one', parameters: [] },
    factory: createLocalData(),
    changed: () => panel.draw(),
  });
  panel.add(result);
  await fill(result);
  const subject = (): Subject => ({ result: result.id, run: result.run, generation: result.generation });
  return {
    ...{ panel, result, failures, said, sent, subject },
    questions: new ViewQuestions(line, subject()),
  };
}

async function fill(result: Result): Promise<void> {
  const actions = { cancel: () => undefined } as Parameters<Result['begin']>[1]; // no other action is called
  const writer = result.begin({ title: 'one', parameters: [] }, actions);
  writer.open([
    { name: 'name', type: 'text' },
    { name: 'size', type: 'int4' },
  ]);
  await writer.append(names.map((name, at) => [name, at]));
  writer.setRows({
    ...{ totalRows: 4, extent: 'complete', loading: { kind: 'none' } },
    ...{ firstRowsMs: 1, totalMs: 1, finishedAt: 0 },
  });
}

const everything = { firstRow: 0, rowCount: 10, columns: [0, 1] };
const search = { text: 'ada', matchCase: false, columns: [0], from: { row: 0, place: 0 }, backwards: false };
const byName = { sort: [{ column: 0, descending: true }], filters: [] };

suite('questions of the result panel', () => {
  test("all are answered, and the page's messages are validated", async () => {
    const { questions, panel, result } = await openPanel();
    const window = await questions.ask('window', everything);
    assert.deepEqual(window?.columns[0]?.cells, names);
    assert.equal((await questions.ask('cell', { row: 1, column: 0 }))?.text, 'bea');
    const records = await questions.ask('records', { rows: [3, 0] });
    assert.deepEqual(
      records?.map(({ row, values }) => [row, ...values.map(({ text }) => text)]),
      [
        [3, 'cy', '3'],
        [0, 'ada', '0'],
      ],
    );
    assert.deepEqual((await questions.ask('values', { column: 0 }))?.values[0], { text: 'ada', count: 2 });
    assert.deepEqual((await questions.ask('find', search))?.at, { row: 2, place: 0 });
    assert.equal((await questions.ask('chart', { type: 'bar', x: 0 }))?.points.length, 3);
    const range = { firstRow: 0, lastRow: 3, columns: [1] };
    const distinct = await questions.ask('distinct', { ...range, columns: [0] });
    assert.deepEqual(distinct, { count: 3, isMore: false });
    const selected = await questions.ask('selection', range);
    assert.deepEqual([selected?.cells, selected?.numbers?.sum], [4, '6']);
    assert.deepEqual(panel.selectionOf(result), range);
    await questions.ask('layout', { columns: [1] });
    assert.deepEqual(result.shownColumns, [1]);
    const copied = await questions.ask('copy', { range, format: 'tsv', withHeaders: false });
    assert.equal(copied, 'Copied 4 rows × 1 column');
    assert.equal(await questions.ask('identify', { globalId: 'ada' }), 'Account ada');
    assert.equal(await questions.ask('identify', { globalId: 'nobody' }), undefined);
  });

  test('a question about an earlier order is not answered with the current one', async () => {
    const { questions, result, subject, failures } = await openPanel();
    await result.sortAndFilter(byName);
    assert.equal(await questions.ask('cell', { row: 0, column: 0 }), undefined);
    assert.equal(await questions.ask('window', everything), undefined);
    assert.equal((await questions.ask('values', { column: 0 }))?.distinct, 3, 'true in any order');
    questions.renew(subject());
    assert.equal((await questions.ask('cell', { row: 0, column: 0 }))?.text, 'cy');
    assert.deepEqual(failures, []);
  });

  test('a pending answer is dropped if the rows move or are replaced', async () => {
    const { questions, result, subject } = await openPanel();
    const cell = questions.ask('cell', { row: 0, column: 0 });
    const values = questions.ask('values', { column: 0 });
    await result.sortAndFilter(byName);
    questions.renew(subject());
    assert.equal(await cell, undefined);
    assert.equal((await values)?.distinct, 3);
    const ofThisRun = questions.ask('values', { column: 0 });
    await fill(result);
    questions.renew(subject());
    assert.equal(await ofThisRun, undefined);
  });

  test('earlier questions are stopped if only the newest one matters', async () => {
    const { questions, sent } = await openPanel();
    const first = questions.ask('find', search);
    const second = questions.ask('find', { ...search, text: 'cy' });
    assert.equal(await first, undefined);
    assert.deepEqual((await second)?.at, { row: 3, place: 0 });
    assert.deepEqual(sent, ['find', 'stop', 'find']);
    const windows = [questions.ask('window', everything), questions.ask('window', everything)];
    assert.deepEqual(
      (await Promise.all(windows)).map((one) => one?.columns.length),
      [2, 2],
    );
  });

  test('a dropped answer and an answer for a closed view have no effect', async () => {
    const { questions, panel, result } = await openPanel();
    const find = questions.ask('find', search);
    questions.drop('find');
    assert.equal(await find, undefined);
    const chart = questions.ask('chart', { type: 'bar', x: 0 });
    questions.dispose();
    assert.equal(await chart, undefined);
    panel.remove(result);
    assert.equal(await questions.ask('window', everything), undefined);
  });

  test('a failure is reported once, by the host', async () => {
    const { questions, failures, said } = await openPanel(() =>
      Promise.reject(new Error('The clipboard is shut')),
    );
    const range = { firstRow: 0, lastRow: 0, columns: [0] };
    assert.equal(await questions.ask('copy', { range, format: 'tsv', withHeaders: false }), undefined);
    assert.deepEqual(failures, ['copy: Error: The clipboard is shut']);
    assert.deepEqual(said, ['The clipboard is shut']);
  });

  test('the host knows of a copy while its text is still being made', async () => {
    const copies: string[] = [];
    const { questions } = await openPanel(async (text) => {
      copies.push(typeof text === 'string' ? 'made' : 'being made');
      copies.push(await text);
    });
    const range = { firstRow: 0, lastRow: 0, columns: [0] };
    await questions.ask('copy', { range, format: 'tsv', withHeaders: false });
    assert.deepEqual(copies, ['being made', 'ada']);
  });

  test('a copy is announced in the language of the editor', async () => {
    const { panel, said } = await openPanel();
    await panel.receive({ kind: 'copyText', text: 'name' });
    assert.deepEqual(said, ['Kopiert']);
  });

  test('an unknown question is refused', () => {
    const of = { result: 'one', run: 1, generation: 1 };
    const message = (asked: unknown) => ({ kind: 'ask', id: 1, body: { of, asked } });
    assert.ok(parsePanelMessage(message({ question: 'cell', request: { row: 0, column: 0 } })));
    for (const asked of [
      { question: 'cell', request: { row: -1, column: 0 } },
      { question: 'cell', request: {} },
      { question: 'window', request: { ...everything, rowCount: 1_000_000 } },
      { question: 'digest', request: { rowCount: 1 } },
      { question: 'toString', request: {} },
      { question: 'identify', request: { globalId: 'x'.repeat(201) } },
    ]) {
      assert.equal(parsePanelMessage(message(asked)), undefined, JSON.stringify(asked));
    }
  });
});
