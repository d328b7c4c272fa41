/** Account records. */
import type { Account } from '../../../api/contract/accounts.ts';
import { dayMs } from '../options.ts';
import { activeMethods } from './authenticators.ts';
import { localId, recordBase } from './record.ts';
import { accountRoleName } from './roles.ts';
import { iso, type AccountFacts, type World } from './world.ts';

const password = { type: 'Password', description: 'Password' };
const signOn = { type: 'SSO', description: 'Single sign-on through the directory' };

export function accountRecord(world: World, index: number): Account {
  const { chance } = world;
  const account = world.account(index);
  const { person, kind, application } = account;
  const isPerson = person !== undefined;
  const usage = world.usage(account);
  const disabledAt = world.changes.disabledAccounts.get(index);
  const modifiedAt = person?.leftAt ?? account.createdAt + chance.below(100, 'modified', index) * dayMs;
  const passwordAt = account.createdAt + chance.unit('password', index) * (world.now - account.createdAt);
  const creator = creatorIndex(world, account);
  const roleName = accountRoleName(account.applicationIndex, account.roleIndex);
  const hasDirectoryEntry = isPerson && kind !== 'directory';
  const methods = isPerson ? activeMethods(world, person) : [];
  const isFederated = kind === 'standard' && chance.isTrue(0.85, 'federated', index);
  return {
    ...recordBase(world, {
      kind: 'account',
      index,
      applicationIndex: account.applicationIndex,
      profile: application.profile,
      type: 'Account',
    }),
    accountRole: roleName,
    accountRoleDisplayName: application.roles[account.roleIndex] ?? roleName,
    secondaryAccountRoles:
      account.isAdmin && chance.isTrue(0.2, 'second-role', index)
        ? [accountRoleName(account.applicationIndex, application.roles.length - 1)]
        : [],
    alias: account.alias,
    authenticationFunctions: kind === 'service' ? ['Programmatic'] : ['Interactive'],
    email: account.email,
    alternateEmails:
      isPerson && chance.isTrue(0.1, 'other-email', index) ? [`${person.login}@mail.example.net`] : [],
    enabled: account.isEnabled && disabledAt === undefined,
    hasAPIAccess: kind === 'service' || chance.isTrue(0.12, 'api', index),
    isAdmin: account.isAdmin,
    type: kind === 'service' ? 'Service' : 'User',
    subType: subTypeOf(kind),
    mfaRequirements: chance.isTrue(account.isAdmin ? 0.8 : 0.6, 'mfa-required', index)
      ? 'Required'
      : 'NotRequired',
    ssoRequirements: isFederated ? 'Required' : 'NotRequired',
    licenseType: account.isAdmin ? 'Full' : 'Standard',
    licenseLevel: chance.isTrue(0.7, 'paid', index) ? 'Paid' : 'Free',
    licenseStatus: account.isEnabled ? 'Active' : 'Released',
    authenticationMethods:
      kind === 'service'
        ? [{ type: 'Secret', description: 'Client secret' }]
        : [isFederated ? signOn : password, ...methods],
    enrichedMFAStatus: {
      adaptiveAuthenticationMethodSelectionPolicies: [],
      authenticationMethodSelectionPolicies: [],
      enforcementStatus: enforcementOf(world, account),
      enrolledAuthenticationMethods: { entries: methods },
      enforcedAuthenticationMethods: { entries: methods.slice(0, 1) },
      participatingEntities: hasDirectoryEntry
        ? [
            {
              objectType: 'Account',
              objectData: {
                id: localId('account', person.index),
                globalId: world.ids.of('account', person.index),
                alias: person.login,
                email: person.email,
              },
            },
          ]
        : [],
    },
    enrichedNormalizedEmail: account.email.toLowerCase(),
    enrichedSharingRiskCategory: kind === 'external' ? 'ExternalAccount' : 'InternalAccount',
    enrichedDataClassifications: ['fin', 'pay', 'dwh'].includes(application.key) ? ['Confidential'] : [],
    createdDate: iso(account.createdAt),
    lastModifiedDate: iso(disabledAt ?? Math.min(modifiedAt, world.now - dayMs)),
    lastPasswordChangedDate: iso(passwordAt),
    ...(usage.last === undefined ? {} : { lastActivityDate: iso(usage.last) }),
    ...(kind === 'external'
      ? {
          expirationDate: iso(world.now + (chance.below(400, 'expires', index) - 60) * dayMs),
          companyName: 'Partner Organization',
        }
      : {}),
    createdBy: localId('account', creator),
    globalCreatedBy: world.ids.of('account', creator),
    lastModifiedBy: localId('account', creator),
    globalLastModifiedBy: world.ids.of('account', creator),
    ...holderOf(world, account),
    ...(hasDirectoryEntry
      ? {
          directoryEntryId: localId('account', person.index),
          globalDirectoryEntryId: world.ids.of('account', person.index),
          directoryEntryFederation: { isFederated, authenticationKey: person.email },
          directoryProviderId: localId('instance', 0),
          globalDirectoryProviderId: world.instanceId(0),
          directoryProviderFederation: { isFederated, authenticationKey: 'email' },
          federationId: person.email,
        }
      : {}),
    ...(kind === 'service'
      ? { hashIdentifiers: [`sha256:${hex(world, index)}`], approvedApplicationUsages: ['Automation'] }
      : { hashIdentifiers: [], approvedApplicationUsages: [] }),
    profileMetadata: [
      {
        id: 'badge',
        name: 'badgeActive',
        namespace: application.key,
        type: 'array_boolean',
        value: [account.isEnabled],
      },
    ],
    authorizedLocations: { isInherited: true, policy: { allowAll: true, authorizedLocations: [] } },
    globalAuthorizedLocations: { isInherited: true, policy: { allowAll: true, authorizedLocations: [] } },
  };
}

