/** A planted case and a clean case for each control in the library, in library order. */
import { accounts, people, roles, type AccountCase, type PlantedPair } from './planted-case.ts';

const dormant = { rounds: [], lastUsedDaysAgo: 200 } as const;
const recent = { rounds: [9, 10, 11] } as const;
const justNow = { rounds: [11], createdDaysAgo: 5 } as const;
const service = { kind: 'service', managers: ['employee'] } as const;
const external = { kind: 'external', managers: ['employee'], days: { expirationDate: -100 } } as const;
const admin = { isAdmin: true } as const;
const privilegedTwin = { kind: 'admin-twin', isAdmin: true } as const;
const confidential = {
  record: { enrichedDataClassifications: ['Confidential'] },
} satisfies Partial<AccountCase>;
const password = {
  record: {
    ssoRequirements: 'NotRequired',
    authenticationMethods: [{ type: 'Password', description: 'Password' }],
  },
} satisfies Partial<AccountCase>;

const leavers: readonly PlantedPair[] = [
  accounts(
    'LV-01',
    { says: 'enabled, the owner left 120 days ago', owner: 'left', ...dormant },
    { says: 'enabled, the owner left yesterday', owner: 'left-yesterday', ...dormant },
  ),
  accounts(
    'LV-02',
    { says: 'used this week, the owner left 120 days ago', owner: 'left', rounds: [11] },
    { says: 'last used 200 days ago, before the owner left', owner: 'left', ...dormant },
  ),
  accounts(
    'LV-03',
    { says: 'enabled administrator, the owner left', owner: 'left', ...admin, ...dormant },
    { says: 'disabled administrator, the owner left', owner: 'left', ...admin, ...dormant, isDisabled: true },
  ),
  accounts(
    'LV-04',
    {
      says: 'disabled, still with privileged access, the owner left',
      owner: 'left',
      isDisabled: true,
      ...dormant,
      access: [{ to: 'application', isPrivileged: true }],
    },
    {
      says: 'disabled, with ordinary access, the owner left',
      owner: 'left',
      isDisabled: true,
      ...dormant,
      access: [{ to: 'application' }],
    },
  ),
  accounts(
    'LV-05',
    { says: 'disabled 90 days ago, member of a group', isDisabled: true, ...dormant, days: { lastModifiedDate: 90 }, access: [{ to: 'group' }] },
    { says: 'disabled 3 days ago, member of a group', isDisabled: true, ...dormant, days: { lastModifiedDate: 3 }, access: [{ to: 'group' }] },
  ), // oxfmt-ignore
  people('LV-06', 'left-with-key', 'left'),
  accounts(
    'LV-07',
    { says: 'the only manager has left', managers: ['left'] },
    { says: 'one manager has left, another is still employed', managers: ['left', 'employee'] },
  ),
];

const dormantAndOrphaned: readonly PlantedPair[] = [
  accounts(
    'DO-01',
    { says: 'last used 200 days ago', ...dormant },
    { says: 'last used 70 days ago', rounds: [], lastUsedDaysAgo: 70 },
  ),
  accounts(
    'DO-02',
    { says: 'created 400 days ago and never used', rounds: [] },
    { says: 'created 5 days ago and never used', rounds: [], createdDaysAgo: 5 },
  ),
  accounts(
    'DO-03',
    { says: 'administrator, last used 200 days ago', ...admin, ...dormant },
    { says: 'administrator, used this week', ...admin, ...recent },
  ),
  accounts(
    'DO-04',
    { says: 'has no directory entry', owner: 'nobody' },
    { says: 'has no directory entry, but is external', ...external },
  ),
  accounts(
    'DO-05',
    { says: 'refers to a directory entry that does not exist', isDirectoryEntryGone: true },
    { says: 'refers to a directory entry that exists' },
  ),
  accounts(
    'DO-06',
    { says: 'expired 10 days ago, enabled', ...external, days: { expirationDate: 10 } },
    { says: 'expires in 100 days', ...external },
  ),
  accounts(
    'DO-07',
    { says: 'external, without an expiration date', ...external, days: { expirationDate: null } },
    { says: 'external, with an expiration date', ...external },
  ),
  accounts(
    'DO-08',
    { says: 'paid license, last used 200 days ago', ...dormant, record: { licenseLevel: 'Paid', licenseStatus: 'Active' } },
    { says: 'paid license, used this week', ...recent, record: { licenseLevel: 'Paid', licenseStatus: 'Active' } },
  ), // oxfmt-ignore
];

