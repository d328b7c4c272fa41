/** Controls that agents run: requests to the service, outcomes and returned rows. */
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { QueryPage } from '#api/client/query-page.ts';
import { answerText } from '#core/agents/answers/answer-text.ts';
import { answerControl } from '#core/agents/answers/control-answer.ts';
import type { Answer } from '#core/agents/tools/tool.ts';
import { readControl } from '#core/controls/control.ts';
import { defaultAgentLimits } from '#core/policy/agent-levels.ts';
import { Masker } from '#core/policy/masking/masker.ts';
import { holdsMarker, markedServiceOfFile, startMarkedService } from '#test/helpers/marked-service.ts';
import { inTurn } from '#test/helpers/query-pages.ts';
import { oracles } from '../policy/masking/query-cases.ts';

const service = await markedServiceOfFile();

const caller = { client: 'test', signal: new AbortController().signal };
type Told = Answer & Readonly<Record<string, unknown>>;
const call = async (input: unknown): Promise<Told> =>
  (await service.session.call('run_control', input, caller)) as Told; // every response is an object
const control = (sql: string, ...directives: readonly string[]): string =>
  ['-- @control AC-1 Test', ...directives, sql].join('\n');
const run = (sql: string, ...directives: readonly string[]) => call({ sql: control(sql, ...directives) });
const saved = (sql: string, parameters?: Readonly<Record<string, unknown>>) => {
  service.save('c', sql);
  return call({ id: 'c', ...(parameters === undefined ? {} : { parameters }) });
};

