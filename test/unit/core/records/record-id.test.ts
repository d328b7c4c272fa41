/** The record that a cell refers to: found by the cell's ID if it has one, otherwise by the row's ID. */
import assert from 'node:assert/strict';
import { suite, test } from 'node:test';
import { mayHoldIds, recordIdOf } from '#core/records/record-id.ts';

const id = '0b4e0fbc-8f3a-4f9e-9d6c-0d6f6f2f2f10';
const other = '5a1b2c3d-0000-4000-8000-000000000001';

function of(row: Readonly<Record<string, string | null>>, column: string): string | undefined {
  const names = Object.keys(row);
  return recordIdOf({
    columns: names.map((name) => ({ name })),
    rows: [Object.values(row)],
    firstColumn: names.indexOf(column),
  });
}

suite('the record of a cell', () => {
  test('is the one with the ID in the cell', () => {
    assert.equal(of({ global_id: id, global_entity_id: other }, 'global_entity_id'), other);
    assert.equal(of({ owner: other, global_id: id }, 'owner'), other);
    assert.equal(of({ name: 'a', global_entity_id: 'acct_000001' }, 'global_entity_id'), 'acct_000001');
  });

  test("is the row's if the cell is a name, an address, a time or empty", () => {
    for (const text of ['Elif Abara', 'elif@example.com', '2026-01-01 10:00:00+00', 'administrator', null]) {
      assert.equal(of({ display_name: text, global_id: id }, 'display_name'), id);
    }
    assert.equal(of({ name: 'Elif', account_global_id: id }, 'name'), id);
  });

  test('is not guessed', () => {
    assert.equal(of({ name: 'Elif', a_global_id: id, b_global_id: other }, 'name'), undefined);
    assert.equal(of({ display_name: 'Elif Abara' }, 'display_name'), undefined);
    assert.equal(of({ count: '20261122' }, 'count'), undefined);
    // IDs are opaque, so text that is not clearly something else is tried.
    assert.equal(of({ who: 'acct_000001' }, 'who'), 'acct_000001');
  });
});

suite('a column that may hold IDs', () => {
  const may = (name: string, sample: string, isRecord?: boolean) => mayHoldIds({ name, sample, isRecord });

  test('holds the ID of a record, or is not known to hold none', () => {
    assert.equal(may('who', 'acct_000001', true), true);
    assert.equal(may('who', 'acct_000001'), true);
  });

  test('holds IDs of applications or groups, which are not records', () => {
    assert.equal(may('application', other, false), true);
    assert.equal(may('assigned_object_id', 'app_0001', false), true);
    assert.equal(may('globalEntityId', 'group_0001', false), true);
  });

  test('is not one of names', () => {
    assert.equal(may('alias', 'erin.ito894', false), false);
    assert.equal(may('account_role', 'Administrator', false), false);
  });
});
