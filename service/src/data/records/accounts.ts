/** Creates account records. */
import type { Account } from '#api/contract/records/accounts.ts';
import { dayMs } from '#service/options.ts';
import { iso, type AccountFacts, type Person, type World } from '../company/world.ts';
import { withCase } from '../planted/account-case-record.ts';
import { activeMethods } from './authenticators.ts';
import { localId, recordBase } from './record.ts';
import { accountRoleName } from './roles.ts';
import {
  administratorPolicy,
  anywhere,
  directoryContainer,
  followsDirectory,
  metadataItem,
  officeAt,
  headquartersOnly,
  scopedPermissions,
} from './structures.ts';

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
  const isGuarded = kind === 'admin-twin';
  const locations = isGuarded ? headquartersOnly : anywhere;
  const profile = [metadataItem(application.key, 'badgeActive', 'array_boolean', [account.isEnabled])];
  const creatorFederation = { isFederated: true, authenticationKey: world.person(creator).email };
  const record: Account = {
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
      adaptiveAuthenticationMethodSelectionPolicies: isGuarded
        ? [{ policy: administratorPolicy, riskLevel: 'Critical' }]
        : [],
      authenticationMethodSelectionPolicies: isGuarded ? [administratorPolicy] : [],
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
          sourceTag: 'partner',
          assignedLocations: [officeAt(index)],
          expirationDate: iso(world.now + (chance.below(400, 'expires', index) - 60) * dayMs),
          companyName: 'Partner Organization',
        }
      : {}),
    createdBy: localId('account', creator),
    globalCreatedBy: world.ids.of('account', creator),
    lastModifiedBy: localId('account', creator),
    globalLastModifiedBy: world.ids.of('account', creator),
    // Federated accounts also include their creator's identity in the other system.
    ...(isFederated
      ? { createdByFederation: creatorFederation, lastModifiedByFederation: creatorFederation }
      : {}),
    ...(kind === 'directory' ? directoryContainer(world) : {}),
    ...(isGuarded ? { authenticationMethodSelectionPolicy: administratorPolicy } : {}),
    ...(isFederated && chance.isTrue(0.3, 'provisioned', index) ? { provisioning: [followsDirectory] } : {}),
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
      ? {
          hashIdentifiers: [`sha256:${hex(world, index)}`],
          approvedApplicationUsages: ['Automation'],
          approvedApplicationPermissions: [scopedPermissions(world, { key: application.key, ids: 'local' })],
        }
      : { hashIdentifiers: [], approvedApplicationUsages: [] }),
    profileMetadata: profile,
    globalProfileMetadata: profile,
    authorizedLocations: locations,
    globalAuthorizedLocations: locations,
  };
  const planted = withCase(world, account, record);
  return disabledAt === undefined ? planted : { ...planted, lastModifiedDate: iso(disabledAt) };
}

/** Returns facts about the account's holder. For service accounts: about the responsible person, if any. */
function holderOf(world: World, account: AccountFacts): Partial<Account> {
  const { person, kind, index } = account;
  if (person === undefined) {
    const isOwned = kind === 'external' || world.chance.isTrue(0.6, 'owned', index);
    const owner = world.person(world.chance.below(world.personCount, 'owner', index));
    return { name: account.alias, displayName: account.alias, managerEmails: isOwned ? [owner.email] : [] };
  }
  const specialization = /^(.+) Engineer$/.exec(person.title)?.[1];
  return {
    name: person.name,
    displayName: kind === 'admin-twin' ? `${person.name} (admin)` : person.name,
    companyName: 'Example Company',
    costCenter: person.costCenter,
    countryCode: person.countryCode,
    department: person.department,
    employeeNumber: person.employeeNumber,
    jobCode: jobCodeOf(person),
    jobFamily: person.jobFamily,
    jobFamilyGroup: person.department,
    jobFunction: person.department,
    title: person.title,
    ...(specialization === undefined ? {} : { specialization }),
    managerEmails: person.managerEmail === undefined ? [] : [person.managerEmail],
  };
}

/** Returns a job code from the job family and a number for the title, for example `ENG-4F2`. */
function jobCodeOf({ jobFamily, title }: Person): string {
  let number = 7;
  for (let at = 0; at < title.length; at += 1) number = (number * 31 + title.charCodeAt(at)) % 4096;
  return `${jobFamily.slice(0, 3).toUpperCase()}-${number.toString(16).toUpperCase().padStart(3, '0')}`;
}

export function subTypeOf(kind: AccountFacts['kind']): string {
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

/** Returns the index of one of the first directory accounts, which exist in every world. */
function creatorIndex(world: World, account: AccountFacts): number {
  return world.chance.below(Math.min(5, world.personCount), 'creator', account.index);
}

function hex(world: World, index: number): string {
  return [1, 2, 3, 4, 5, 6, 7, 8]
    .map((salt) => world.chance.bits('hash', index, salt).toString(16).padStart(8, '0'))
    .join('');
}