describe('a control that an agent runs', () => {
  it('has an outcome, its counts, and rows without a sensitive value', async () => {
    const failed = await run('SELECT id, email FROM accounts', '-- @error_if rows > 5');
    assert.deepEqual([failed.status, failed['outcome']], ['complete', 'fail']);
    assert.equal(failed['message'], '12 rows: rows > 5.');
    assert.deepEqual(failed['counts'], { read: 12, isAll: true, total: 12 });
    assert.ok(service.answered.at(-1)?.includes('zqxmarker'));
    assert.equal(holdsMarker(answerText(failed)), false);
    assert.deepEqual(service.log.at(-1)?.masked, ['email']);
    assert.equal((await run('SELECT id FROM accounts WHERE false'))['outcome'], 'pass');
    assert.equal((await run('SELECT id FROM accounts', '-- @warn_if rows > 1'))['outcome'], 'warn');
  });

  it('returns only rows in alarm if each row has a status', async () => {
    const sql = "SELECT id, CASE WHEN score > 9 THEN 'alarm' ELSE 'ok' END AS status, email FROM accounts";
    const answer = await run(sql, '-- @expect column status');
    assert.deepEqual([answer['outcome'], answer['rowCount']], ['fail', 2]);
    assert.equal((await run('SELECT id FROM accounts', '-- @expect column status')).code, 'column-missing');
    assert.equal(
      (await run("SELECT 'odd' AS status", '-- @expect column status'))['outcome'],
      'error',
      'a status that nobody knows',
    );
  });

  it('returns no more rows than allowed, and reports it', async () => {
    const small = await startMarkedService({ maxRows: 3 });
    try {
      const sql = control('SELECT id FROM accounts');
      const answer = (await small.session.call('run_control', { sql, max_rows: 900 }, caller)) as Told; // every response is an object
      assert.deepEqual([answer.status, answer['outcome'], answer['rowCount']], ['truncated', 'fail', 3]);
    } finally {
      await small.close();
    }
  });

  it('sends nothing to the service that an agent may not run', async () => {
    for (const sql of oracles) {
      const { status, outcome } = await run(sql);
      assert.deepEqual([status, outcome], ['refused', 'error'], sql);
    }
    assert.deepEqual(service.sent, []);
  });

  it('cannot test a sensitive column in its rules', async () => {
    for (const rule of [
      '@error_if max(email) > 5',
      '@error_if distinct(EMAIL) > 3',
      '@warn_if count(email) > 3',
      '@expect column email',
    ]) {
      for (const sql of [
        'SELECT id, email FROM accounts',
        'SELECT id AS other, phone AS email FROM accounts',
        'SELECT * FROM accounts',
        'SELECT * FROM untold',
      ]) {
        const { code, outcome } = await run(sql, `-- ${rule}`);
        assert.deepEqual([code, outcome], ['sensitive-column', 'error'], `${rule} ${sql}`);
      }
    }
    assert.deepEqual(service.sent, []);
    assert.equal((await run('SELECT score FROM accounts', '-- @error_if max(score) > 5'))['outcome'], 'fail');
  });

  it("may be the agent's own SQL only if the agent may run SQL", async () => {
    service.setLevel('saved');
    const own = await run('SELECT id FROM accounts');
    assert.deepEqual([own.code, own['outcome']], ['not-allowed', 'error']);
    assert.deepEqual(service.sent, []);
    assert.equal((await saved(control('SELECT id FROM accounts')))['outcome'], 'fail');
    service.setLevel('schema');
    assert.equal((await saved(control('SELECT id FROM accounts'))).code, 'not-allowed');
  });

  it("of a person may test a sensitive column, with the person's values", async () => {
    const sql = control(
      'SELECT id, email FROM accounts WHERE email <> :who ORDER BY email',
      '-- @param who text = nobody',
      '-- @error_if distinct(email) > 3',
    );
    const given = await saved(sql, { who: 'a' });
    assert.deepEqual([given.code, given['outcome']], ['sensitive-column', 'error']);
    assert.deepEqual(service.sent, []);
    // This database does not support parameters, so the test can check only the request.
    const own = await saved(sql);
    assert.equal(service.sent.length, 1);
    assert.equal(own['outcome'], 'error');
    const missing = await saved(control('SELECT id FROM accounts WHERE id = :id'));
    assert.equal(missing.code, 'parameters');
    const plain = await saved(control('SELECT email FROM accounts', '-- @error_if distinct(email) > 3'));
    assert.equal(plain['outcome'], 'fail');
    assert.equal(holdsMarker(answerText(plain)), false);
  });

  it('passes only if there is what it looks at, as its population says', async () => {
    const none = 'SELECT id FROM accounts WHERE false';
    const counted = (...lines: readonly string[]) =>
      run(none, ...lines.map((line) => `-- @population ${line}`));
    const passed = await counted('SELECT count(*) FROM accounts');
    assert.deepEqual([passed['outcome'], passed['message']], ['pass', 'No rows of a population of 12.']);
    assert.equal(service.sent.length, 2);
    for (const sql of service.sent) assert.ok(service.log.at(-1)?.sql?.includes(sql), sql);
    const empty = await counted('SELECT count(*) FROM accounts WHERE false');
    assert.deepEqual([empty['outcome'], empty.code], ['error', 'population-too-small']);
    const few = await counted('SELECT count(*) FROM accounts', '>= 13');
    assert.deepEqual([few['outcome'], few.code], ['error', 'population-too-small']);
    assert.equal((await counted('SELECT id FROM accounts'))['outcome'], 'error');
  });

  it('tells and decides by no sensitive value in its population', async () => {
    for (const population of [
      "SELECT count(*) FROM accounts WHERE email LIKE 'a%'",
      "SELECT email FROM accounts WHERE id = 'open0'",
      'SELECT count(DISTINCT email) FROM accounts',
      'SELECT count(*) FROM untold WHERE anything > 5',
      'SELECT own_function()',
      'DELETE FROM accounts',
    ]) {
      const answer = await run('SELECT id FROM accounts WHERE false', `-- @population ${population}`);
      assert.deepEqual([answer.status, answer['outcome']], ['refused', 'error'], population);
    }
    const own = control('SELECT id FROM accounts', '-- @population SELECT max(phone) FROM accounts');
    assert.equal((await saved(own)).code, 'sensitive-column');
    assert.deepEqual(service.sent, []);
  });

  it('has values for the parameters of its population, too', async () => {
    const sql = control(
      'SELECT id FROM accounts WHERE false',
      '-- @param type text = person',
      '-- @population SELECT count(*) FROM accounts WHERE type = :type',
    );
    // This database does not support parameters, so the test can check only the request.
    assert.equal((await call({ sql, parameters: { type: 'x' } })).code, 'service-error');
    assert.equal((await call({ sql })).code, 'service-error');
    assert.equal((await call({ sql, parameters: { other: 'x' } })).code, 'parameters');
    assert.deepEqual(service.sent, Array(2).fill('SELECT count(*) FROM accounts WHERE type = :type'));
  });

  it('is an error if it is not a control, cannot be read, or fails', async () => {
    assert.equal((await call({ sql: 'SELECT 1' })).code, 'no-control');
    assert.equal((await saved('SELECT 1')).code, 'no-control');
    assert.equal((await run('SELECT 1', '-- @expect nonsense')).code, 'invalid-directive');
    for (const input of [{}, { id: 'c', sql: 'SELECT 1' }, { id: 'c', model: 'x' }])
      assert.equal((await call(input)).code, 'input');
    assert.deepEqual(service.sent, []);
    const failing = await run("SELECT (department || '')::int FROM accounts");
    assert.deepEqual([failing.code, failing['outcome']], ['service-error', 'error']);
    assert.doesNotMatch(JSON.stringify(failing), /invalid input|open\d/);
    const words = await run('SELECT department FROM accounts', '-- @error_if max(department) > 5');
    assert.equal(words.code, 'not-a-number');
    assert.doesNotMatch(JSON.stringify(words), /open\d/);
    assert.equal((await run('SELECT FROM accounts'))['outcome'], 'error', 'rows without columns');
  });
});

