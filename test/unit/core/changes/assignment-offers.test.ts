/** What is offered for an access assignment, whatever columns its table has. */
import assert from 'node:assert/strict';
import { suite, test } from 'node:test';
import { offersForAssignment } from '#core/changes/assignment-offers.ts';
import { withService } from '#test/helpers/client-service.ts';
import { sendJson } from '#test/helpers/http.ts';

const ids = { global_entity_id: 'e', global_assigned_object_id: 'o' };

suite('an access assignment', () => {
  for (const [row, offer] of [
    [
      { ...ids, entity_type: 'Account', assigned_object_type: 'AssignedApplication' },
      { kind: 'remove-account-access', ids: { account: 'e', application: 'o' } },
    ],
    [
      { ...ids, entity_type: 'UserGroup', global_assigned_object_type: 'Platform_IntegratedApplication' },
      { kind: 'remove-group-access', ids: { group: 'e', application: 'o' } },
    ],
    [
      { ...ids, global_entity_type: 'Platform_Account', assigned_object_type: 'UserGroup' },
      { kind: 'remove-member', ids: { account: 'e', group: 'o' } },
    ],
    [{ ...ids, entity_type: 'Account', assigned_object_type: 'Role' }, undefined],
    [{ ...ids, assigned_object_type: 'Application' }, undefined],
    [{ ...ids, entity_type: ' ', assigned_object_type: 'Application' }, undefined],
    [{ ...ids, entity_type: 'Role', assigned_object_type: 'Application' }, undefined],
    [{ ...ids, entity_type: 'AccountGroup', assigned_object_type: 'Application' }, undefined],
    [{ ...ids, entity_type: 'AccountGroup', assigned_object_type: 'Group' }, undefined],
    [{ ...ids, global_entity_type: 'UserGroup', assigned_object_type: 'Group' }, undefined],
    [{ entity_type: 'Account', assigned_object_type: 'App', local_id: 'x' }, undefined],
  ] as const)
    test(`${JSON.stringify(row)} -> ${offer?.kind ?? 'nothing'}`, async () => {
      await withService(
        ({ body }, response) => {
          // The table has no other columns.
          const { query_string: text } = JSON.parse(body) as { readonly query_string: string };
          const unknown = text.match(/\b(?:global|entity|assigned)_\w+/g)?.filter((name) => !(name in row));
          const isOfTable = (name: string) => name === 'global_id' || name.startsWith('entity_assigned_');
          if (unknown?.every(isOfTable) === false)
            sendJson(response, 400, { code: 'QUERY_FAILED', message: `column ${unknown[0]} does not exist` });
          else {
            const columns = Object.keys(row).map((name) => ({ name, type: 'text' }));
            sendJson(response, 200, { columns, rows: [Object.values(row)], nextPageToken: null });
          }
        },
        async (client) => {
          assert.deepEqual(await offersForAssignment(client, 'g'), offer === undefined ? [] : [offer]);
        },
      );
    });
});
