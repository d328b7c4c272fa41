/** What an agent reads of each column that the sandbox offers. */
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { classOf } from '#api/contract/records/classes.ts';
import { identityModel } from '#api/contract/tables.ts';
import { sensitivityBy, type ColumnInTable } from '#core/policy/masking/sensitive-columns.ts';
import { collections, type Collection } from '#service/data/collections.ts';
import { World } from '#service/data/company/world.ts';
import { columnsOf } from '#service/data/tables/columns.ts';
import { governanceViews } from '#service/data/tables/governance.ts';

const world = new World({ seed: 7, accounts: 2_000, now: Date.parse('2026-06-30') });
const byContract = sensitivityBy([]);
const sensitivityOf = (column: Omit<ColumnInTable, 'class'>) => byContract({ ...column, class: undefined });
const all: readonly Collection[] = Object.values(collections);

function* recordsOf(collection: Collection): Generator<object> {
  const places = Math.min(5_000, collection.places(world));
  for (let place = 0; place < places; place++) {
    const record = collection.record(world, place);
    if (record !== undefined) yield record;
  }
}

/** Addresses, names, user names and other keys of accounts, in lower case. */
function keysOfPeople(): ReadonlySet<string> {
  const keys = new Set<string>();
  const members = [
    ['alias', 'email', 'name', 'displayName', 'employeeNumber', 'federationId', 'enrichedNormalizedEmail'],
    ['alternateEmails', 'managerEmails', 'hashIdentifiers'],
  ].flat();
  for (const record of recordsOf(collections.accounts))
    for (const member of members) {
      const found: unknown = Reflect.get(record, member);
      for (const value of Array.isArray(found) ? found : [found])
        if (typeof value === 'string' && value.length > 4) keys.add(value.toLowerCase());
    }
  return keys;
}

describe('an agent reads in clear', () => {
  const keys = keysOfPeople();
  for (const collection of all)
    it(`no key of a person from ${collection.table}`, () => {
      const open = columnsOf(collection.schema).filter(
        ({ name: column, type }) =>
          sensitivityOf({ model: identityModel, table: collection.table, column, type }) === undefined,
      );
      assert.ok(open.length > 0);
      for (const record of recordsOf(collection))
        for (const { member, name } of open) {
          const text = JSON.stringify(Reflect.get(record, member) ?? '').toLowerCase();
          const parts = [text.replaceAll('"', ''), ...text.split(/[\s"'[\]{},:|\\]+/)];
          assert.deepEqual(
            parts.filter((part) => keys.has(part) || part.includes('@')),
            [],
            name,
          );
        }
    });

  it('nothing that nobody classed, and every column of the sandbox has a class', () => {
    for (const { table, schema } of all)
      for (const { name } of columnsOf(schema))
        assert.notEqual(classOf(identityModel, table, name), undefined, `${table}.${name}`);
    for (const { name, columns } of governanceViews)
      for (const column of Object.keys(columns))
        assert.notEqual(classOf('platform_governance', name, column), undefined, `${name}.${column}`);
    for (const [model, table, column] of [
      ['own_model', 'accounts', 'department'],
      [identityModel, 'own_table', 'department'],
      [identityModel, 'accounts', 'badge'],
      [identityModel, 'accounts', '__proto__'],
    ] as const)
      assert.notEqual(sensitivityOf({ model, table, column, type: 'integer' }), undefined);
  });

  it('neither the key of an enrollment nor an identifier of a federation', () => {
    for (const [table, column] of [
      ['authenticator_enrollments', 'account_key'],
      ['accounts', 'federation_id'],
    ] as const)
      assert.equal(sensitivityOf({ model: identityModel, table, column, type: 'text' })?.isExact, true);
  });
});