const signIn: readonly PlantedPair[] = [
  accounts(
    'MF-01',
    { says: 'administrator without an enrolled method', ...admin, factor: 'none' },
    { says: 'administrator with a security key', ...admin },
  ),
  people('MF-02', 'without-factor', 'employee'),
  accounts(
    'MF-03',
    { says: 'administrator, second factor not required', ...admin, record: { mfaRequirements: 'NotRequired' } },
    { says: 'administrator, second factor required', ...admin },
  ), // oxfmt-ignore
  accounts(
    'MF-04',
    { says: 'administrator, requirement not enforced', ...admin, enforcement: 'NotEnforced' },
    { says: 'administrator, requirement enforced', ...admin },
  ),
  accounts(
    'MF-05',
    { says: 'text messages only', factor: 'SMS' },
    { says: 'security key only', factor: 'FIDO2' },
  ),
  people('MF-06', 'enrolling-late', 'still-enrolling'),
  accounts(
    'MF-07',
    { says: 'application password, single sign-on not required', ...password },
    { says: 'single sign-on required' },
  ),
  accounts(
    'MF-08',
    { says: 'has access to confidential data, no enrolled method', factor: 'none', ...confidential },
    { says: 'has access to confidential data, with a security key', ...confidential },
  ),
];

const privilegedAccess: readonly PlantedPair[] = [
  accounts(
    'PR-01',
    { says: 'everyday account with administrator rights', ...admin },
    { says: 'separate administrator account', ...privilegedTwin },
  ),
  accounts(
    'PR-02',
    { says: 'privileged access that was never used', ...admin, access: [{ to: 'application', isPrivileged: true }] },
    { says: 'privileged access that was used this week', ...admin, access: [{ to: 'application', isPrivileged: true, isUsed: true }] },
  ), // oxfmt-ignore
  roles(
    'PR-03',
    { says: 'grants access to 600 resources, used by no member', isAdministrative: false, reach: 600 },
    { says: 'grants access to 600 resources, used by every member', isAdministrative: false, reach: 600 },
  ),
  roles(
    'PR-04',
    {
      says: 'administrative, without an owner or steward',
      isAdministrative: true,
      reach: 20,
      isOwned: false,
    },
    { says: 'administrative, with an owner', isAdministrative: true, reach: 20 },
  ),
  roles(
    'PR-05',
    { says: 'administrative, without members', isAdministrative: true, reach: 20 },
    { says: 'administrative, with a member', isAdministrative: true, reach: 20 },
  ),
  accounts(
    'PR-06',
    { says: 'the only administrator of its application', ...admin, ownInstance: 0 },
    { says: 'a service account is the only administrator', ...service, ...admin, ownInstance: 1 },
  ),
  accounts(
    'PR-07',
    { says: 'administrator who works in Finance', ...admin, owner: 'accountant' },
    { says: 'administrator who works in IT', ...admin },
  ),
  accounts(
    'PR-08',
    { says: 'external, with privileged access', ...external, access: [{ to: 'application', isPrivileged: true, isUsed: true }] },
    { says: 'external, with ordinary access', ...external, access: [{ to: 'application', isUsed: true }] },
  ), // oxfmt-ignore
  accounts(
    'PR-09',
    { says: 'administrator account usable from anywhere', ...privilegedTwin, isUsableAnywhere: true },
    { says: 'administrator account restricted to headquarters', ...privilegedTwin },
  ),
  accounts(
    'PR-10',
    { says: 'privileged access, not marked as administrator', access: [{ to: 'application', isPrivileged: true, isUsed: true }] },
    { says: 'privileged access held by an administrator', ...admin, access: [{ to: 'application', isPrivileged: true, isUsed: true }] },
  ), // oxfmt-ignore
];

