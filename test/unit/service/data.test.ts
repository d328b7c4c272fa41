/** The synthetic data: reproducible from a seed, consistent, and generated record by record at any size. */
import assert from 'node:assert/strict';
import { suite, test } from 'node:test';
import { Compile } from 'typebox/compile';
import { columnName } from '#api/contract/tables.ts';
import { collections, type Collection } from '#service/data/collections.ts';
import { MemberCounts } from '#service/data/company/member-counts.ts';
import { Chance, GlobalIds, Permutation } from '#service/data/company/random.ts';
import { roundCount, World } from '#service/data/company/world.ts';
import { columnsOf, columnText, copyLine } from '#service/data/tables/columns.ts';

const now = Date.UTC(2026, 5, 30);
const world = new World({ seed: 7, accounts: 400, now });

function records(collection: Collection, of = world): Record<string, unknown>[] {
  const found: Record<string, unknown>[] = [];
  for (let place = 0; place < collection.places(of); place += 1) {
    const record = collection.record(of, place);
    if (record !== undefined) found.push(Object.fromEntries(Object.entries(record)));
  }
  return found;
}

const accountRoles = new Set(records(collections.accountRoles).map((role) => role['globalId']));

/** Returns the paths of all values that a schema describes: `.a.b[].c`. */
function placesOf(schema: object, place: string): string[] {
  const { properties, items } = schema as { properties?: Record<string, object>; items?: object }; // a JSON Schema
  if (properties !== undefined)
    return Object.entries(properties).flatMap(([name, each]) => placesOf(each, `${place}.${name}`));
  return items === undefined ? [place] : placesOf(items, `${place}[]`);
}

/** Adds the paths of all values in a record, including members that the schema does not describe. */
function addPlaces(value: unknown, place: string, present: Set<string>): void {
  present.add(place);
  if (Array.isArray(value)) for (const item of value) addPlaces(item, `${place}[]`, present);
  else if (typeof value === 'object' && value !== null)
    for (const [name, member] of Object.entries(value)) addPlaces(member, `${place}.${name}`, present);
}

suite('synthetic data', () => {
  for (const [name, collection] of Object.entries(collections)) {
    test(`${name}: every record matches the contract`, () => {
      const validator = Compile(collection.schema);
      for (const record of records(collection)) {
        if (!validator.Check(record)) {
          assert.fail(`${JSON.stringify(validator.Errors(record)[0])} ${JSON.stringify(record)}`);
        }
      }
    });

    test(`${name}: a record is the same each time, but different with another seed`, () => {
      const again = new World({ seed: 7, accounts: 400, now });
      assert.deepEqual(records(collection, again), records(collection));
      const other = new World({ seed: 8, accounts: 400, now });
      assert.notDeepEqual(records(collection, other), records(collection));
    });
  }

  test('every field in the contract, including structures, occurs in some record', () => {
    const company = new World({ seed: 1, accounts: 1_000, now });
    for (const [name, collection] of Object.entries(collections)) {
      const present = new Set<string>();
      for (const record of records(collection, company)) addPlaces(record, '', present);
      const missing = placesOf(collection.schema, '').filter((place) => !present.has(place));
      assert.deepEqual(missing, [], name);
    }
  });

  test('an activity describes its actor as the account does', () => {
    const accounts = new Map(records(collections.accounts).map((each) => [each['globalId'], each]));
    for (const activity of records(collections.activities)) {
      const actor = accounts.get(activity['globalActorAccountId']);
      assert.equal(activity['analyticsActorAccountType'], actor?.['type']);
      assert.equal(activity['analyticsActorAccountSubType'], actor?.['subType']);
      assert.equal(activity['analyticsActorAccountAlias'], actor?.['alias']);
      const secondary = activity['globalSecondaryAffectedObjects'];
      assert.ok(Array.isArray(secondary));
      for (const id of secondary as unknown[]) assert.ok(accountRoles.has(id), String(id));
    }
  });

  test('global IDs are unique across all collections, and every reference to an account or role resolves', () => {
    const ids = new Set<string>();
    const all = Object.values(collections).flatMap((collection) => records(collection));
    for (const record of all) {
      const id = record['globalId'];
      if (typeof id !== 'string') continue;
      assert.ok(!ids.has(id), id);
      ids.add(id);
    }
    let references = 0;
    for (const record of all) {
      for (const [member, value] of Object.entries(record)) {
        if (/^global(CreatedBy|LastModifiedBy|DirectoryEntryId|ActorAccountId)$/.test(member)) {
          assert.ok(ids.has(String(value)), `${member} ${String(value)}`);
          references += 1;
        }
      }
      if (record['entityType'] === 'Account') assert.ok(ids.has(String(record['globalEntityId'])));
      if (record['assignedObjectType'] === 'Role')
        assert.ok(ids.has(String(record['globalAssignedObjectId'])));
    }
    assert.ok(references > 1_000);
  });

  test('aliases are unique within an application instance', () => {
    const seen = new Set<string>();
    for (const account of records(collections.accounts)) {
      const metadata = account['objectMetadata'];
      assert.ok(typeof metadata === 'object' && metadata !== null);
      const key = `${String(Reflect.get(metadata, 'ApplicationInstanceId'))}/${String(account['alias'])}`;
      assert.ok(!seen.has(key), key);
      seen.add(key);
    }
  });

  test('a role has the member and usage counts of its access assignments', () => {
    const access = records(collections.access).filter((record) => record['assignedObjectType'] === 'Role');
    for (const role of records(collections.roles)) {
      const members = access.filter((record) => record['globalAssignedObjectId'] === role['globalId']);
      const active = members.filter((record) => Number(record['analyticsResourceAccessEventCount']) > 0);
      assert.equal(role['analyticsMemberCount'], members.length);
      assert.equal(role['analyticsActiveMemberCount'], active.length);
      assert.equal(role['analyticsInactiveMemberCount'], members.length - active.length);
    }
  });

  test('counting members step by step gives the same result as counting them at once', async () => {
    const settings = { seed: 7, accounts: 30_000, now };
    const [little, once] = [new MemberCounts(new World(settings)), new MemberCounts(new World(settings))];
    const stop = new AbortController();
    const first = little.complete(stop.signal);
    stop.abort();
    await first;
    assert.equal(little.left, 30_000);
    await little.complete(new AbortController().signal);
    assert.equal(little.left, 0);
    for (let role = 0; role < 1_500; role += 1) assert.deepEqual(little.of(role), once.of(role));
  });

  test('the data is untidy enough for interesting queries', () => {
    const accounts = records(collections.accounts);
    const directory = new Map(accounts.map((account) => [account['globalId'], account]));
    const count = (is: (account: Record<string, unknown>) => boolean): number => accounts.filter(is).length;
    assert.ok(
      count(
        (a) => a['enabled'] === true && directory.get(a['globalDirectoryEntryId'])?.['enabled'] === false,
      ) > 2,
      'enabled accounts of people who left',
    );
    assert.ok(count((a) => a['enabled'] === true && a['lastActivityDate'] === undefined) > 2, 'never used');
    assert.ok(count((a) => a['type'] === 'Service') > 2, 'service accounts');
  });

  test('activities are ordered by time and end before now', () => {
    let last = 0;
    for (const activity of records(collections.activities)) {
      const time = Date.parse(String(activity['timestamp']));
      assert.ok(time >= last && time < now);
      last = time;
    }
  });

  test("an account's last activity is that of its last activity record", () => {
    const latest = new Map<unknown, unknown>();
    for (const activity of records(collections.activities)) {
      latest.set(activity['globalActorAccountId'], activity['timestamp']);
    }
    for (const account of records(collections.accounts)) {
      const time = latest.get(account['globalId']);
      if (time !== undefined) assert.equal(account['lastActivityDate'], time);
    }
  });

  test('the position of an activity is found from its time', () => {
    for (const place of [0, 1, 399, 400, 2_345, roundCount * 400 - 1]) {
      assert.equal(world.activityIndexAt(world.activityTime(place)), place);
      assert.equal(world.activityIndexAt(world.activityTime(place) + 1), place + 1);
    }
    assert.equal(world.activityIndexAt(0), 0);
    assert.equal(world.activityIndexAt(now), roundCount * 400);
  });

  test('a company with a million accounts responds as fast as a small one', () => {
    const large = new World({ seed: 7, accounts: 1_000_000, now });
    const account = collections.accounts.record(large, 999_999);
    assert.ok(account !== undefined && 'globalId' in account);
    assert.equal(large.ids.indexOf('account', account.globalId, 1_000_000), 999_999);
  });
});

