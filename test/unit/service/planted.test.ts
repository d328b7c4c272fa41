/** Planted cases for the library: they match the contract, and are consistent with all other synthetic data. */
import assert from 'node:assert/strict';
import { suite, test } from 'node:test';
import { Compile } from 'typebox/compile';
import { collections, type Collection } from '#service/data/collections.ts';
import { World } from '#service/data/company/world.ts';
import { accountsOf } from '#service/data/exports/subjects.ts';
import { plantedPairs } from '#service/data/planted/cases.ts';
import { plantedPeople } from '#service/data/planted/people.ts';

const now = Date.UTC(2026, 5, 30);
const world = new World({ seed: 1, accounts: 1_000, now });

function records(collection: Collection): Record<string, unknown>[] {
  return Array.from({ length: collection.places(world) }, (_, place) =>
    collection.record(world, place),
  ).flatMap((record) => (record === undefined ? [] : [Object.fromEntries(Object.entries(record))]));
}

suite('planted cases', () => {
  for (const [name, collection] of Object.entries(collections)) {
    test(`${name}: every record of a company with planted cases matches the contract`, () => {
      const validator = Compile(collection.schema);
      for (const record of records(collection)) {
        if (!validator.Check(record))
          assert.fail(`${JSON.stringify(validator.Errors(record)[0])} ${JSON.stringify(record)}`);
      }
    });
  }

  test('a company has as many accounts as requested, and no cases if it is small', () => {
    assert.equal(records(collections.accounts).length, 1_000);
    const small = new World({ seed: 1, accounts: 999, now });
    for (let index = 0; index < 999; index += 1) assert.equal(small.account(index).planted, undefined);
    assert.equal(small.roleCount, small.seededRoleCount);
  });

  test('aliases are unique within an application, and IDs across all of them', () => {
    const seen = new Set<string>();
    for (const account of records(collections.accounts)) {
      const key = JSON.stringify([account['objectMetadata'], account['alias']]);
      assert.ok(!seen.has(key), key);
      seen.add(key);
    }
  });

  test('aliases of planted accounts look like those of other accounts', () => {
    const real = /^(?:svc-[a-z]+-[a-z]+-\d+|adm-[a-z]+\.[a-z]+-\d+|consultant\d+|[a-z]+\.[a-z]+\d*)$/;
    for (let index = 0; index < world.accountCount; index += 1) {
      const { alias, planted } = world.account(index);
      if (planted !== undefined) assert.match(alias, real);
    }
  });

  test('roles have the members in their access assignments', () => {
    const access = records(collections.access).filter((record) => record['assignedObjectType'] === 'Role');
    for (const role of records(collections.roles)) {
      const members = access.filter((record) => record['globalAssignedObjectId'] === role['globalId']);
      const active = members.filter((record) => Number(record['analyticsResourceAccessEventCount']) > 0);
      assert.equal(role['analyticsMemberCount'], members.length, String(role['name']));
      assert.equal(role['analyticsActiveMemberCount'], active.length, String(role['name']));
    }
  });

  test('the last use of a planted account is its last activity', () => {
    const last = new Map<unknown, unknown>();
    for (const activity of records(collections.activities))
      last.set(activity['globalActorAccountId'], activity['timestamp']);
    for (const [index, account] of records(collections.accounts).entries()) {
      if (world.account(index).planted === undefined || !last.has(account['globalId'])) continue;
      assert.equal(account['lastActivityDate'], last.get(account['globalId']));
    }
  });

  test('a planted person has the accounts of the cases, and no others', () => {
    for (const { key } of plantedPeople) {
      const person = world.person(world.planted.indexOfPerson(key));
      const all = Array.from({ length: 1_000 }, (_, index) => world.account(index)).filter(
        (account) => account.kind !== 'directory' && account.person?.index === person.index,
      );
      assert.deepEqual(
        accountsOf(world, person).map(({ index }) => index),
        all.map(({ index }) => index),
        key,
      );
      assert.ok(all.every(({ planted }) => planted !== undefined));
    }
  });

  test('a change through the service affects a planted account too', () => {
    const changed = new World({ seed: 1, accounts: 1_000, now });
    const [pair] = plantedPairs;
    assert.ok(pair !== undefined);
    const { index } = changed.planted.placeOf('lv-01-planted', pair.planted);
    const at = now + 1_000;
    changed.changes = { ...changed.changes, disabledAccounts: new Map([[index, at]]) };
    const record = collections.accounts.record(changed, index);
    assert.ok(record !== undefined);
    assert.equal(record.enabled, false);
    assert.equal(record.lastModifiedDate, new Date(at).toISOString());
  });
});
