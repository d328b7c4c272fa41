/** Access inventory: who has which accounts, roles, groups and resources, and when they were last used. */
import { collections } from '../collections.ts';
import { isPrivilegedRole } from '../company/access-facts.ts';
import { applications } from '../company/words.ts';
import { iso, type World } from '../company/world.ts';
import { objectName } from '../records/access.ts';
import { activeMethods } from '../records/authenticators.ts';
import { roleFacts } from '../records/roles.ts';
import { dataSet, ids, recordsOf, type DataSet } from './data-set.ts';
import {
  accessItems,
  accountColumns,
  accounts,
  accountsOf,
  accountsOfKind,
  applicationName,
  employees,
  groupAt,
  hasMfa,
  isEnabled,
  isoOr,
  ownerEmail,
  people,
  within,
  type AccessItem,
} from './subjects.ts';

function* accessTo(world: World, object: AccessItem['access']['object']): Generator<AccessItem> {
  for (const item of accessItems(world)) if (item.access.object === object) yield item;
}

const ofAccount = within(({ account }: AccessItem) => account, accountColumns);

export const accessInventorySets = {
  accessInventoryAccounts: recordsOf(collections.accounts),
  accessInventoryApplicationAccountsV2: dataSet(accounts, {
    ...ids('account'),
    ...accountColumns,
    ownerEmail: (account, world) => ownerEmail(world, account),
    accountType: ({ kind }) => (kind === 'service' ? 'Service' : 'User'),
    accountRole: ({ application, roleIndex }) => application.roles[roleIndex],
    isAdmin: ({ isAdmin }) => isAdmin,
    enabled: (account, world) => isEnabled(world, account),
    hasMfa: (account, world) => hasMfa(world, account),
    createdDate: ({ createdAt }) => iso(createdAt),
    lastActivityDate: (account, world) => isoOr(world.usage(account).last),
  }),
  accessInventoryApplicationInstancesV2: dataSet(
    () => applications.map((application, index) => ({ application, index })),
    {
      id: ({ application }) => application.key,
      globalId: ({ index }, world) => world.instanceId(index),
      name: ({ application }) => application.name,
      accountProfile: ({ application }) => application.profile,
      isDirectory: ({ index }) => index === 0,
      connection: ({ application }) => (application.key === 'pay' ? 'ReadOnly' : 'ReadWrite'),
      roleCount: ({ application }) => application.roles.length,
      resourceCount: ({ application }) => application.resources.length,
      stewardEmail: ({ index }, world) => world.person(index % world.personCount).email,
      lastGatheredDate: (_, world) => world.generatedAt,
    },
  ),
  accessInventoryEmployeesV2: dataSet(employees, {
    ...ids('employee'),
    employeeNumber: ({ employeeNumber }) => employeeNumber,
    name: ({ name }) => name,
    email: ({ email }) => email,
    department: ({ department }) => department,
    title: ({ title }) => title,
    managerEmail: ({ managerEmail }) => managerEmail,
    status: ({ leftAt }) => (leftAt === undefined ? 'Active' : 'Terminated'),
    applications: (person, world) => accountsOf(world, person).map(({ application }) => application.name),
    enabledAccounts: (person, world) =>
      accountsOf(world, person).filter((account) => isEnabled(world, account)).length,
    authenticationMethods: (person, world) => activeMethods(world, person).map(({ type }) => type),
  }),
  accessInventoryGroupsV2: dataSet((world) => accessTo(world, 'group'), {
    ...ids('access'),
    groupGlobalId: ({ access }, world) => world.ids.of('group', access.objectIndex),
    groupName: ({ access }, world) => groupAt(world, access.objectIndex).name,
    grantsApplication: ({ access }, world) =>
      applicationName(groupAt(world, access.objectIndex).applicationIndex),
    memberGlobalId: ({ account }, world) => world.ids.of('account', account.index),
    memberAlias: ({ account }) => account.alias,
    memberEmail: ({ account }) => account.email,
    lastUsedDate: ({ access }) => isoOr(access.lastUsed),
  }),
  accessInventoryIdentitiesV2: dataSet(people, {
    ...ids('person'),
    name: ({ name }) => name,
    primaryEmail: ({ email }) => email,
    identityType: ({ isContractor }) => (isContractor ? 'Contractor' : 'Employee'),
    directoryAccountGlobalId: ({ index }, world) => world.ids.of('account', index),
    accountGlobalIds: (person, world) =>
      accountsOf(world, person).map(({ index }) => world.ids.of('account', index)),
    adminAccounts: (person, world) => accountsOf(world, person).filter(({ isAdmin }) => isAdmin).length,
    isEmployed: ({ leftAt }) => leftAt === undefined,
  }),
  accessInventoryNhiV2: dataSet((world) => accountsOfKind(world, 'service'), {
    ...ids('account'),
    ...accountColumns,
    identityKind: () => 'ServiceAccount',
    ownerEmail: (account, world) => ownerEmail(world, account),
    isPrivileged: ({ isAdmin }) => isAdmin,
    enabled: (account, world) => isEnabled(world, account),
    credentialType: () => 'ClientSecret',
    credentialRotatedDate: ({ index, createdAt }, world) =>
      iso(createdAt + world.chance.unit('password', index) * (world.now - createdAt)),
    grantedScopes: ({ application }) => [`${application.key}.read`, `${application.key}.run`],
    lastActivityDate: (account, world) => isoOr(world.usage(account).last),
  }),
  accessInventoryResourceInstancesV2: dataSet((world) => accessTo(world, 'role'), {
    ...ids('access'),
    ...ofAccount,
    resourceName: ({ access }, world) => roleFacts(world, access.objectIndex).resource,
    roleGlobalId: ({ access }, world) => world.ids.of('role', access.objectIndex),
    roleName: ({ access }, world) => objectName(world, access),
    isPrivileged: ({ access }, world) => isPrivilegedRole(world, access.objectIndex),
    reachedInstances: ({ access }, world) => roleFacts(world, access.objectIndex).reach,
    lastUsedDate: ({ access }) => isoOr(access.lastUsed),
  }),
  accessInventoryRolesV2: recordsOf(collections.roles),
} as const satisfies Record<string, DataSet>;
