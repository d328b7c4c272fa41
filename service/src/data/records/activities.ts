/** Creates activity records, ordered by time. */
import type { Activity, ActivityType } from '#api/contract/records/activities.ts';
import { changeActivityRecord } from '../changes/change-activities.ts';
import { accessAt, accessPlaces } from '../company/access-facts.ts';
import { browsers, systems } from '../company/words.ts';
import { iso, roundCount, type AccountFacts, type World } from '../company/world.ts';
import { objectName } from './access.ts';
import { subTypeOf } from './accounts.ts';
import { localId, recordBase } from './record.ts';
import { accountRoleIndex, accountRoleName } from './roles.ts';
import { directoryContainer, metadataItem, officeOf, scopedPermissions } from './structures.ts';

export function activityCount(world: World): number {
  return seededActivityCount(world) + world.changes.activities.length;
}

/** Returns the number of activities in the seed. Reports about changes follow. */
export function seededActivityCount(world: World): number {
  return roundCount * world.accountCount;
}

const ofPeople = [
  ['Login.Success', 55],
  ['Authorization.Access.Authorized', 18],
  ['Authorization.Access.Denied', 5],
  ['Authorization.Access.Requested', 4],
  ['Authorization.Access.Granted', 3],
  ['Authentication.Methods.Added', 2],
  ['Authentication.Methods.Removed', 1],
  ['Authorization.Access.Updated', 2],
] as const satisfies readonly (readonly [ActivityType, number])[];

const ofAdmins = [
  ['Login.Success', 30],
  ['Account.Enabled', 6],
  ['Account.Disabled', 8],
  ['Account.AccountRoleChanged', 12],
  ['Authorization.Access.Granted', 16],
  ['Authorization.Access.Revoked', 8],
  ['Authentication.Policy.MFA.NotRequired', 2],
  ['Authentication.Policy.MFA.Required', 3],
  ['Authentication.Methods.ResetAllowed', 3],
  ['Account.Impersonated', 1],
] as const satisfies readonly (readonly [ActivityType, number])[];

const ofServices = [
  ['Login.Success', 40],
  ['Authorization.Access.Authorized', 45],
  ['Authorization.Access.Denied', 8],
  ['Authentication.Secret.Rotated', 4],
  ['Authentication.Secret.Added', 2],
] as const satisfies readonly (readonly [ActivityType, number])[];

export function activityRecord(world: World, index: number): Activity | undefined {
  const { chance } = world;
  const reported = world.changes.activities[index - seededActivityCount(world)];
  if (reported !== undefined) return changeActivityRecord(world, index, reported);
  const { accountIndex, round } = world.actorAt(index);
  const actor = world.account(accountIndex);
  if (!world.isActive(actor, round)) return undefined;
  const planted = actor.planted?.is.activities?.[round];
  const type: ActivityType =
    actor.planted !== undefined
      ? (planted?.type ?? 'Login.Success')
      : actor.kind === 'service'
        ? chance.pickWeighted(ofServices, 'activity', index)
        : chance.pickWeighted(actor.isAdmin ? ofAdmins : ofPeople, 'activity', index);
  const target =
    planted?.about === undefined ? targetOf(world, index) : targetOfCase(world, actor, planted.about);
  const affected = affectedObject(world, { actor, type, target });
  const [browserName, browserVersion] = chance.pick(browsers, 'browser', accountIndex);
  const [osName, osVersion] = chance.pick(systems, 'system', accountIndex);
  const isInteractive = actor.kind !== 'service';
  const failure = failureOf(world, index, type);
  const ipAddress = addressOf(world, index, actor);
  return {
    ...recordBase(world, {
      kind: 'activity',
      index,
      applicationIndex: actor.applicationIndex,
      profile: 'Activity',
      type: 'Activity',
    }),
    timestamp: iso(world.activityTime(index)),
    activityType: type,
    activity: sentences[type] ?? type,
    applicationActivityType: `${actor.application.key}.${type.toLowerCase()}`,
    ...permissionsOf(world, actor, type),
    activityMetadata: [],
    actorAccountId: localId('account', accountIndex),
    globalActorAccountId: world.ids.of('account', accountIndex),
    actorAuthenticationContext: sessionOf(world, index),
    actorAuthenticationMethods: isInteractive ? ['Password'] : ['Secret'],
    authenticationContextHistory: [],
    affectedObjectId: affected.id,
    globalAffectedObjectId: affected.globalId,
    affectedObjectType: affected.type,
    analyticsAffectedObjectName: affected.name,
    secondaryAffectedObjects: [],
    globalSecondaryAffectedObjects: [],
    analyticsSecondaryAffectedObjectNames: [],
    ...(planted?.about !== undefined && type === 'Authorization.Access.Granted'
      ? givenTo(world, target)
      : {}),
    ipAddress,
    ...(isInteractive
      ? { browserName, browserVersion, osName, osVersion, enrichedUserAgent: `${browserName} on ${osName}` }
      : { enrichedUserAgent: 'Command line client' }),
    ...failure,
    ...(type.startsWith('Authentication.Methods.') && !type.includes('Reset')
      ? { platformActivityTypeSpecificData: { fromId: localId('account', accountIndex), toId: affected.id } }
      : {}),
    analyticsActorAccountAlias: actor.alias,
    analyticsActorAccountName: actor.person?.name ?? actor.alias,
    analyticsActorAccountType: isInteractive ? 'User' : 'Service',
    analyticsActorAccountSubType: subTypeOf(actor.kind),
    ...(actor.person === undefined
      ? {}
      : { analyticsActorEmployeeType: actor.person.isContractor ? 'Contractor' : 'Employee' }),
    ...requestOf(world, actor, type),
    ...(actor.isAdmin ? auditOf(world, { index, actor, type, ipAddress, target }) : {}),
  };
}

