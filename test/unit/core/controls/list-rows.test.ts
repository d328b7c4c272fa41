import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { ServerFaultError } from '#api/client/errors.ts';
import { noFacts, type ControlFacts } from '#core/controls/control-rows.ts';
import { readControl } from '#core/controls/control.ts';
import { listRows } from '#core/controls/list-rows.ts';
import { rowDigests } from '#core/controls/row-digest.ts';
import { fakeService, provenStatement, type FakeAnswer } from '#test/helpers/control-service.ts';

const digests = rowDigests('a key for the tests of rows');

async function list(
  answer: FakeAnswer,
  { directives = [], facts = {} }: { directives?: readonly string[]; facts?: Partial<ControlFacts> } = {},
  namedMax = 3,
) {
  const head = ['-- @control AC-1 Test', '-- @expect no rows', '-- @key id', ...directives];
  const text = [...head, 'SELECT 1'].join('\n');
  const control = readControl(text);
  assert.ok(control !== undefined);
  const run = { control, place: { name: 'a.identity.sql' }, text, checked: provenStatement() };
  return await listRows(
    { ...run, facts: { ...noFacts, digests, ...facts } },
    { client: fakeService(answer).client, signal: new AbortController().signal, namedMax },
  );
}

const control = { id: 'AC-1', key: ['id'] };
const rows = (...ids: readonly (string | null)[]) => ({
  columns: ['name', 'id'],
  rows: ids.map((id) => [`name of ${id ?? 'nobody'}`, id]),
});

describe("the list of a control's rows", () => {
  it('contains each key once, with the other columns', async () => {
    const listed = await list(rows('a', 'a', 'b'));
    assert.ok(listed.kind === 'listed');
    assert.equal(listed.isAll, true);
    assert.deepEqual(listed.rows[1], {
      digest: digests.digest(control, ['b']),
      state: 'new',
      key: ['b'],
      others: [{ column: 'name', text: 'name of b' }],
    });
    assert.equal(listed.rows.length, 2);
  });

  it('excludes rows that are already waived or have no key', async () => {
    const waivers = new Map([
      [digests.digest(control, ['a']) ?? '', { reason: 'known', owner: 'iam', expires: '2027-01-31' }],
    ]);
    const listed = await list(rows('a', null, 'b'), { facts: { waivers } });
    assert.ok(listed.kind === 'listed');
    assert.deepEqual(
      listed.rows.map(({ key }) => key),
      [['b']],
    );
    assert.equal(listed.nameless, 1);
  });

  it('is read up to a limit, whatever the threshold', async () => {
    const many = rows(...Array.from({ length: 50 }, (_, index) => `id ${index}`));
    const listed = await list(many);
    assert.ok(listed.kind === 'listed');
    assert.deepEqual([listed.rows.length, listed.isAll], [3, false]);
  });

  it('contains only rows in alarm if each row has a status', async () => {
    const answer = {
      columns: ['id', 'status'],
      rows: [
        ['a', 'ok'],
        ['b', 'alarm'],
      ],
    };
    const head = ['-- @control AC-1 Test', '-- @expect column status', '-- @key id', 'SELECT 1'];
    const one = readControl(head.join('\n'));
    assert.ok(one !== undefined);
    const run = { control: one, place: { name: 'a.identity.sql' }, text: '', checked: provenStatement() };
    const listed = await listRows(
      { ...run, facts: { ...noFacts, digests } },
      { client: fakeService(answer).client, signal: new AbortController().signal, namedMax: 9 },
    );
    assert.ok(listed.kind === 'listed');
    assert.deepEqual(
      listed.rows.map(({ key }) => key),
      [['b']],
    );
  });

  it('is unknown if a page or a column is missing or a file is damaged', async () => {
    const fields = { code: 'X', retryable: false };
    const error = new ServerFaultError('lost', fields);
    const codeOf = (listed: Awaited<ReturnType<typeof list>>) =>
      listed.kind === 'failed' ? listed.code : listed.kind;
    assert.notEqual(codeOf(await list({ ...rows('a', 'b'), failAfter: { rows: 1, error } })), 'listed');
    assert.equal(codeOf(await list({ columns: ['name'], rows: [['a']] })), 'COLUMN_MISSING');
    const problem = { code: 'DAMAGED_FILE', message: 'damaged' };
    assert.equal(codeOf(await list(rows('a'), { facts: { problem } })), 'DAMAGED_FILE');
  });
});
