/** Activities that applications report about this service's changes. */
import type { Activity, ActivityType } from '#api/contract/records/activities.ts';
import { accessEverAt } from '../company/access-facts.ts';
import { applications } from '../company/words.ts';
import { iso, type World } from '../company/world.ts';
import { groupName } from '../records/access.ts';
import { localId, recordBase } from '../records/record.ts';
import type { ChangeActivity } from './changes.ts';

interface Thing {
  readonly kind: 'account' | 'group' | 'assignedapplication';
  readonly index: number;
}

interface Report {
  readonly type: ActivityType;
  readonly sentence: string;
  readonly applicationIndex: number;
  readonly affected: Thing;
  /** The account or other object whose access changes. */
  readonly other?: Thing;
}

const objectTypes = {
  account: 'Account',
  group: 'UserGroup',
  assignedapplication: 'AssignedApplication',
} as const;

/** @param index position among all activities */
export function changeActivityRecord(
  world: World,
  index: number,
  { change, at }: ChangeActivity,
): Activity | undefined {
  const report = reportOf(world, change);
  if (report === undefined) return undefined;
  const { type, sentence, applicationIndex, affected, other } = report;
  const key = (applications[applicationIndex] ?? applications[0]).key;
  return {
    ...recordBase(world, {
      kind: 'activity',
      index,
      applicationIndex,
      profile: 'Activity',
      type: 'Activity',
    }),
    timestamp: iso(at),
    activityType: type,
    activity: sentence,
    applicationActivityType: `${key}.${type.toLowerCase()}`,
    activatedPermissionsAvailable: false,
    affectedObjectId: localId(affected.kind, affected.index),
    globalAffectedObjectId: world.ids.of(affected.kind, affected.index),
    affectedObjectType: objectTypes[affected.kind],
    analyticsAffectedObjectName: nameOf(world, affected),
    secondaryAffectedObjects: other === undefined ? [] : [secondary(other)],
    globalSecondaryAffectedObjects: other === undefined ? [] : [world.ids.of(other.kind, other.index)],
    analyticsSecondaryAffectedObjectNames: other === undefined ? [] : [nameOf(world, other)],
    ...(type === 'AccessTo.Deleted' && other !== undefined
      ? {
          platformActivityTypeSpecificData: {
            fromId: localId(other.kind, other.index),
            toId: localId(affected.kind, affected.index),
          },
        }
      : {}),
    // The actor is the service itself, not an account of the company.
    analyticsActorAccountName: 'Identity and Access Data Service',
    analyticsActorAccountType: 'Service',
  };
}

function reportOf(world: World, change: ChangeActivity['change']): Report | undefined {
  switch (change.kind) {
    case 'disable':
      return {
        type: 'Account.Disabled',
        sentence: 'Disabled an account',
        applicationIndex: world.account(change.account).applicationIndex,
        affected: { kind: 'account', index: change.account },
      };
    case 'revoke': {
      const access = accessEverAt(world, change.place);
      if (access === undefined) return undefined;
      return {
        type: 'AccessTo.Deleted',
        sentence: 'Took an application away',
        applicationIndex: access.objectIndex,
        affected: { kind: 'assignedapplication', index: access.objectIndex },
        other: { kind: access.entity, index: access.entityIndex },
      };
    }
    case 'join':
    case 'leave':
      return {
        type: change.kind === 'join' ? 'Authorization.Access.Granted' : 'Authorization.Access.Revoked',
        sentence: change.kind === 'join' ? 'Added a member to a group' : 'Removed a member from a group',
        applicationIndex: 0,
        affected: { kind: 'group', index: change.group },
        other: { kind: 'account', index: change.account },
      };
  }
}

function nameOf(world: World, { kind, index }: Thing): string {
  switch (kind) {
    case 'account':
      return world.account(index).alias;
    case 'group':
      return groupName(index);
    case 'assignedapplication':
      return (applications[index] ?? applications[0]).name;
  }
}

function secondary({ kind, index }: Thing): { objectId: string; objectType: string } {
  return { objectId: localId(kind, index), objectType: objectTypes[kind] };
}
