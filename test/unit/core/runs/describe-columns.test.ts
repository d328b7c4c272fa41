/** Descriptions of result columns, taken from the statement's tables if they agree. */
import assert from 'node:assert/strict';
import { suite, test } from 'node:test';
import { describeColumns } from '#core/runs/describe-columns.ts';

const tables = [
  {
    name: 'accounts',
    columns: [
      { name: 'alias', type: 'text', description: 'Name to sign in with' },
      { name: 'status', type: 'text', description: 'Whether it may sign in' },
      { name: 'created', type: 'timestamp with time zone', description: 'When it was made' },
      { name: 'id', type: 'text', description: 'Of the account' },
      { name: 'plain', type: 'text' },
    ],
  },
  { name: 'roles', columns: [{ name: 'id', type: 'text', description: 'Of the role' }] },
  { name: 'unread' },
];

function described(statement: string, columns: readonly (readonly [string, string])[]) {
  return describeColumns(
    columns.map(([name, type]) => ({ name, type })),
    { statement, tables },
  ).map(({ description }) => description);
}

suite('descriptions of result columns', () => {
  test('are those of the only table with that column', () => {
    assert.deepEqual(
      described('SELECT alias, created, plain FROM Accounts JOIN unread USING (x)', [
        ['alias', 'varchar(40)'],
        ['created', 'timestamptz'],
        ['plain', 'text'],
        ['other', 'text'],
      ]),
      ['Name to sign in with', 'When it was made', undefined, undefined],
    );
  });

  test('are missing if tables disagree, the kind differs, or the table is not in the statement', () => {
    assert.deepEqual(described('SELECT id FROM accounts, roles', [['id', 'text']]), [undefined]);
    assert.deepEqual(described('SELECT id FROM accounts', [['id', 'text']]), ['Of the account']);
    assert.deepEqual(described('SELECT count(*) AS status FROM accounts', [['status', 'int8']]), [undefined]);
    assert.deepEqual(described('SELECT alias FROM accounts_archive', [['alias', 'text']]), [undefined]);
  });
});
