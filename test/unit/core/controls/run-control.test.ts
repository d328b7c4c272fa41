import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import {
  AuthError,
  ContractError,
  RateLimitError,
  RejectedError,
  ServerFaultError,
  TimeoutError,
} from '#api/client/errors.ts';
import { noFacts, type ControlFacts } from '#core/controls/control-rows.ts';
import { readControl } from '#core/controls/control.ts';
import { runControl, type RunControlOptions } from '#core/controls/run-control.ts';
import { fakeService, provenStatement, type FakeAnswer } from '#test/helpers/control-service.ts';

async function run(
  directives: readonly string[],
  answer: FakeAnswer,
  { facts = noFacts, ...options }: Partial<RunControlOptions> & { readonly facts?: ControlFacts } = {},
) {
  const text = ['-- @control AC-1 Test', ...directives, 'SELECT 1'].join('\n');
  const control = readControl(text);
  assert.ok(control !== undefined);
  const service = fakeService(answer);
  const result = await runControl(
    { control, place: { name: 'a.identity.sql' }, text, checked: provenStatement(), facts },
    { client: service.client, signal: new AbortController().signal, ...options },
  );
  return { ...result, asked: service.asked };
}
const rowsOf = (count: number) => Array.from({ length: count }, (_, index) => [`row ${index}`]);

