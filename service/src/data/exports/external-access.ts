/** External access: partner accounts, public links, and shared resources. */
import { dayMs } from '#service/options.ts';
import { iso, type AccountFacts, type World } from '../company/world.ts';
import { dataSet, ids, type DataSet } from './data-set.ts';
import {
  accountColumns,
  accountsOfKind,
  isEnabled,
  isoOr,
  ownerEmail,
  resources,
  type Resource,
} from './subjects.ts';

/** Application resources shared with outsiders: chat, the knowledge base, customer records, and code. */
const shared = resources.filter(({ application }) =>
  ['chat', 'wiki', 'crm', 'code'].includes(application.key),
);

interface OpenLink {
  readonly index: number;
  readonly resource: Resource;
  readonly createdAt: number;
}

function* openLinks(world: World): Generator<OpenLink, void, undefined> {
  const count = Math.max(3, Math.floor(world.accountCount / 100));
  for (let index = 0; index < count; index += 1) {
    const resource = shared[index % shared.length];
    const createdAt = world.now - (1 + world.chance.below(400, 'link-created', index)) * dayMs;
    if (resource !== undefined) yield { index, resource, createdAt };
  }
}

interface SharedAsset {
  readonly index: number;
  readonly resource: Resource;
  readonly account: AccountFacts;
}

function* sharedAssets(world: World): Generator<SharedAsset, void, undefined> {
  for (const account of accountsOfKind(world, 'external')) {
    const resource = shared[world.chance.below(shared.length, 'shared', account.index)];
    if (resource !== undefined) yield { index: account.index, resource, account };
  }
}

export const externalAccessSets = {
  externalAccessUsers: dataSet((world) => accountsOfKind(world, 'external'), {
    ...ids('account'),
    ...accountColumns,
    companyName: () => 'Partner Organization',
    sponsorEmail: (account, world) => ownerEmail(world, account),
    enabled: (account, world) => isEnabled(world, account),
    expirationDate: ({ index }, world) =>
      iso(world.now + (world.chance.below(400, 'expires', index) - 60) * dayMs),
    lastActivityDate: (account, world) => isoOr(world.usage(account).last),
  }),
  externalAnonymousAccess: dataSet(openLinks, {
    ...ids('openlink'),
    resourceName: ({ resource }) => resource.name,
    applicationName: ({ resource }) => resource.application.name,
    link: ({ index, resource }) => `https://${resource.application.key}.example.com/open/${index + 1}`,
    permission: ({ index }) => (index % 5 === 4 ? 'Edit' : 'View'),
    createdByEmail: ({ index }, world) =>
      world.person(world.chance.below(world.personCount, 'link-creator', index)).email,
    createdDate: ({ createdAt }) => iso(createdAt),
    expirationDate: ({ index, createdAt }) => (index % 3 === 0 ? iso(createdAt + 500 * dayMs) : undefined),
    visitors: ({ index }, world) => world.chance.below(60, 'link-visitors', index),
  }),
  externalSharedAssets: dataSet(sharedAssets, {
    ...ids('sharedasset'),
    assetName: ({ resource }) => resource.name,
    applicationName: ({ resource }) => resource.application.name,
    sharedWithEmail: ({ account }) => account.email,
    sharedWithGlobalId: ({ account }, world) => world.ids.of('account', account.index),
    sharedByEmail: ({ account }, world) => ownerEmail(world, account),
    permission: ({ index }) => (index % 3 === 0 ? 'Edit' : 'View'),
    sharedDate: ({ account }) => iso(account.createdAt),
  }),
} as const satisfies Record<string, DataSet>;
