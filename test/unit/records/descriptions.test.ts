/** Descriptions of fields are shown to users, so they name no assumptions of this project. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import * as access from '#api/contract/records/access.ts';
import * as accounts from '#api/contract/records/accounts.ts';
import * as activities from '#api/contract/records/activities.ts';
import * as authenticators from '#api/contract/records/authenticators.ts';
import * as roles from '#api/contract/records/roles.ts';
import * as shared from '#api/contract/records/shared.ts';

await test('no description of a field names an assumption', () => {
  const schemas = JSON.stringify([access, accounts, activities, authenticators, roles, shared]);
  const descriptions = [...schemas.matchAll(/"description":"((?:[^"\\]|\\.)*)"/g)].map(
    ([, text]) => text ?? '',
  );
  assert.ok(descriptions.length > 50);
  assert.deepEqual(
    descriptions.filter((text) => text.includes('assumption')),
    [],
  );
});