/**
 * Returns the permissions used by an activity: listed if it was authorized, empty if it was denied, otherwise not
 * available.
 */
function permissionsOf(
  world: World,
  { kind, application }: AccountFacts,
  type: ActivityType,
): Partial<Activity> {
  const { key } = application;
  if (type !== 'Authorization.Access.Authorized') {
    return {
      activatedPermissionsAvailable: type === 'Authorization.Access.Denied',
      activatedPermissionSets: [],
      globalActivatedPermissionSets: [],
      enrichedActivatedPermissionFlags: [],
    };
  }
  const isService = kind === 'service';
  const used = (ids: 'local' | 'global') =>
    isService
      ? scopedPermissions(world, { key, ids })
      : { fineGrainedResourceClass: 'Resource', isRead: true };
  return {
    activatedPermissionsAvailable: true,
    activatedPermissionSets: [used('local')],
    globalActivatedPermissionSets: [used('global')],
    enrichedActivatedPermissionFlags: isService ? [1, 16] : [1],
    ...(isService
      ? { actorAuthenticationScopes: { specifiers: [`${key}.read`, `${key}.run`], type: 'OAuth' } }
      : {}),
  };
}

/** People always request access for themselves. */
function requestOf(world: World, { index, email }: AccountFacts, type: ActivityType): Partial<Activity> {
  if (type !== 'Authorization.Access.Requested') return {};
  return {
    requestorAccountId: localId('account', index),
    globalRequestorAccountId: world.ids.of('account', index),
    requestorAccountFederation: { isFederated: false, authenticationKey: email },
  };
}

/** Logs are more detailed for administrators. */
function auditOf(
  world: World,
  about: {
    readonly index: number;
    readonly actor: AccountFacts;
    readonly type: ActivityType;
    readonly ipAddress: string;
    readonly target: number;
  },
): Partial<Activity> {
  const { index, actor, type, ipAddress, target } = about;
  const { application } = actor;
  const actorLocation = officeOf(ipAddress);
  return {
    actorAccountFederation: { isFederated: false, authenticationKey: actor.email },
    authenticationContextHistory: [sessionOf(world, index, 1)],
    ...(actorLocation === undefined ? {} : { actorLocation }),
    ...(type === 'Login.Success' ? {} : { pageUri: `https://${application.key}.example.com/admin` }),
    ...(actor.applicationIndex === 0 ? directoryContainer(world) : {}),
    ...(type.startsWith('Account.') ? ofAccountChange(world, target, actor, type) : {}),
  };
}

