/** An answer that also says that there was an error, or that it is not the whole, is never a result. */
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { createClient } from '#api/client/client.ts';
import { ContractError } from '#api/client/errors.ts';
import { noFacts } from '#core/controls/control-rows.ts';
import { readControl } from '#core/controls/control.ts';
import { runControl } from '#core/controls/run-control.ts';
import { PageScanner } from '#core/rows/scan/page-scanner.ts';
import { provenStatement } from '#test/helpers/control-service.ts';

const empty = { columns: [{ name: 'id', type: 'text' }], rows: [] };
const answers: readonly (readonly [name: string, status: number, body: object])[] = [
  ['an error object', 200, { ...empty, error: { code: 'FAILED' } }],
  ['an error text', 200, { error: 'FAILED', ...empty }],
  ['a list of errors', 200, { ...empty, errors: [{ message: 'no' }] }],
  ['no success', 200, { ...empty, success: false }],
  ...(
    [
      { Error: 'x' },
      { error_message: 'x' },
      { errorCode: 7 },
      { exception: {}, Exception: 'x' },
      { fault: { faultstring: 'x' } },
      { failed: true },
      { ok: false },
      { isSuccess: false },
      { status: 'failed' },
      { status: 'ERROR' },
      { status: 500 },
      { statusCode: '503' },
      { state: 'RUNNING' },
      { query_state: 'cancelled' },
      { state: 'timed out' },
      { status: 'timeout' },
      // The service's own shape of an error.
      { code: 'QUERY_PARSE_ERROR', message: 'The query cannot be read.' },
      { code: 'INTERNAL_ERROR' },
      { code: 7, message: 'x' },
      { message: 'The query failed.' },
      { reasons: [{ code: 'MUTATION_NOT_ALLOWED', message: 'x' }] },
      // A state that is not known to be good.
      { status: 'QUERY_FAILED' },
      { status: 'COMPLETED_WITH_ERRORS' },
      { status: 'executing' },
      { state: 'TERMINATED' },
      { status: 'no such state' },
      { status: 1 },
      { status: 206 },
      { status: false },
      { status: { state: 'FAILED' } },
      { executionStatus: 'SUSPENDED' },
      { jobState: 'stopped' },
      { outcome: 'unknown' },
      { result: 'denied' },
      { err: 'x' },
      { errmsg: 'x' },
      { queryError: { code: 'X' } },
      { lastException: 'x' },
      { success: 'false' },
      { success: 'unknown' },
      { jobComplete: false },
      { timedOut: true },
      // Zero is the code of a success, but no success.
      ...[{ success: 0 }, { ok: '0' }, { isSuccess: 'N' }, { meta: { ok: 0 } }, { success: 2 }],
      // A message of a kind, whatever its words are.
      { messages: [{ severity: 'ERROR', text: 'The table is missing.' }] },
      { type: 'error', title: 'The table is missing.' },
      { log: [{ level: 'Fatal', text: 'x' }] },
      { messages: ['Started.', 'The query failed.'] },
      // Beside the rows, but deeper.
      { meta: { error: 'x' } },
      { meta: { query: 1, status: 'FAILED' } },
      { metadata: [{ execution: { state: 'RUNNING' } }] },
      { info: { code: 'X', message: 'y' } },
      { info: { severity: 'error', message: 'y', count: 1 } },
      { notes: [], details: [{ type: 'failure', title: 'The table is missing.' }] },
      { log: [{ level: 'fatal' }], messages: [] },
      { shards: { total: 5, successful: 0, failed: 0 } },
      { meta: { succeeded: 0 } },
      { shards: { total: 0, successful: 0, failed: 2 } },
    ] as const
  ).map((more) => [JSON.stringify(more), 200, { ...empty, ...more }] as const),
  ...[202, 206, 207, 208, 226].map((status) => [`status ${status}`, status, empty] as const),
];
const fine: readonly object[] = [
  empty,
  { ...empty, error: null },
  { ...empty, errors: [] },
  { ...empty, error: '', success: true },
  { ...empty, status: 'SUCCEEDED', state: 'FINISHED', ok: true, failed: false, statusCode: 200 },
  { ...empty, status: 'complete', errorCode: '00000', error_message: null, exception: {} },
  { ...empty, warnings: ['slow'], state: 'ok' },
  { ...empty, warnings: [{ code: 'SLOW', message: 'The query timed out once.' }] },
  { ...empty, code: 'OK', message: 'Ended without errors.', err: null },
  { ...empty, code: 0, message: '' },
  { ...empty, code: 'SUCCESS', success: 'true', timeout: 30, default: 'x' },
  { ...empty, status: { state: 'SUCCEEDED' }, meta: { error: null, errorCount: 0, state: 'COMPLETED' } },
  { ...empty, status: 'Completed successfully', queryStatus: 'QUERY_SUCCEEDED', statusText: 'OK' },
  { ...empty, request: { parameters: { status: 'disabled', error: 'x' } }, source: { code: 'EU' } },
  { ...empty, shards: { successful: 5, failed: 0 }, ok: 1, success: '1', valid: 'Y' },
  { ...empty, messages: [{ severity: 'INFO', text: 'Errors are shown elsewhere.' }], type: 'table' },
  { ...empty, messages: ['Started.', 'Ended.'] },
  // What is about risks, or counts things of a kind, says nothing of the answer.
  { ...empty, facets: [{ type: 'failure', count: 3 }], risk: { level: 'Critical' } },
  { ...empty, summary: { severity: 'critical', open: 5 }, facets: [{ type: 'error', title: 'x', count: 3 }] },
  { ...empty, buckets: { category: 'Failure' }, activity: { kind: 'exception' } },
  { ...empty, shards: { total: 0, successful: 0, failed: 0 }, meta: { succeeded: 0, errors: 0 } },
  { results: [empty], status: 'ok' },
  { data: [empty] },
  ...[1, true].map((success) => ({ success: 1, data: { ...empty, success } })),
  { ...empty, jobComplete: true, hasErrors: 'false', noErrors: true, status: null },
];

