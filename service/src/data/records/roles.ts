/** Roles with their member counts, and account roles. */
import type { roleTypes } from '#api/contract/records/roles.ts';
import { type AccountRole, type Role } from '#api/contract/records/roles.ts';
import { dayMs } from '#service/options.ts';
import { memberCountsOf } from '../company/member-counts.ts';
import { applications } from '../company/words.ts';
import { iso, type World } from '../company/world.ts';
import type { NamedRole } from '../planted/planted.ts';
import { entitlement } from './entitlements.ts';
import { localId, recordBase } from './record.ts';
import { anywhere, directoryContainer, headquartersOnly } from './structures.ts';

/** Account roles come from the applications' own lists, so their number does not depend on the company's size. */
const accountRoles = applications.flatMap((application, applicationIndex) =>
  application.roles.map((name, roleIndex) => ({ application, applicationIndex, name, roleIndex })),
);

export const accountRoleCount = accountRoles.length;

export function accountRoleName(applicationIndex: number, roleIndex: number): string {
  const application = applications[applicationIndex] ?? applications[0];
  const name = application.roles[Math.min(roleIndex, application.roles.length - 1)] ?? '';
  return `${application.key}:${name.toLowerCase().replaceAll(' ', '-')}`;
}

/** Returns the index of an account role among all account roles. */
export function accountRoleIndex(applicationIndex: number, roleIndex: number): number {
  const before = applications.slice(0, applicationIndex).reduce((sum, { roles }) => sum + roles.length, 0);
  return before + Math.min(roleIndex, (applications[applicationIndex] ?? applications[0]).roles.length - 1);
}

export function accountRoleRecord(world: World, index: number): AccountRole | undefined {
  const role = accountRoles[index];
  if (role === undefined) return undefined;
  const { application, applicationIndex, roleIndex } = role;
  const implied = (ids: 'local' | 'global') =>
    application.resources.map((resource, place) =>
      entitlement(world, {
        topic: 'implied',
        index: index * 10 + place,
        resource,
        isPrivileged: roleIndex === 0,
        ids,
      }),
    );
  // Each role's parent is the next more powerful one. The top role has no parent.
  const parents = roleIndex === 0 ? [] : [index - 1];
  return {
    ...recordBase(world, {
      kind: 'accountrole',
      index,
      applicationIndex,
      profile: 'AccountRole',
      type: 'AccountRole',
    }),
    name: accountRoleName(applicationIndex, roleIndex),
    displayName: role.name,
    impliedEntitlements: implied('local'),
    globalImpliedEntitlements: implied('global'),
    membership: parents.map((parent) => localId('accountrole', parent)),
    globalMembership: parents.map((parent) => world.ids.of('accountrole', parent)),
    ...(applicationIndex === 0 ? directoryContainer(world) : {}),
    sorPrimaryStewardEmail: world.person(applicationIndex % world.personCount).email,
  };
}

const flavours = ['Administrators', 'Operators', 'Editors', 'Auditors', 'Viewers', 'Emergency Access', 'Approvers', 'Integrators'] as const; // oxfmt-ignore

/** Returns a role's scope and name. Access assignments use them too. */
export function roleFacts(world: World, index: number) {
  const { chance } = world;
  const planted = world.planted.role(index);
  if (planted !== undefined) return plantedRoleFacts(planted);
  const applicationIndex = index % applications.length;
  const application = applications[applicationIndex] ?? applications[0];
  const round = Math.floor(index / applications.length);
  const flavour = flavours[round % flavours.length] ?? flavours[0];
  const resource = chance.pick(application.resources, 'role-resource', index);
  const isPrivileged = flavour === 'Administrators' || flavour === 'Emergency Access';
  return {
    applicationIndex,
    application,
    isPrivileged,
    name: `${application.name} ${flavour}${round < flavours.length ? '' : ` ${Math.floor(round / flavours.length) + 1}`}`,
    resource,
    reach: isPrivileged ? 150 + chance.below(1_400, 'reach', index) : 1 + chance.below(180, 'reach', index),
  };
}