/** What is known of the person who holds the account; of service accounts, who answers for them if anybody. */
function holderOf(world: World, account: AccountFacts): Partial<Account> {
  const { person, kind, index } = account;
  if (person === undefined) {
    const isOwned = kind === 'external' || world.chance.isTrue(0.6, 'owned', index);
    const owner = world.person(world.chance.below(world.personCount, 'owner', index));
    return { name: account.alias, displayName: account.alias, managerEmails: isOwned ? [owner.email] : [] };
  }
  return {
    name: person.name,
    displayName: kind === 'admin-twin' ? `${person.name} (admin)` : person.name,
    companyName: 'Example Company',
    costCenter: person.costCenter,
    countryCode: person.countryCode,
    department: person.department,
    employeeNumber: person.employeeNumber,
    jobFamily: person.jobFamily,
    jobFunction: person.department,
    title: person.title,
    managerEmails: person.managerEmail === undefined ? [] : [person.managerEmail],
  };
}

function subTypeOf(kind: AccountFacts['kind']): string {
  switch (kind) {
    case 'external':
      return 'External';
    case 'service':
      return 'Machine';
    case 'admin-twin':
      return 'Privileged';
    case 'directory':
    case 'standard':
      return 'Standard';
  }
}

function enforcementOf(world: World, account: AccountFacts): string {
  if (account.kind === 'service') return 'NotApplicable';
  return world.chance.pickWeighted(
    [
      ['AdaptiveAndEnforced', 30],
      ['Enforced', 35],
      ['NotEnforced', 35],
    ] as const,
    'enforcement',
    account.index,
  );
}

/** Somebody of the first accounts of the directory: they exist in every world. */
function creatorIndex(world: World, account: AccountFacts): number {
  return world.chance.below(Math.min(5, world.personCount), 'creator', account.index);
}

function hex(world: World, index: number): string {
  return [1, 2, 3, 4, 5, 6, 7, 8]
    .map((salt) => world.chance.bits('hash', index, salt).toString(16).padStart(8, '0'))
    .join('');
}