function clientOf(status: number, body: object) {
  const origin = 'https://service.example';
  return createClient({
    baseUrl: origin,
    authUrl: `${origin}/token`,
    clientId: 'c',
    clientSecret: 's',
    retry: { attempts: 1 },
    fetch: (url) => {
      const isToken = new Request(url).url.endsWith('/token');
      const text = JSON.stringify(
        isToken ? { access_token: 'a', token_type: 'Bearer', expires_in: 3_600 } : body,
      );
      return Promise.resolve(
        new Response(text, {
          status: isToken ? 200 : status,
          headers: { 'content-type': 'application/json' },
        }),
      );
    },
  });
}

async function outcomesOf(status: number, body: object): Promise<readonly unknown[]> {
  const client = clientOf(status, body);
  const request = { query_string: 'SELECT id FROM a' };
  const kindOf = (error: unknown) => (error instanceof ContractError ? 'refused' : error);
  try {
    const parsed = await client.queries.execute(request).then(({ rows }) => rows.length, kindOf);
    const scanned = await client.queries
      .executeBytes(request, new PageScanner('texts'))
      .then(() => 0, kindOf);
    const text = '-- @control A\nSELECT id FROM a';
    const control = readControl(text);
    assert.ok(control !== undefined);
    const run = { control, place: { name: 'a' }, text, checked: provenStatement(), facts: noFacts };
    const { outcome } = await runControl(run, { client, signal: new AbortController().signal });
    return [parsed, scanned, outcome];
  } finally {
    await client.close();
  }
}