const serviceAccounts: readonly PlantedPair[] = [
  accounts(
    'SV-01',
    { says: 'without an owner', ...service, managers: [] },
    { says: 'with an owner', ...service },
  ),
  accounts(
    'SV-02',
    { says: 'has administrator rights', ...service, ...admin },
    { says: 'has no administrator rights', ...service },
  ),
  accounts(
    'SV-03',
    { says: 'secret is 300 days old', ...service, days: { lastPasswordChangedDate: 300 } },
    { says: 'secret is 30 days old', ...service },
  ),
  accounts(
    'SV-04',
    { says: 'signs in interactively', ...service, record: { authenticationFunctions: ['Programmatic', 'Interactive'] } },
    { says: 'signs in only programmatically', ...service },
  ), // oxfmt-ignore
  accounts(
    'SV-05',
    { says: 'last used 200 days ago', ...service, ...dormant },
    { says: 'used this week', ...service, ...recent },
  ),
  accounts(
    'SV-06',
    { says: 'person with API access and no enrolled method', record: { hasAPIAccess: true }, factor: 'none' },
    { says: 'person with API access and a security key', record: { hasAPIAccess: true } },
  ),
];

const duties: readonly PlantedPair[] = [
  people('SD-01', 'books-and-payments', 'separate-duties'),
  people('SD-02', 'payroll-and-payments', 'separate-duties'),
  people('SD-03', 'code-and-release', 'separate-duties'),
  accounts(
    'SD-04',
    {
      says: 'administers and audits the same application',
      access: [{ to: { role: 7 } }, { to: { role: 43 } }],
    },
    { says: 'edits and audits the same application', access: [{ to: { role: 31 } }, { to: { role: 43 } }] },
  ),
  accounts(
    'SD-05',
    { says: 'granted itself access', ...admin, activities: { 10: { type: 'Authorization.Access.Granted', about: 'self' } } },
    { says: 'granted access to another account', ...admin, activities: { 10: { type: 'Authorization.Access.Granted', about: 'employee' } } },
  ), // oxfmt-ignore
  people('SD-06', 'three-applications', 'separate-duties'),
];

function at(round: number, type: NonNullable<AccountCase['activities']>[number]['type']): AccountCase['activities'] {
  return { [round]: { type, about: 'employee' } };
} // oxfmt-ignore

const refused = { type: 'Authorization.Access.Denied' } as const;

const unusualActivity: readonly PlantedPair[] = [
  accounts(
    'AC-01',
    { says: 'denied access five times in 25 days', activities: { 5: refused, 6: refused, 7: refused, 8: refused, 9: refused } },
    { says: 'denied access once', activities: { 9: refused } },
  ), // oxfmt-ignore
  accounts(
    'AC-02',
    { says: 'acted as another account this week', ...admin, activities: at(11, 'Account.Impersonated') },
    { says: 'acted as another account 50 days ago', ...admin, activities: at(1, 'Account.Impersonated') },
  ),
  accounts(
    'AC-03',
    { says: 'stopped requiring a second factor', ...admin, activities: at(11, 'Authentication.Policy.MFA.NotRequired') },
    { says: 'started requiring a second factor', ...admin, activities: at(11, 'Authentication.Policy.MFA.Required') },
  ), // oxfmt-ignore
  accounts(
    'AC-04',
    { says: 'administrator account that signed in from outside the offices', ...privilegedTwin, activities: { 11: { type: 'Login.Success', isOutside: true } } },
    { says: 'administrator account that signed in from an office', ...privilegedTwin },
  ), // oxfmt-ignore
  accounts(
    'AC-05',
    {
      says: 'disabled 30 days ago, active this week',
      isDisabled: true,
      rounds: [11],
      days: { lastModifiedDate: 30 },
    },
    {
      says: 'disabled 30 days ago, active only before that',
      isDisabled: true,
      rounds: [2],
      days: { lastModifiedDate: 30 },
    },
  ),
  accounts(
    'AC-06',
    { says: 'active this week, previously active 55 days ago', rounds: [0, 11] },
    { says: 'active every week' },
  ),
  accounts(
    'AC-07',
    { says: 'removed a sign-in method and added none', activities: { 6: { type: 'Authentication.Methods.Removed' } } },
    { says: 'removed a sign-in method and added a different one', activities: { 6: { type: 'Authentication.Methods.Removed' }, 8: { type: 'Authentication.Methods.Added' } } },
  ), // oxfmt-ignore
];

