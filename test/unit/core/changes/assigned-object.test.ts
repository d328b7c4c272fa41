/** Access to what can be an application or a group can be removed, whatever its type is called. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { assignedObjectOf } from '#core/changes/assigned-object.ts';

const cases: readonly [readonly string[], ReturnType<typeof assignedObjectOf>][] = [
  [['assigned_application', 'Platform_AssignedApplication'], 'application'],
  [['app', 'Platform_IntegratedApplication'], 'application'],
  [['INTEGRATED APPLICATION', ''], 'application'],
  [['SaaS_App', ''], 'application'],
  [['', 'Platform_OAuthApp'], 'application'],
  [['SaaSApp', ''], 'application'],
  [['okta_apps', ''], 'application'],
  [['MAPPED_ACCOUNT', 'Appliance'], undefined],
  [['app-permission', ''], undefined],
  [['group', 'Platform_Group'], 'group'],
  [['ad_group', ''], 'group'],
  [['role', 'Platform_Role'], undefined],
  [['application_role', 'Platform_ApplicationRole'], undefined],
  [['', ''], undefined],
];

for (const [types, kind] of cases)
  test(`${types.join(' / ')} -> ${kind ?? 'neither'}`, () => assert.equal(assignedObjectOf(types), kind));
