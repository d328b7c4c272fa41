/** Identity assessments: unused entitlements and resources, and nearly identical groups. */
import { memberCountsOf } from '../company/member-counts.ts';
import type { World } from '../company/world.ts';
import { objectName } from '../records/access.ts';
import { roleFacts } from '../records/roles.ts';
import { dataSet, ids, type DataSet } from './data-set.ts';
import { accessItems, groupAt, groups, isoOr, type Group } from './subjects.ts';

interface RoleUse {
  readonly index: number;
  readonly facts: ReturnType<typeof roleFacts>;
  readonly members: number;
  readonly active: number;
}

function* rolesInUse(world: World): Generator<RoleUse, void, undefined> {
  const counts = memberCountsOf(world);
  for (let index = 0; index < world.roleCount; index += 1)
    yield { index, facts: roleFacts(world, index), ...counts.of(index) };
}

interface GroupPair {
  readonly index: number;
  readonly group: Group;
  readonly other: Group;
  readonly percent: number;
}

/** Yields pairs of adjacent groups, which mostly overlap. */
function* similarGroups(world: World): Generator<GroupPair, void, undefined> {
  for (const group of groups(world)) {
    const other = groupAt(world, (group.index + 1) % world.groupCount);
    const percent = 60 + world.chance.below(40, 'similar', group.index);
    if (percent >= 70 || group.index === 0) yield { index: group.index, group, other, percent };
  }
}

export const assessmentSets = {
  identityAssessmentEntitlementUtilization: dataSet(accessItems, {
    ...ids('access'),
    accountGlobalId: ({ account }, world) => world.ids.of('account', account.index),
    alias: ({ account }) => account.alias,
    entitlement: ({ access }, world) => objectName(world, access),
    entitlementType: ({ access }) => access.object,
    isPrivileged: ({ access }) => access.isPrivileged,
    uses: ({ access }) => access.uses,
    firstUsedDate: ({ access }) => isoOr(access.firstUsed),
    lastUsedDate: ({ access }) => isoOr(access.lastUsed),
    recommendation: ({ access }) => {
      if (access.uses > 0) return 'Keep';
      return access.isPrivileged ? 'Remove' : 'Review';
    },
  }),
  identityAssessmentResourceInstanceUtilization: dataSet(rolesInUse, {
    ...ids('role'),
    roleName: ({ facts }) => facts.name,
    applicationName: ({ facts }) => facts.application.name,
    resourceName: ({ facts }) => facts.resource,
    reachedInstances: ({ facts }) => facts.reach,
    members: ({ members }) => members,
    activeMembers: ({ active }) => active,
    utilizationPercent: ({ members, active }) =>
      members === 0 ? undefined : Math.round((100 * active) / members),
  }),
  identityAssessmentSimilarGroups: dataSet(similarGroups, {
    ...ids('grouppair'),
    groupGlobalId: ({ group }, world) => world.ids.of('group', group.index),
    groupName: ({ group }) => group.name,
    similarGroupGlobalId: ({ other }, world) => world.ids.of('group', other.index),
    similarGroupName: ({ other }) => other.name,
    similarityPercent: ({ percent }) => percent,
    recommendation: ({ percent }) => (percent >= 90 ? 'Merge' : 'Compare'),
  }),
} as const satisfies Record<string, DataSet>;