const changes: readonly PlantedPair[] = [
  accounts(
    'DR-01',
    { says: 'administrator, created 5 days ago', ...admin, ...justNow },
    { says: 'administrator, created 400 days ago', ...admin },
  ),
  accounts(
    'DR-02',
    { says: "changed an account's role this week", ...admin, activities: at(11, 'Account.AccountRoleChanged') },
    { says: "changed an account's role 50 days ago", ...admin, activities: at(1, 'Account.AccountRoleChanged') },
  ), // oxfmt-ignore
  roles(
    'DR-03',
    { says: 'administrative, changed 5 days ago', isAdministrative: true, reach: 20, modifiedDaysAgo: 5 },
    { says: 'administrative, changed 100 days ago', isAdministrative: true, reach: 20, modifiedDaysAgo: 100 },
  ),
  accounts(
    'DR-04',
    { says: 'created 5 days ago', ...service, ...justNow },
    { says: 'created 400 days ago', ...service },
  ),
  accounts(
    'DR-05',
    { says: 'created 5 days ago', ...external, ...justNow },
    { says: 'created 400 days ago', ...external },
  ),
  accounts(
    'DR-06',
    { says: 'enabled an account this week', ...admin, activities: at(11, 'Account.Enabled') },
    { says: 'enabled an account 50 days ago', ...admin, activities: at(1, 'Account.Enabled') },
  ),
];

export const plantedPairs: readonly PlantedPair[] = [
  ...leavers,
  ...dormantAndOrphaned,
  ...signIn,
  ...privilegedAccess,
  ...serviceAccounts,
  ...duties,
  ...unusualActivity,
  ...changes,
];

/** Accounts of the people in the cases above. */
export const heldAccounts: readonly (AccountCase & { readonly name: string })[] = [
  {
    name: 'sd-01-planted',
    says: 'bookkeeper and payment approver',
    owner: 'books-and-payments',
    application: 'fin',
    roleIndex: 2,
    record: { secondaryAccountRoles: ['fin:payment-approver'] },
  },
  { name: 'sd-02-planted', says: 'payroll administrator', owner: 'payroll-and-payments', application: 'pay', roleIndex: 0 },
  { name: 'sd-02-planted', says: 'payment approver', owner: 'payroll-and-payments', application: 'fin', roleIndex: 1 },
  { name: 'sd-03-planted', says: 'developer', owner: 'code-and-release', application: 'code', roleIndex: 2 },
  { name: 'sd-03-planted', says: 'release manager', owner: 'code-and-release', application: 'ci', roleIndex: 1 },
  { name: 'sd-06-planted', says: 'administrator', owner: 'three-applications', application: 'wiki', isAdmin: true },
  { name: 'sd-06-planted', says: 'administrator', owner: 'three-applications', application: 'chat', isAdmin: true },
  { name: 'sd-06-planted', says: 'administrator', owner: 'three-applications', application: 'tick', isAdmin: true },
  { name: 'sd-01-clean', says: 'bookkeeper', owner: 'separate-duties', application: 'fin', roleIndex: 2 },
  { name: 'sd-02-clean', says: 'payroll administrator', owner: 'separate-duties', application: 'pay', roleIndex: 0 },
  { name: 'sd-03-clean', says: 'developer', owner: 'separate-duties', application: 'code', roleIndex: 2 },
  { name: 'sd-06-clean', says: 'administrator', owner: 'separate-duties', application: 'wiki', isAdmin: true },
  { name: 'sd-06-clean', says: 'administrator', owner: 'separate-duties', application: 'chat', isAdmin: true },
  { name: 'pr-03-member', says: 'does not use the role', access: [{ to: { plantedRole: 'pr-03-planted' } }] },
  { name: 'pr-03-user', says: 'uses the role', access: [{ to: { plantedRole: 'pr-03-clean' }, isUsed: true }] },
  { name: 'pr-05-member', says: 'has the role', access: [{ to: { plantedRole: 'pr-05-clean' }, isUsed: true }] },
]; // oxfmt-ignore
