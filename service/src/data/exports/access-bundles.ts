/** Access bundles: applications and groups that people in a department receive together. */
import { dayMs } from '#service/options.ts';
import { applications, departments } from '../company/words.ts';
import { iso, type World } from '../company/world.ts';
import { dataSet, ids, type Columns, type DataSet } from './data-set.ts';
import { applicationName, groupAt, within, type Group } from './subjects.ts';

interface Bundle {
  readonly index: number;
  readonly name: string;
  readonly isBirthright: boolean;
}

const names = [
  'Everybody',
  'Contractors',
  ...new Set(departments.map((department) => department.name)),
] as const;

function bundles(): Bundle[] {
  return names.map((name, index) => ({ index, name: `${name} basics`, isBirthright: index < 2 }));
}

function applicationsOf({ index }: Bundle): number[] {
  const chosen = [0, 1, 2].map((step) => (index * 3 + step * 5) % applications.length);
  return [...new Set(chosen)];
}

function groupsOf(world: World, { index }: Bundle): Group[] {
  return [0, 1].map((step) => groupAt(world, (index + step * names.length) % world.groupCount));
}

interface Part {
  /** Index among the parts of all bundles. */
  readonly index: number;
  readonly bundle: Bundle;
  readonly application: number;
  /** Absent if the part is the application itself. */
  readonly group?: Group;
}

function* parts(world: World): Generator<Part, void, undefined> {
  let index = 0;
  for (const bundle of bundles()) {
    for (const application of applicationsOf(bundle)) yield { index: index++, bundle, application };
    for (const group of groupsOf(world, bundle))
      yield { index: index++, bundle, group, application: group.applicationIndex };
  }
}

function partsWith(isOfGroup: boolean) {
  return function* (world: World): Generator<Part, void, undefined> {
    for (const part of parts(world)) if ((part.group !== undefined) === isOfGroup) yield part;
  };
}

const ofBundle: Columns<Part> = {
  bundleGlobalId: ({ bundle }, world) => world.ids.of('bundle', bundle.index),
  bundleName: ({ bundle }) => bundle.name,
};

const bundleColumns: Columns<Bundle> = {
  ...ids('bundle'),
  name: ({ name }) => name,
  description: ({ name }) => `Access granted together as "${name}".`,
  assignment: ({ isBirthright }) => (isBirthright ? 'Birthright' : 'Requestable'),
  status: ({ index }) => (index === names.length - 1 ? 'Draft' : 'Published'),
  ownerEmail: ({ index }, world) => world.person(index % world.personCount).email,
  applicationCount: (bundle) => applicationsOf(bundle).length,
  groupCount: (bundle, world) => groupsOf(world, bundle).length,
  requiresApproval: ({ isBirthright }) => !isBirthright,
  maximumDays: ({ isBirthright }) => (isBirthright ? undefined : 365),
  createdDate: ({ index }, world) =>
    iso(world.now - (200 + world.chance.below(600, 'bundle-created', index)) * dayMs),
};

export const accessBundleSets = {
  accessBundles: dataSet(bundles, bundleColumns),
  accessBundleApplications: dataSet(partsWith(false), {
    ...ids('bundlepart'),
    ...ofBundle,
    applicationInstanceId: ({ application }, world) => world.instanceId(application),
    applicationName: ({ application }) => applicationName(application),
    accountRole: ({ application }) => applications[application]?.roles.at(-1),
    createsAccount: ({ application }) => application !== 0,
  }),
  accessBundleDetails: dataSet(parts, {
    ...ids('bundlepart'),
    ...ofBundle,
    assignment: ({ bundle }) => (bundle.isBirthright ? 'Birthright' : 'Requestable'),
    itemType: ({ group }) => (group === undefined ? 'AssignedApplication' : 'UserGroup'),
    itemName: ({ group, application }) => group?.name ?? applicationName(application),
    applicationName: ({ application }) => applicationName(application),
    isPrivileged: () => false,
  }),
  accessBundleGroups: dataSet(partsWith(true), {
    ...ids('bundlepart'),
    ...ofBundle,
    ...within((part: Part & { readonly group?: Group }) => part.group, {
      groupGlobalId: (group, world) => group && world.ids.of('group', group.index),
      groupName: (group) => group?.name,
      groupOwnerEmail: (group) => group?.ownerEmail,
    } satisfies Columns<Group | undefined>),
    applicationName: ({ application }) => applicationName(application),
  }),
} as const satisfies Record<string, DataSet>;