describe('a control of several pages', () => {
  const page = (name: string, rows: readonly number[], next?: string): QueryPage => ({
    columns: [{ name, type: 'integer' }],
    rows: rows.map((row) => [row]),
    ...(next === undefined ? {} : { nextPageToken: next }), // page tokens are opaque
  });
  const judge = async (directive: string, pages: readonly QueryPage[]) => {
    let asked = 0;
    const found = readControl(control('SELECT n', directive));
    assert.ok(found);
    const answer = await answerControl(
      inTurn(pages, () => (asked += 1)),
      {
        control: found,
        isFree: true,
        expected: { list: [{ name: 'n', origin: undefined }] },
        masker: new Masker(),
        limits: { ...defaultAgentLimits, maxRows: 1 },
        maxRows: undefined,
      },
    );
    return { ...answer, pages: asked };
  };

  it('never passes on rows that the service reports but does not send', async () => {
    const short = { ...page('n', []), rowCount: 5 };
    await assert.rejects(judge('-- @error_if rows > 7', [short]), { code: 'ROWS_MISSING' });
  });

  it('is read to the end if each row counts, and otherwise no further than needed', async () => {
    const pages = [page('n', [1, 2], 'a'), page('n', [], 'b'), page('n', [9])];
    const all = await judge('-- @error_if max(n) > 5', pages);
    assert.deepEqual([all.outcome, all.pages, all.status], ['fail', 3, 'truncated']);
    assert.deepEqual(all.counts, { read: 3, isAll: true, total: 3 });
    const some = await judge('-- @expect no rows', pages);
    assert.deepEqual([some.outcome, some.pages, some.counts.isAll], ['fail', 1, false]);
  });

  it('has no outcome if the columns change', async () => {
    const pages = [page('n', [1], 'a'), page('m', [9])];
    await assert.rejects(judge('-- @error_if max(n) > 5', pages), { code: 'COLUMNS_CHANGED' });
    await assert.rejects(judge('-- @error_if max(m) > 5', [page('m', [1])]), { code: 'SENSITIVE_COLUMN' });
  });
});
