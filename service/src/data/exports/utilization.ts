/** Utilization and activity: use of accounts, groups and resources, and the activities themselves. */
import type { Activity } from '#api/contract/records/activities.ts';
import { dayMs } from '#service/options.ts';
import { roundCount, type AccountFacts, type World } from '../company/world.ts';
import { activityRecord, activityCount } from '../records/activities.ts';
import { dataSet, ids, type DataSet } from './data-set.ts';
import { accessItems, accounts, groupAt, isEnabled, isoOr, type AccessItem } from './subjects.ts';

interface Used {
  readonly index: number;
  readonly account: AccountFacts;
  readonly usage: ReturnType<World['usage']>;
}

function* usedAccounts(world: World): Generator<Used, void, undefined> {
  for (const account of accounts(world)) yield { index: account.index, account, usage: world.usage(account) };
}

function* memberships(world: World): Generator<AccessItem, void, undefined> {
  for (const item of accessItems(world)) if (item.access.object === 'group') yield item;
}

function* activities(world: World): Generator<Activity, void, undefined> {
  for (let place = 0; place < activityCount(world); place += 1) {
    const activity = activityRecord(world, place);
    if (activity !== undefined) yield activity;
  }
}

function daysSince(time: number | undefined, world: World): number | undefined {
  return time === undefined ? undefined : Math.floor((world.now - time) / dayMs);
}

export const utilizationSets = {
  accountUtilization: dataSet(usedAccounts, {
    ...ids('account'),
    alias: ({ account }) => account.alias,
    applicationName: ({ account }) => account.application.name,
    enabled: ({ account }, world) => isEnabled(world, account),
    licenseType: ({ account }) => (account.isAdmin ? 'Full' : 'Standard'),
    firstActivityDate: ({ usage }) => isoOr(usage.first),
    lastActivityDate: ({ usage }) => isoOr(usage.last),
    daysSinceLastActivity: ({ usage }, world) => daysSince(usage.last, world),
    activeRounds: ({ usage }) => usage.count,
    utilizationPercent: ({ usage }) => Math.round((100 * usage.count) / roundCount),
  }),
  groupUtilizationAccounts: dataSet(memberships, {
    ...ids('access'),
    groupGlobalId: ({ access }, world) => world.ids.of('group', access.objectIndex),
    groupName: ({ access }, world) => groupAt(world, access.objectIndex).name,
    accountGlobalId: ({ account }, world) => world.ids.of('account', account.index),
    alias: ({ account }) => account.alias,
    uses: ({ access }) => access.uses,
    lastUsedDate: ({ access }) => isoOr(access.lastUsed),
    daysSinceLastUse: ({ access }, world) => daysSince(access.lastUsed, world),
    isUnused: ({ access }) => access.uses === 0,
  }),
  activityAnalysis: dataSet(activities, {
    id: ({ id }) => id,
    globalId: ({ globalId }) => globalId,
    timestamp: ({ timestamp }) => timestamp,
    activityType: ({ activityType }) => activityType,
    actorAlias: ({ analyticsActorAccountAlias }) => analyticsActorAccountAlias,
    actorGlobalId: ({ globalActorAccountId }) => globalActorAccountId,
    affectedObjectType: ({ affectedObjectType }) => affectedObjectType,
    affectedObjectName: ({ analyticsAffectedObjectName }) => analyticsAffectedObjectName,
    ipAddress: ({ ipAddress }) => ipAddress,
    isFromOffice: ({ ipAddress }) => ipAddress?.startsWith('192.0.2.'),
    hourOfDay: ({ timestamp }) => new Date(timestamp).getUTCHours(),
    errorCode: ({ errorCode }) => errorCode,
  }),
} as const satisfies Record<string, DataSet>;