describe('an answer to a query', () => {
  for (const [name, status, body] of answers)
    it(`with ${name} is an error, and a control never passes by it`, async () => {
      assert.deepEqual(await outcomesOf(status, body), ['refused', 'refused', 'error']);
    });

  for (const [name, status, { columns: _columns, rows: _rows, ...more }] of answers.map(
    ([of, code, body]) => [of, code, { columns: [], rows: [], ...body }] as const,
  ))
    it(`of saved queries with ${name} is no list, in which the others would look deleted`, async () => {
      const client = clientOf(status, { items: [], ...more });
      await assert.rejects(Array.fromAsync(client.savedQueries.listAll()), ContractError);
      await client.close();
    });

  const id = ['id'];
  const rowsOf: Readonly<Record<string, object>> = {
    'results of two statements': {
      results: [
        { columns: id, rows: [['a'], ['b']] },
        { columns: id, rows: [] },
      ],
    },
    'a result of series': { results: [{ statement: 0, series: [{ columns: id, values: [['a'], ['b']] }] }] },
    'a result of values': { results: [{ columns: id, values: [['a'], ['b']] }] },
    'named otherwise than the columns': { columns: ['user_id', 'id'], rows: [{ userId: 'a', id: 'b' }] },
    'named in part otherwise than the columns': { columns: ['id', 'u.name'], rows: [{ id: 'a', name: 'b' }] },
    'named otherwise, each at the place of a column': {
      columns: ['id', 'manager'],
      rows: [{ id: 'a', mgr: 'b' }],
    },
    'perhaps the rows of a result, perhaps a list': { items: [{ results: [{ id: 'a' }, { id: 'b' }] }] },
    'perhaps a status beside a list': { items: [{ status: 'ok', results: [{ id: 'a' }, { id: 'b' }] }] },
    'perhaps a list beside a value': { results: [{ id: 'x', rows: [{ id: 'a' }, { id: 'b' }] }] },
    'perhaps a list beside an object': { items: [{ shards: { failed: 0 }, rows: [{ id: 'a' }] }] },
    'perhaps none, perhaps a list': { items: [{ rows: [] }] },
    'those of two results without columns': { items: [{ rows: [{ a: 1 }] }, { rows: [] }] },
    'perhaps the values of a result': { items: [{ columns: ['id'], values: ['a', 'b'] }] },
    'values in a member': { columns: id, rows: [{ values: ['a'] }] },
    'lists, and an error at the end': { columns: id, rows: [['a'], { error: 'A part is missing.' }] },
  };
  for (const [what, body] of Object.entries(rowsOf))
    it(`whose rows are ${what} is an error`, async () => {
      assert.deepEqual(await outcomesOf(200, body), ['refused', 'refused', 'error']);
    });

  const objects: readonly (readonly [body: object, columns: readonly string[], rows: readonly unknown[]])[] =
    [
      // Members that are null are left out, and others are added.
      [
        { columns: ['id', 'email', 'manager'], rows: [{ id: 'a', email: 'b', _row: 1 }] },
        ['id', 'email', 'manager', '_row'],
        [['a', 'b', null, 1]],
      ],
      [
        { columns: ['id', 'manager'], rows: [{ id: 'a', '@odata.etag': 'x', _links: 'y' }] },
        ['id', 'manager', '@odata.etag', '_links'],
        [['a', null, 'x', 'y']],
      ],
      [
        { columns: ['id', 'manager'], rows: [{ id: 'a', tenant: 't', rowNumber: 1 }, { tenant: 't' }] },
        ['id', 'manager', 'tenant', 'rowNumber'],
        [
          ['a', null, 't', 1],
          [null, null, 't', null],
        ],
      ],
      [{ columns: ['id', 'manager'], rows: [{ id: 'a' }] }, ['id', 'manager'], [['a', null]]],
      // Lists as values.
      [{ items: [{ results: ['a', 'b'] }] }, ['results'], [[['a', 'b']]]],
      [{ items: [{ id: 1, results: [{ n: 1 }, { n: 2 }] }] }, ['id', 'results'], [[1, [{ n: 1 }, { n: 2 }]]]],
      [
        {
          items: [
            { id: 1, rows: [] },
            { id: 2, rows: [[1]] },
          ],
        },
        ['id', 'rows'],
        [
          [1, []],
          [2, [[1]]],
        ],
      ],
      [{ items: [{ series: [1, 2] }, { series: [] }].slice(0, 1) }, ['series'], [[[1, 2]]]],
      // Results in a list.
      [{ results: [{ rows: [{ id: 'a' }, { id: 'b' }] }] }, ['id'], [['a'], ['b']]],
      [{ results: [{ statement_id: 0, rows: [{ id: 'a' }], rowCount: 1 }] }, ['id'], [['a']]],
      [{ results: [{ rows: [{ id: 'a' }], rows_remaining: 0, stopReason: 'end' }] }, ['id'], [['a']]],
      [{ items: [{ columns: ['id'], rows: [['a'], ['b']] }] }, ['id'], [['a'], ['b']]],
      [
        { results: [{ columns: ['id'], rows: [{ id: 'a' }], shards: { failed: 0 }, odd: 1 }] },
        ['id'],
        [['a']],
      ],
      [{ results: [{ rows: [{ id: 'a' }], shards: { failed: 0 }, progress: 100 }] }, ['id'], [['a']]],
    ];
  for (const [body, names, values] of objects)
    it(`that is read: ${JSON.stringify(body)}`, async () => {
      const client = clientOf(200, { ...body, nextPageToken: null });
      const { columns, rows } = await client.queries.execute({ query_string: 'SELECT id FROM a' });
      assert.deepEqual([columns.map(({ name }) => name), rows], [names, values]);
      await client.close();
    });

  it('whose rows are objects needs no names of columns', async () => {
    const client = clientOf(200, { columns: [{ label: 'id' }], rows: [{ id: 'a' }], nextPageToken: null });
    const { columns, rows } = await client.queries.execute({ query_string: 'SELECT id FROM a' });
    assert.deepEqual([columns.map(({ name }) => name), rows], [['id'], [['a']]]);
    await client.close();
  });

  it('that says that there was no error is a result', async () => {
    for (const body of fine)
      assert.deepEqual(await outcomesOf(200, body), [0, 0, 'pass'], JSON.stringify(body));
  });
});