/** Planted roles belong to the knowledge base. */
function plantedRoleFacts({ name, is }: NamedRole) {
  const applicationIndex = applications.findIndex(({ key }) => key === 'wiki');
  const application = applications[applicationIndex] ?? applications[0];
  const [resource] = application.resources;
  return {
    applicationIndex,
    application,
    isPrivileged: is.isAdministrative,
    name,
    resource,
    reach: is.reach,
  };
}

/** Index of a role that exists in companies of every size. */
const modeledRole = 17;

function roleType(world: World, index: number): (typeof roleTypes)[number] {
  if (index === modeledRole) return 'Modeled';
  return world.chance.pickWeighted(
    [
      ['Standard', 50],
      ['Custom', 40],
      ['Modeled', 10],
    ] as const,
    'role-type',
    index,
  );
}

function descriptionOf(
  { isPrivileged, resource, application }: ReturnType<typeof roleFacts>,
  type: (typeof roleTypes)[number],
): string {
  if (type === 'Modeled')
    return `Stands for access to ${resource} that ${application.name} gives without a role.`;
  return `${isPrivileged ? 'Full control of' : 'Work with'} ${resource} in ${application.name}.`;
}

export function roleRecord(world: World, index: number): Role {
  const { chance } = world;
  const facts = roleFacts(world, index);
  const planted = world.planted.role(index)?.is;
  const type = planted === undefined ? roleType(world, index) : 'Custom';
  const { members, active } = memberCountsOf(world).of(index);
  const creator = chance.below(Math.min(5, world.personCount), 'role-creator', index);
  const creatorFederation = { isFederated: true, authenticationKey: world.person(creator).email };
  const locations = facts.isPrivileged ? headquartersOnly : anywhere;
  const createdAt =
    planted !== undefined
      ? world.now - 400 * dayMs
      : world.now - (100 + chance.below(1_500, 'role-created', index)) * dayMs;
  return {
    ...recordBase(world, {
      kind: 'role',
      index,
      applicationIndex: facts.applicationIndex,
      profile: 'Role',
      type: 'Role',
    }),
    name: facts.name,
    applicationRoleType: facts.isPrivileged ? 'administrative' : 'functional',
    isCustom: type === 'Custom',
    type,
    description: descriptionOf(facts, type),
    createdBy: localId('account', creator),
    globalCreatedBy: world.ids.of('account', creator),
    lastModifiedBy: localId('account', creator),
    globalLastModifiedBy: world.ids.of('account', creator),
    createdDate: iso(createdAt),
    lastModifiedDate: iso(
      planted === undefined
        ? createdAt + chance.below(90, 'role-modified', index) * dayMs
        : world.now - (planted.modifiedDaysAgo ?? 300) * dayMs,
    ),
    createdByFederation: creatorFederation,
    lastModifiedByFederation: creatorFederation,
    ...(facts.applicationIndex === 0 ? directoryContainer(world) : {}),
    ...(type === 'Modeled' ? { sourceTag: 'role-model' } : {}),
    authorizedLocations: locations,
    globalAuthorizedLocations: locations,
    analyticsAccessToResourceInstancesCount: facts.reach,
    analyticsActiveMemberCount: active,
    analyticsInactiveMemberCount: members - active,
    analyticsMemberAccountsCount: members,
    analyticsMemberCount: members,
    analyticsAssignedApplicationCount: 1,
    analyticsAssignedRoleCount: 0,
    analyticsAssignedUserGroupCount: 0,
    ...(planted?.isOwned === false
      ? { analyticsOwners: [] }
      : {
          analyticsOwners: [world.person(creator).email],
          sorPrimaryStewardEmail: world.person(creator).email,
        }),
  };
}
