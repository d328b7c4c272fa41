/**
 * Identities and employees: people, their accounts and groups, and how their access compares with their peers' access.
 */
import { countries } from '../company/words.ts';
import { iso, type World } from '../company/world.ts';
import { objectName } from '../records/access.ts';
import { dataSet, ids, type DataSet } from './data-set.ts';
import {
  accessItems,
  accountColumns,
  accounts,
  applicationName,
  employees,
  groups,
  isEnabled,
  people,
  within,
  type AccessItem,
} from './subjects.ts';

function* accessOfPeople(world: World): Generator<AccessItem, void, undefined> {
  for (const item of accessItems(world)) if (item.account.person !== undefined) yield item;
}

/** Returns the percentage of people in the department who have the same access. */
function peerPercent({ index, access }: AccessItem, world: World): number {
  return Math.floor((access.uses > 0 ? 35 : 5) + world.chance.unit('peers', index) * 60);
}

export const identitySets = {
  identities: dataSet(people, {
    ...ids('person'),
    name: ({ name }) => name,
    givenName: ({ givenName }) => givenName,
    familyName: ({ familyName }) => familyName,
    email: ({ email }) => email,
    identityType: ({ isContractor }) => (isContractor ? 'Contractor' : 'Employee'),
    countryCode: ({ countryCode }) => countryCode,
    status: ({ leftAt }) => (leftAt === undefined ? 'Active' : 'Inactive'),
  }),
  employees: dataSet(employees, {
    ...ids('employee'),
    employeeNumber: ({ employeeNumber }) => employeeNumber,
    personGlobalId: ({ index }, world) => world.ids.of('person', index),
    name: ({ name }) => name,
    email: ({ email }) => email,
    department: ({ department }) => department,
    costCenter: ({ costCenter }) => costCenter,
    jobFamily: ({ jobFamily }) => jobFamily,
    title: ({ title }) => title,
    managerEmail: ({ managerEmail }) => managerEmail,
    countryCode: ({ countryCode }) => countryCode,
    hireDate: ({ joinedAt }) => iso(joinedAt),
    terminationDate: ({ leftAt }) => (leftAt === undefined ? undefined : iso(leftAt)),
  }),
  employeeAccessInsights: dataSet(accessOfPeople, {
    ...ids('access'),
    ...within(({ account }: AccessItem) => account, accountColumns),
    employeeNumber: ({ account }) => account.person?.employeeNumber,
    department: ({ account }) => account.person?.department,
    accessTo: ({ access }, world) => objectName(world, access),
    peersWithSameAccessPercent: peerPercent,
    usedInLast60Days: ({ access }) => access.uses > 0,
    insight: (item, world) => {
      if (item.access.uses > 0) return peerPercent(item, world) < 50 ? 'UnusualButUsed' : 'Expected';
      return peerPercent(item, world) < 30 ? 'UnusualAndUnused' : 'Unused';
    },
  }),
  applicationAccounts: dataSet(accounts, {
    ...ids('account'),
    applicationName: ({ application }) => application.name,
    alias: ({ alias }) => alias,
    email: ({ email }) => email,
    displayName: ({ person, alias }) => person?.name ?? alias,
    status: (account, world) => (isEnabled(world, account) ? 'Enabled' : 'Disabled'),
    region: ({ index }) => countries[index % countries.length],
  }),
  userGroup: dataSet(groups, {
    ...ids('group'),
    name: ({ name }) => name,
    source: () => 'Company Directory',
    groupType: ({ index }) => (index % 4 === 3 ? 'Dynamic' : 'Assigned'),
    grantsApplication: ({ applicationIndex }) => applicationName(applicationIndex),
    ownerEmail: ({ ownerEmail }) => ownerEmail,
  }),
} as const satisfies Record<string, DataSet>;