function ofAccountChange(
  world: World,
  targetIndex: number,
  actor: AccountFacts,
  type: ActivityType,
): Partial<Activity> {
  const target = world.account(targetIndex);
  const federation = { affectedObjectFederation: { isFederated: false, authenticationKey: target.email } };
  if (type === 'Account.Impersonated') {
    const reference = {
      type: 'Account',
      accountReference: {
        authenticationKey: 'email',
        federationId: actor.email,
        federationProtocol: 'SAML',
      },
    };
    return {
      ...federation,
      actorImpersonatorReference: reference,
      globalActorImpersonatorReference: reference,
    };
  }
  if (type !== 'Account.AccountRoleChanged') return federation;
  const role = accountRoleIndex(target.applicationIndex, target.roleIndex);
  const name = accountRoleName(target.applicationIndex, target.roleIndex);
  return {
    ...federation,
    activityMetadata: [metadataItem(target.application.key, 'accountRole', 'string', name)],
    secondaryAffectedObjects: [
      {
        federationInformation: { isFederated: false, authenticationKey: name },
        objectId: localId('accountrole', role),
        objectType: 'AccountRole',
      },
    ],
    globalSecondaryAffectedObjects: [world.ids.of('accountrole', role)],
    analyticsSecondaryAffectedObjectNames: [name],
  };
}

function sessionOf(world: World, index: number, salt = 0): string {
  return `session-${world.chance.bits('session', index, salt).toString(36)}`;
}

/** Planted activities affect the first planted person's enabled account or the actor's own. */
function targetOfCase(world: World, actor: AccountFacts, about: 'employee' | 'self'): number {
  return about === 'self' ? actor.index : world.planted.indexOfPerson('employee');
}

function givenTo(world: World, target: number): Partial<Activity> {
  return {
    secondaryAffectedObjects: [{ objectId: localId('account', target), objectType: 'Account' }],
    globalSecondaryAffectedObjects: [world.ids.of('account', target)],
    analyticsSecondaryAffectedObjectNames: [world.account(target).alias],
  };
}

function targetOf(world: World, index: number): number {
  return world.chance.below(world.accountCount, 'target', index);
}

const sentences: Partial<Record<ActivityType, string>> = {
  'Login.Success': 'Signed in',
  'Authorization.Access.Authorized': 'Used a resource',
  'Authorization.Access.Denied': 'Was refused a resource',
  'Authorization.Access.Requested': 'Asked for access',
  'Authorization.Access.Granted': 'Gave access',
  'Authorization.Access.Revoked': 'Took access back',
  'Authorization.Access.Updated': 'Changed access',
  'Account.Enabled': 'Enabled an account',
  'Account.Disabled': 'Disabled an account',
  'Account.AccountRoleChanged': 'Changed the role of an account',
  'Account.Impersonated': 'Acted as another account',
  'Authentication.Secret.Rotated': 'Renewed a secret',
  'Authentication.Secret.Added': 'Added a secret',
};

interface Affected {
  readonly id: string;
  readonly globalId: string;
  readonly type: string;
  readonly name: string;
}

/** Returns an account for actions on accounts, otherwise an object that the actor can access. */
function affectedObject(
  world: World,
  {
    actor,
    type,
    target,
  }: { readonly actor: AccountFacts; readonly type: ActivityType; readonly target: number },
): Affected {
  if (type.startsWith('Account.')) {
    return {
      id: localId('account', target),
      globalId: world.ids.of('account', target),
      type: 'Account',
      name: world.account(target).alias,
    };
  }
  const role = type.startsWith('Authorization.')
    ? accessAt(world, actor.index * accessPlaces + 1)
    : undefined;
  if (role?.object === 'role') {
    return {
      id: localId('role', role.objectIndex),
      globalId: world.ids.of('role', role.objectIndex),
      type: 'Role',
      name: objectName(world, role),
    };
  }
  return {
    id: localId('instance', actor.applicationIndex),
    globalId: world.instanceId(actor.applicationIndex),
    type: 'IntegratedApplication',
    name: actor.application.name,
  };
}

function failureOf(world: World, index: number, type: ActivityType): Partial<Activity> {
  if (type === 'Authorization.Access.Denied')
    return { errorCode: 403, errorCodeType: 'HTTP', errorDescription: 'Not allowed' };
  return type === 'Login.Success' || !world.chance.isTrue(0.01, 'failure', index)
    ? {}
    : { errorCode: 500, errorCodeType: 'HTTP', errorDescription: 'The application failed' };
}

/** Returns an IP address, usually in an office. All come from ranges reserved for documentation (RFC 5737). */
function addressOf(world: World, index: number, actor: AccountFacts): string {
  const { chance } = world;
  if (actor.planted !== undefined) {
    const round = Math.floor(index / world.accountCount);
    return actor.planted.is.activities?.[round]?.isOutside === true ? '203.0.113.7' : '192.0.2.10';
  }
  return chance.isTrue(0.9, 'office', index)
    ? `192.0.2.${1 + chance.below(250, 'office-address', actor.index)}`
    : `203.0.113.${1 + chance.below(250, 'outside-address', index)}`;
}
