/** Access assignments, links from people to employee records, and groups. */
import type { EntityAssignedAccessToObject, PersonIsEmployee } from '#api/contract/records/access.ts';
import { dayMs } from '#service/options.ts';
import { accessAt, type Access } from '../company/access-facts.ts';
import { applications } from '../company/words.ts';
import { iso, type World } from '../company/world.ts';
import { entitlement } from './entitlements.ts';
import { localId, recordBase } from './record.ts';
import { roleFacts } from './roles.ts';

const kinds = {
  account: { kind: 'account', type: 'Account' },
  group: { kind: 'group', type: 'UserGroup' },
  role: { kind: 'role', type: 'Role' },
  application: { kind: 'instance', type: 'IntegratedApplication' },
  'assigned-application': { kind: 'assignedapplication', type: 'AssignedApplication' },
} as const;

/** Returns the name of the object that the access applies to. */
export function objectName(world: World, access: Access): string {
  switch (access.object) {
    case 'role':
      return roleFacts(world, access.objectIndex).name;
    case 'group':
      return groupName(access.objectIndex);
    case 'application':
    case 'assigned-application':
      return (applications[access.objectIndex] ?? applications[0]).name;
  }
}

export function groupName(index: number): string {
  const application = applications[1 + (index % (applications.length - 1))] ?? applications[0];
  return `${application.name} users ${Math.floor(index / (applications.length - 1)) + 1}`;
}

export function accessRecord(world: World, index: number): EntityAssignedAccessToObject | undefined {
  const access = accessAt(world, index);
  if (access === undefined) return undefined;
  const entity = kinds[access.entity];
  const object = kinds[access.object];
  const resource =
    access.object === 'role' ? roleFacts(world, access.objectIndex).resource : objectName(world, access);
  const { isPrivileged } = access;
  const specification = (ids: 'local' | 'global') =>
    entitlement(world, { topic: 'entitlement', index, resource, isPrivileged, ids });
  const isFederated = access.object === 'assigned-application';
  return {
    ...recordBase(world, {
      kind: 'access',
      index,
      applicationIndex: access.applicationIndex,
      profile: 'EntityAssignedAccessToObject',
      type: 'EntityAssignedAccessToObject',
    }),
    entityId: localId(entity.kind, access.entityIndex),
    entityType: entity.type,
    assignedObjectId: localId(object.kind, access.objectIndex),
    assignedObjectType: object.type,
    entitlementSpecification: specification('local'),
    globalEntityId: world.ids.of(entity.kind, access.entityIndex),
    globalEntityType: `Platform_${entity.type}`,
    globalAssignedObjectId: world.ids.of(object.kind, access.objectIndex),
    globalAssignedObjectType: `Platform_${object.type}`,
    globalEntitlementSpecification: specification('global'),
    federationSpecification: {
      isFederated,
      ...(isFederated
        ? { connectionType: 'Source', sourceAuthenticationKey: 'email', targetAuthenticationKey: 'email' }
        : {}),
    },
    analyticsLoginEventCount: access.object === 'role' ? 0 : access.uses,
    analyticsResourceAccessEventCount: access.object === 'role' ? access.uses : 0,
    ...(access.firstUsed === undefined ? {} : { analyticsFirstActivityDate: iso(access.firstUsed) }),
    ...(access.lastUsed === undefined
      ? {}
      : {
          analyticsLastActivityDate: iso(access.lastUsed),
          analyticsDaysSinceLastActivity: Math.floor((world.now - access.lastUsed) / dayMs),
        }),
  };
}

export function personLinkRecord(world: World, index: number): PersonIsEmployee | undefined {
  // Contractors have no employee record.
  if (world.person(index).isContractor) return undefined;
  return {
    ...recordBase(world, {
      kind: 'personlink',
      index,
      applicationIndex: 0,
      profile: 'PersonIsEmployee',
      type: 'PersonIsEmployee',
    }),
    employeeId: localId('employee', index),
    personId: localId('person', index),
    globalEmployeeId: world.ids.of('employee', index),
    globalPersonId: world.ids.of('person', index),
  };
}
