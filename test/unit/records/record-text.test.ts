/** Records as text: fields with descriptions, nested values, and links in both directions. */
import assert from 'node:assert/strict';
import { suite, test } from 'node:test';
import { ExactNumber } from '#api/client/json.ts';
import { Account } from '#api/contract/records/accounts.ts';
import { collectionTables, columnName } from '#api/contract/tables.ts';
import { referringQuery } from '#core/records/find-record.ts';
import { fieldsOf } from '#core/records/record-fields.ts';
import { recordText } from '#core/records/record-text.ts';
import { collections } from '#service/data/collections.ts';
import { columnsOf } from '#service/data/tables/columns.ts';

const words = {
  heading: 'Account: ada',
  readBySql: 'Read with SQL',
  emptyFields: (names: string) => `Empty: ${names}`,
  referredBy: 'Referred to by',
  reference: ({ collection, field }: { readonly collection: string; readonly field: string }) =>
    `${collection} by ${field}`,
  noReferences: 'No other record.',
  referencesProblem: undefined,
};
const id = '6c1a2e9d-2990-8638-9b31-b9c573c105b3';

suite('a record as text', () => {
  test('contains every field of the contract, the most useful ones first', () => {
    const names = fieldsOf('accounts').map(({ name }) => name);
    assert.deepEqual([...names].sort(), Object.keys(Account.properties).sort());
    assert.deepEqual(names.slice(0, 3), ['alias', 'displayName', 'email']);
    assert.deepEqual(names.slice(-2), ['objectMetadata', 'platformObjectMetadata']);
  });

  test('states if it was read through SQL', () => {
    const found = { collection: 'accounts', globalId: id, record: { alias: 'ada' } } as const;
    const draw = (more: object) =>
      recordText({ ...found, ...more }, fieldsOf('accounts'), [], words)
        .text.split('\n')
        .slice(0, 3);
    assert.deepEqual(draw({ isReadBySql: true }), ['# Account: ada', '# Read with SQL', '']);
    assert.equal(draw({})[1], '');
  });

  test('keeps every digit, has lists on one line, and indents nested values', () => {
    const record = {
      alias: 'ada',
      enabled: true,
      authenticationFunctions: ['Interactive', 'a "quoted" one'],
      enrichedMFAStatus: { enforcementStatus: 'Enforced', enrolledAuthenticationMethods: { entries: [] } },
      authenticationMethods: [{ type: 'Push', description: 'Phone' }],
      newField: new ExactNumber('9007199254740993'),
      employeeNumber: '42',
    };
    const { text } = recordText(
      { collection: 'accounts', globalId: id, record },
      fieldsOf('accounts'),
      [],
      words,
    );
    const lines = text.split('\n');
    assert.equal(lines[0], '# Account: ada');
    assert.match(text, /^alias: ada {2,}# The user name/m);
    assert.match(text, /^authenticationFunctions: \[Interactive, "a \\"quoted\\" one"\]/m);
    assert.match(
      text,
      /^enrichedMFAStatus: .*\n {2}enforcementStatus: Enforced\n {2}enrolledAuthenticationMethods:\n {4}entries: \[\]$/m,
    );
    assert.match(text, /^authenticationMethods: .*\n {2}- type: Push\n {4}description: Phone$/m);
    assert.match(text, /^newField: 9007199254740993$/m);
    assert.match(text, /^employeeNumber: "42"/m);
    assert.match(text, /^# Empty: .*displayName/m);
    assert.match(text, /^# {3}No other record\.$/m);
  });

  test('has links to records in both directions', () => {
    const record = { alias: 'ada', globalCreatedBy: id };
    const reference = { collection: 'activities', field: 'globalActorAccountId', count: 12 } as const;
    const drawn = recordText(
      { collection: 'accounts', globalId: 'g', record },
      fieldsOf('accounts'),
      [reference],
      words,
    );
    const lines = drawn.text.split('\n');
    const texts = drawn.links.map(({ line, start, end }) => lines[line]?.slice(start, end));
    assert.deepEqual(texts, [id, 'activities by globalActorAccountId']);
    assert.deepEqual(drawn.links[0]?.target, { kind: 'record', globalId: id });
  });

  test('reports a problem with references in their place', () => {
    const found = { collection: 'roles', globalId: 'g', record: { name: 'Admins' } } as const;
    const { text } = recordText(found, fieldsOf('roles'), [], {
      ...words,
      referencesProblem: 'Not known: 500',
    });
    assert.match(text, /^# {3}Not known: 500$/m);
    assert.doesNotMatch(text, /No other record/);
  });
});

suite('records in SQL', () => {
  test("match the sandbox's tables and columns", () => {
    const known = Object.values(collections);
    assert.deepEqual(known.map(({ table }) => table).sort(), Object.values(collectionTables).sort());
    for (const { table, schema } of known) {
      const columns = columnsOf(schema);
      assert.deepEqual(
        columns.map(({ name }) => name),
        columns.map(({ member }) => columnName(member)),
        table,
      );
    }
  });

  test('are found by searching in a list of references, or comparing a single one', () => {
    assert.equal(
      referringQuery({ collection: 'accountRoles', field: 'globalMembership' }),
      'SELECT * FROM account_roles WHERE :id = ANY (global_membership)',
    );
    assert.equal(
      referringQuery({ collection: 'activities', field: 'globalActorAccountId' }),
      'SELECT * FROM activities WHERE global_actor_account_id = :id',
    );
  });
});