suite('randomness', () => {
  const chance = new Chance(3);

  test('a permutation is valid, and can be reversed', () => {
    for (const count of [1, 2, 10, 997, 1_000]) {
      const permutation = new Permutation(count, chance, 'test', count);
      const seen = new Set<number>();
      for (let value = 0; value < count; value += 1) {
        const place = permutation.forward(value);
        assert.equal(permutation.backward(place), value);
        seen.add(place);
      }
      assert.equal(seen.size, count);
    }
  });

  test('global IDs are UUIDs that identify their record, and other UUIDs do not', () => {
    const ids = new GlobalIds(chance);
    for (const index of [0, 1, 2, 77, 123_456, 999_999]) {
      const id = ids.of('account', index);
      assert.match(id, /^[0-9a-f]{8}-[0-9a-f]{4}-8[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/);
      assert.equal(ids.indexOf('account', id, 1_000_000), index);
      assert.equal(ids.indexOf('role', id, 1_000_000), undefined);
      assert.equal(ids.indexOf('account', id, index), undefined);
    }
    for (const text of ['', 'x', '00000000-0000-8000-8000-000000000000', '%00']) {
      assert.equal(ids.indexOf('account', text, 1_000_000), undefined);
    }
  });
});

suite('the columns', () => {
  test('have names in snake_case', () => {
    const names = [
      'hasAPIAccess',
      'enrichedMFAStatus',
      'globalId',
      'isAdmin',
      'sorPrimaryStewardEmail',
      'id',
    ];
    assert.deepEqual(names.map(columnName), [
      'has_api_access',
      'enriched_mfa_status',
      'global_id',
      'is_admin',
      'sor_primary_steward_email',
      'id',
    ]);
  });

  test('include every field of an account, with the right type', () => {
    const columns = new Map(
      columnsOf(collections.accounts.schema).map((column) => [column.name, column.type]),
    );
    assert.equal(columns.size, Object.keys(collections.accounts.schema.properties).length);
    assert.equal(columns.get('created_date'), 'timestamptz');
    assert.equal(columns.get('manager_emails'), 'text[]');
    assert.equal(columns.get('provisioning'), 'jsonb');
    assert.equal(columns.get('enabled'), 'boolean');
  });

  test('escape characters in COPY lines that would end a field or a line', () => {
    const columns = columnsOf(collections.authenticators.schema).filter((column) =>
      ['name', 'authenticationKeys', 'description'].includes(column.member),
    );
    const line = copyLine(columns, { name: 'a\tb\nc\\d', authenticationKeys: ['x"y\\'] });
    assert.deepEqual(line.split('\t').sort(), ['\\N', '{"x\\\\"y\\\\\\\\"}', 'a\\tb\\nc\\\\d'].sort());
    assert.equal(columnText({ ...columns[0]!, type: 'jsonb' }, { a: [1] }), '{"a":[1]}');
  });
});
