/** A preview says which account a change affects, even if several have the same name. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { ServiceClient } from '#api/client/client.ts';
import { RejectedError } from '#api/client/errors.ts';
import { previewTargets } from '#core/changes/preview.ts';

/** Answers the queries of a preview from rows by table. The last value of an account is its application's ID. */
function clientWith(
  accounts: readonly unknown[][],
  applications: readonly unknown[][],
  { hasMetadata = true, reported = undefined as number | undefined } = {},
): ServiceClient {
  const execute = async ({ query_string }: { readonly query_string: string }) => {
    await Promise.resolve();
    if (query_string.includes('object_metadata')) {
      if (!hasMetadata)
        throw new RejectedError('There is no column "object_metadata".', {
          code: 'QUERY_FAILED',
          retryable: false,
          serviceMessage: '',
        });
      return { columns: [], rows: accounts.map((row) => [row[0], row.at(-1)]) };
    }
    if (query_string.includes('FROM accounts'))
      return {
        columns: [],
        rows: accounts.map((row) => row.slice(0, -1)),
        ...(reported === undefined ? {} : { rowCount: reported }),
      };
    return { columns: [], rows: query_string.includes('FROM activities') ? applications : [] };
  };
  return { queries: { execute } } as unknown as ServiceClient; // a preview calls nothing else
}

const labelsOf = async (client: ServiceClient, ids: readonly string[]) =>
  (
    await previewTargets(
      client,
      ids.map((account) => ({ kind: 'disable-account', account })),
    )
  ).map(({ label }) => label);

await test('the label of an account names its application', async () => {
  const client = clientWith(
    [
      ['id-1', 'ana', 'Ana', true, 'crm'],
      ['id-2', 'ana', 'Ana', true, 'erp'],
    ],
    [
      ['crm', 'CRM'],
      ['erp', 'ERP'],
    ],
  );
  assert.deepEqual(await labelsOf(client, ['id-1', 'id-2']), ['Ana (ana) · CRM', 'Ana (ana) · ERP']);
});

await test('accounts that are still alike show their IDs, also if the application has no name', async () => {
  const alike = [
    ['id-1', 'ana', null, true, 'crm'],
    ['id-2', 'ana', null, true, 'crm'],
  ];
  assert.deepEqual(await labelsOf(clientWith(alike, [['crm', 'CRM']]), ['id-1', 'id-2']), [
    'ana · CRM · id-1',
    'ana · CRM · id-2',
  ]);
  assert.deepEqual(await labelsOf(clientWith(alike, []), ['id-1', 'id-2']), ['ana · id-1', 'ana · id-2']);
  assert.deepEqual(await labelsOf(clientWith([], []), ['id-3']), ['id-3']);
});

await test('without applications, accounts still have their names', async () => {
  const client = clientWith([['id-1', 'ana', 'Ana', true, 'crm']], [], { hasMetadata: false });
  assert.deepEqual(await labelsOf(client, ['id-1']), ['Ana (ana) · id-1']);
});

await test('of an account that is missing in an answer without all rows, nothing is known', async () => {
  const known = async (reported: number | undefined) =>
    (
      await previewTargets(clientWith([['id-1', 'ana', 'Ana', true, 'crm']], [], { reported }), [
        { kind: 'disable-account', account: 'id-2' },
      ])
    )[0]?.isKnown;
  assert.equal(await known(undefined), false);
  assert.equal(await known(1), false);
  assert.equal(await known(2), undefined);
});
