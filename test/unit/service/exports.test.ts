/** Export data sets: one per context, from the same company, and identical in both formats. */
import assert from 'node:assert/strict';
import { suite, test } from 'node:test';
import { parse } from 'csv-parse/sync';
import { downloadContexts, type DownloadContext } from '#api/contract/downloads.ts';
import { collections } from '#service/data/collections.ts';
import { World } from '#service/data/company/world.ts';
import { exportLines, hasData } from '#service/data/exports/data-sets.ts';

const settings = { seed: 1, accounts: 1_000, now: Date.UTC(2026, 5, 30) };
const world = new World(settings);

type Row = Record<string, unknown>;

function rowsOf(context: DownloadContext, of = world): Row[] {
  return [...exportLines(of, context, 'jsonl')].map((line) => JSON.parse(line) as Row); // one JSON object per line
}

function csvOf(context: DownloadContext): Record<string, string>[] {
  return parse([...exportLines(world, context, 'csv')].join(''), { columns: true });
}

suite('export data sets', () => {
  for (const context of downloadContexts) {
    test(`${context}: rows have their own IDs, and are the same in both formats and each time`, () => {
      const rows = rowsOf(context);
      assert.ok(rows.length >= 10, String(rows.length));
      assert.ok(hasData(world, context));
      assert.equal(new Set(rows.map((row) => row['globalId'])).size, rows.length, 'no id twice');
      const records = csvOf(context);
      assert.equal(records.length, rows.length);
      for (const [index, record] of records.entries()) {
        for (const [name, text] of Object.entries(record)) {
          const value = rows[index]?.[name];
          const isText = typeof value === 'string';
          const other = value === undefined ? '' : JSON.stringify(value);
          const wanted = isText ? value : other;
          assert.equal(text, wanted, `${name} of row ${index}`);
        }
      }
      assert.deepEqual(rowsOf(context, new World(settings)), rows);
    });

    test(`${context}: no column is empty in every row, and none is missing from the header`, () => {
      const [header = ''] = exportLines(world, context, 'csv');
      const seen = new Set(rowsOf(context).flatMap((row) => Object.keys(row)));
      const columns = header.trimEnd().split(',');
      assert.deepEqual(columns.slice(0, 2), ['id', 'globalId']);
      for (const name of seen) assert.ok(columns.includes(name), name);
      const unused = columns.filter((name) => !seen.has(name));
      // The schema has columns that the synthetic company never fills.
      assert.deepEqual(unused, /^accessInventory(Accounts|RolesV2)$/.test(context) ? unused : []);
    });
  }

  test('no two have the same columns', () => {
    const headers = downloadContexts.map((context) => {
      const [header] = exportLines(world, context, 'csv');
      return header;
    });
    assert.equal(new Set(headers).size, downloadContexts.length);
  });

  test('administrators of the service do not belong to the company', () => {
    const addresses = new Set(rowsOf('identities').map((row) => row['email']));
    const users = rowsOf('platformUsers');
    assert.ok(users.every((row) => !addresses.has(row['email'])));
  });

  test('accounts named in exports are those of the list', () => {
    const known = new Set<unknown>();
    for (let place = 0; place < world.accountCount; place += 1)
      known.add(collections.accounts.record(world, place)?.globalId);
    for (const context of downloadContexts)
      for (const row of rowsOf(context))
        for (const member of ['accountGlobalId', 'memberGlobalId', 'sharedWithGlobalId'])
          if (row[member] !== undefined) assert.ok(known.has(row[member]), `${context} ${member}`);
  });

  test('a disabled account is no longer a risk, which its utilization shows', () => {
    const changed = new World(settings);
    const alias = (row: Row | undefined) => row?.['alias'];
    const [risk] = rowsOf('risks');
    const index = rowsOf('accountUtilization').findIndex((row) => alias(row) === alias(risk));
    changed.changes = { ...changed.changes, disabledAccounts: new Map([[index, settings.now]]) };
    assert.equal(rowsOf('accountUtilization', changed)[index]?.['enabled'], false);
    const id = rowsOf('accountUtilization')[index]?.['globalId'];
    assert.ok(rowsOf('risks').some((row) => row['accountGlobalId'] === id));
    assert.ok(!rowsOf('risks', changed).some((row) => row['accountGlobalId'] === id));
  });

  test('a small company without partners has no partner data', () => {
    const small = new World({ ...settings, accounts: 10 });
    assert.equal(hasData(small, 'externalAccessUsers'), false);
    assert.deepEqual(rowsOf('externalAccessUsers', small), []);
  });

  test('every company has a role of each type', () => {
    for (const accounts of [10, 100, 1_000])
      for (const seed of [1, 2, 3]) {
        const one = new World({ ...settings, accounts, seed });
        const types = new Set(rowsOf('accessInventoryRolesV2', one).map((row) => row['type']));
        assert.deepEqual([...types].sort(), ['Custom', 'Modeled', 'Standard']);
      }
  });
});