describe('running a control', () => {
  it('reads at most one row more than the threshold', async () => {
    const { outcome, asked, rows, message } = await run(['-- @error_if rows > 5'], {
      columns: ['a'],
      rows: rowsOf(500),
    });
    assert.deepEqual([outcome, asked, rows?.read], ['fail', [6], 6]);
    assert.equal(message, 'At least 6 rows: rows > 5.');
  });

  it('uses the outcomes of a status column', async () => {
    const statuses = (...values: readonly (string | null)[]) => ({
      columns: ['status'],
      rows: values.map((value) => [value]),
    });
    const outcomeOf = async (...values: readonly (string | null)[]) => {
      const { outcome, code } = await run(['-- @expect column status'], statuses(...values));
      return code === undefined ? outcome : `${outcome} ${code}`;
    };
    assert.equal(await outcomeOf('ok', 'skip', 'info'), 'pass');
    assert.equal(await outcomeOf('ok', 'alarm'), 'fail');
    assert.equal(await outcomeOf('alarm', 'error'), 'error ROW_ERROR');
    assert.equal(await outcomeOf('ok', null), 'error STATUS_UNKNOWN');
    assert.equal(await outcomeOf('fine'), 'error STATUS_UNKNOWN');
    const { code } = await run(['-- @expect column status'], { columns: ['a'], rows: [] });
    assert.equal(code, 'COLUMN_MISSING');
  });

  it('sums columns exactly', async () => {
    const answer = { columns: ['amount'], rows: [['0.1'], ['0.2'], [null]] };
    assert.equal((await run(['-- @error_if sum(amount) > 0.3'], answer)).outcome, 'pass');
    assert.equal((await run(['-- @error_if sum(amount) = 0.3'], answer)).outcome, 'fail');
    assert.equal((await run(['-- @error_if count(amount) != 2'], answer)).outcome, 'pass');
    assert.equal((await run(['-- @warn_if avg(amount) >= 0.15'], answer)).outcome, 'warn');
    assert.equal(
      (await run(['-- @error_if max(amount) > 1'], { columns: ['amount'], rows: [] })).code,
      'NO_VALUE',
    );
    const { code, message } = await run(['-- @error_if max(amount) > 1'], {
      columns: ['amount'],
      rows: [['jonas']],
    });
    assert.equal(code, 'NOT_A_NUMBER');
    assert.doesNotMatch(message, /jonas/);
  });

  it('compares averages exactly on both sides of a threshold', async () => {
    const outcomeOf = async (rule: string, ...values: readonly string[]) =>
      (await run([`-- @error_if ${rule}`], { columns: ['a'], rows: values.map((value) => [value]) })).outcome;
    assert.equal(await outcomeOf('avg(a) > 0.333333', '1', '0', '0'), 'fail');
    assert.equal(await outcomeOf('avg(a) = 0.333333', '1', '0', '0'), 'pass');
    assert.equal(await outcomeOf('avg(a) < 0.666667', '1', '1', '0'), 'fail');
    assert.equal(await outcomeOf('avg(a) >= 0.666667', '1', '1', '0'), 'pass');
    assert.equal(await outcomeOf('avg(a) < -0.333333', '-1', '0', '0'), 'fail');
    assert.equal(await outcomeOf('avg(a) != 0.5', '1', '0'), 'pass');
    assert.equal(await outcomeOf('avg(a) <= 0', '0', '0', '1e-90'), 'pass');
    assert.equal(await outcomeOf(`avg(a) > 0.${'3'.repeat(38)}`, '1', '0', '0'), 'fail');
  });

  it('is an error if values are too large to add up', async () => {
    for (const rows of [[['-1e2000']], [['1e2000'], ['-1e2000']], [['1e-2000']]])
      for (const rule of ['sum(a) < 0', 'sum(a) > 0', 'avg(a) < 0', 'avg(a) > 0']) {
        const { outcome } = await run([`-- @error_if ${rule}`], { columns: ['a'], rows });
        assert.equal(outcome, 'error', `${rule} of ${JSON.stringify(rows)}`);
      }
  });

  it('does not pass if the service reports more rows than it sent', async () => {
    const answer = { columns: ['a'], rows: [], rowCount: 5 };
    assert.equal((await run([], answer)).code, 'ROWS_MISSING');
    assert.equal((await run(['-- @warn_if rows > 7'], answer)).code, 'ROWS_MISSING');
    assert.equal((await run([], { ...answer, rows: rowsOf(2) })).outcome, 'fail');
    // The missing rows could be those that a control expects.
    for (const rule of ['rows < 4', 'rows <= 3', 'rows = 2', 'rows != 5'])
      assert.equal(
        (await run([`-- @error_if ${rule}`], { ...answer, rows: rowsOf(2) })).code,
        'ROWS_MISSING',
        rule,
      );
    assert.equal((await run([], { ...answer, rowCount: 0 })).outcome, 'pass');
    // Some services report the row count of the page.
    assert.equal((await run(['-- @expect rows'], { ...answer, rows: rowsOf(9) })).outcome, 'pass');
  });

  it('names the reason why rows may be missing', async () => {
    const answer = { columns: ['a'], rows: [] };
    const perhaps = { isPerhapsPartial: true, toldRows: Infinity } as const;
    for (const [judged, reason] of [
      [perhaps, /how the service pages results/],
      [{ ...perhaps, areValuesUnknown: true }, /values of parameters.*"values": "parameters"/],
    ] as const) {
      const { code, message } = await run([], { ...answer, judged });
      assert.equal(code, 'ROWS_PERHAPS_MISSING');
      assert.match(message, reason);
    }
    const paged = {
      ...answer,
      rows: rowsOf(9),
      judged: { toldRows: Infinity, areValuesUnknown: true },
    } as const;
    assert.match((await run(['-- @error_if rows > 99'], paged)).message, /"values": "parameters"/);
  });

  it('is an error if several columns have the name in a rule', async () => {
    const rows = [['ok', 'alarm']];
    for (const columns of [
      ['status', 'status'],
      ['STATUS', 'Status'],
    ]) {
      const { code } = await run(['-- @expect column status'], { columns, rows });
      assert.equal(code, 'COLUMN_AMBIGUOUS');
    }
    const { outcome } = await run(['-- @expect column status'], { columns: ['STATUS', 'status'], rows });
    assert.equal(outcome, 'fail');
  });

  it('is an error for each way in which the outcome is unknown', async () => {
    const fields = { code: 'X', retryable: false };
    for (const error of [
      new TimeoutError('late', 1_000),
      new RateLimitError('slow down', fields),
      new ServerFaultError('broken', fields),
      new RejectedError('no', { ...fields, serviceMessage: 'no' }),
      new ContractError('odd', { status: 200 }),
      new Error('anything'),
    ]) {
      for (const rows of [0, 2]) {
        const { outcome } = await run(['-- @error_if rows > 5'], {
          columns: ['a'],
          rows: rowsOf(10),
          failAfter: { rows, error },
        });
        assert.equal(outcome, 'error', `${error.name} behind ${rows} rows`);
      }
    }
  });

  it('says in full why the sign-in was refused', async () => {
    const refusal = new AuthError('The token address responded "invalid_client".', 'token-endpoint', {
      code: 'INVALID_CLIENT',
    });
    const { code, message } = await run([], {
      columns: [],
      rows: [],
      failAfter: { rows: 0, error: refusal },
    });
    assert.equal(code, 'INVALID_CLIENT');
    assert.match(message, /responded "invalid_client"/);
  });

  it('excludes values that the service quotes from its message', async () => {
    const error = new RejectedError('no', {
      code: 'QUERY_FAILED',
      retryable: false,
      serviceMessage: 'invalid input syntax for type integer: "jonas@example.com"',
    });
    const { message } = await run([], { columns: [], rows: [], failAfter: { rows: 0, error } });
    assert.equal(message, 'invalid input syntax for type integer: "..."');
  });

  it('ends the message of the service before its hint', async () => {
    const hint = 'There are: people.';
    for (const [serviceMessage, told] of [
      ['relation "nope" does not exist', 'relation "..." does not exist. There are: people.'],
      ['No such table.', 'No such table. There are: people.'],
    ] as const) {
      const error = new RejectedError('no', {
        ...{ code: 'QUERY_PARSE_ERROR', retryable: false, serviceMessage, hint },
      });
      const { message } = await run([], { columns: [], rows: [], failAfter: { rows: 0, error } });
      assert.equal(message, told);
    }
  });

  it('is an error if a key is named and there are no columns', async () => {
    assert.equal((await run(['-- @key id'], { columns: [], rows: [] })).code, 'COLUMN_MISSING');
  });

  it('is an error if the rows end before the outcome is known', async () => {
    const answer = { columns: ['days'], rows: rowsOf(50).map(() => [1]) };
    const { code } = await run(['-- @error_if max(days) > 3'], answer, { rowsMax: 10 });
    assert.equal(code, 'ROW_LIMIT');
  });

  it('ends without an outcome if it is cancelled', async () => {
    const controller = new AbortController();
    controller.abort();
    await assert.rejects(run([], { columns: ['a'], rows: [] }, { signal: controller.signal }), {
      name: 'AbortError',
    });
  });
});
