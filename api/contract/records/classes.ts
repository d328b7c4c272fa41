/**
 * The class of every field, which decides what an agent may see. Kept apart from the schemas, so that deciding loads no
 * schema library; a field without a class does not compile.
 */
import { collectionTables, columnName, identityModel, type CollectionId } from '../tables.ts';
import type { EntityAssignedAccessToObject, PersonIsEmployee } from './access.ts';
import type { Account } from './accounts.ts';
import type { Activity } from './activities.ts';
import type { Authenticator, AuthenticatorEnrollment } from './authenticators.ts';
import type { AccountRole, Role } from './roles.ts';

/**
 * `identifier`: an opaque ID. `harmless`: says nothing about one person, such as a type, a count or a department.
 * `personal`: holds or contains a name, an address, a user name or another key of a person. `free text`: whatever
 * somebody wrote, or a structure with such members. `secret`: proves an identity, or helps to.
 */
export const columnClasses = ['identifier', 'harmless', 'personal', 'free text', 'secret'] as const;
export type ColumnClass = (typeof columnClasses)[number];

/** Values of these classes may be read as they are. */
export const isOpenClass = (found: ColumnClass | undefined): boolean =>
  found === 'identifier' || found === 'harmless';

type Classes<Item> = Readonly<Record<keyof Item, ColumnClass>>;

const record = {
  id: 'identifier',
  globalId: 'identifier',
  objectMetadata: 'free text',
  platformObjectMetadata: 'free text',
} as const;

const account: Classes<Account> = {
  ...record,
  accountRole: 'harmless',
  alias: 'personal',
  authenticationFunctions: 'harmless',
  email: 'personal',
  enabled: 'harmless',
  hasAPIAccess: 'harmless',
  isAdmin: 'harmless',
  mfaRequirements: 'harmless',
  ssoRequirements: 'harmless',
  subType: 'harmless',
  type: 'harmless',
  enrichedMFAStatus: 'personal',
  enrichedNormalizedEmail: 'personal',
  enrichedSharingRiskCategory: 'harmless',
  accountRoleDisplayName: 'harmless',
  companyName: 'harmless',
  costCenter: 'harmless',
  countryCode: 'harmless',
  department: 'harmless',
  directoryEntryId: 'identifier',
  directoryProviderId: 'identifier',
  displayName: 'personal',
  employeeNumber: 'personal',
  federationId: 'personal',
  jobCode: 'harmless',
  jobFamily: 'harmless',
  jobFamilyGroup: 'harmless',
  jobFunction: 'harmless',
  licenseType: 'harmless',
  name: 'personal',
  sourceTag: 'harmless',
  specialization: 'harmless',
  title: 'harmless',
  createdBy: 'identifier',
  lastModifiedBy: 'identifier',
  objectDirectoryContainerId: 'identifier',
  createdDate: 'harmless',
  expirationDate: 'harmless',
  lastActivityDate: 'harmless',
  lastModifiedDate: 'harmless',
  lastPasswordChangedDate: 'harmless',
  alternateEmails: 'personal',
  approvedApplicationUsages: 'harmless',
  hashIdentifiers: 'secret',
  managerEmails: 'personal',
  secondaryAccountRoles: 'harmless',
  approvedApplicationPermissions: 'personal',
  assignedLocations: 'free text',
  authenticationMethods: 'free text',
  authenticationMethodSelectionPolicy: 'free text',
  authorizedLocations: 'free text',
  createdByFederation: 'personal',
  directoryEntryFederation: 'personal',
  directoryProviderFederation: 'personal',
  lastModifiedByFederation: 'personal',
  objectDirectoryContainerFederation: 'personal',
  licenseLevel: 'harmless',
  licenseStatus: 'harmless',
  profileMetadata: 'personal',
  provisioning: 'free text',
  globalAuthorizedLocations: 'free text',
  globalCreatedBy: 'identifier',
  globalDirectoryEntryId: 'identifier',
  globalDirectoryProviderId: 'identifier',
  globalLastModifiedBy: 'identifier',
  globalObjectDirectoryContainerId: 'identifier',
  globalProfileMetadata: 'personal',
  enrichedDataClassifications: 'harmless',
};

const role: Classes<Role> = {
  ...record,
  name: 'harmless',
  applicationRoleType: 'harmless',
  isCustom: 'harmless',
  type: 'harmless',
  description: 'free text',
  sourceTag: 'harmless',
  createdBy: 'identifier',
  lastModifiedBy: 'identifier',
  createdByFederation: 'personal',
  lastModifiedByFederation: 'personal',
  createdDate: 'harmless',
  lastModifiedDate: 'harmless',
  objectDirectoryContainerId: 'identifier',
  objectDirectoryContainerFederation: 'personal',
  authorizedLocations: 'free text',
  globalAuthorizedLocations: 'free text',
  globalCreatedBy: 'identifier',
  globalLastModifiedBy: 'identifier',
  globalObjectDirectoryContainerId: 'identifier',
  analyticsAccessToResourceInstancesCount: 'harmless',
  analyticsActiveMemberCount: 'harmless',
  analyticsAssignedApplicationCount: 'harmless',
  analyticsAssignedRoleCount: 'harmless',
  analyticsAssignedUserGroupCount: 'harmless',
  analyticsInactiveMemberCount: 'harmless',
  analyticsMemberAccountsCount: 'harmless',
  analyticsMemberCount: 'harmless',
  analyticsOwners: 'personal',
  sorPrimaryStewardEmail: 'personal',
};

const accountRole: Classes<AccountRole> = {
  ...record,
  name: 'harmless',
  displayName: 'harmless',
  impliedEntitlements: 'personal',
  globalImpliedEntitlements: 'personal',
  membership: 'identifier',
  globalMembership: 'identifier',
  objectDirectoryContainerId: 'identifier',
  objectDirectoryContainerFederation: 'personal',
  globalObjectDirectoryContainerId: 'identifier',
  sorPrimaryStewardEmail: 'personal',
};

const authenticator: Classes<Authenticator> = {
  ...record,
  // Names of fields, such as email: the keys themselves are in `accountKey`.
  authenticationKeys: 'harmless',
  authenticationMethods: 'free text',
  isActive: 'harmless',
  name: 'harmless',
  description: 'free text',
  sorPrimaryStewardEmail: 'personal',
};

const enrollment: Classes<AuthenticatorEnrollment> = {
  ...record,
  accountKey: 'personal',
  authenticationMethods: 'free text',
  enrollmentStatus: 'harmless',
  enrolledAt: 'harmless',
  revokedAt: 'harmless',
  deviceInfo: 'personal',
  sorPrimaryStewardEmail: 'personal',
};

const activity: Classes<Activity> = {
  ...record,
  timestamp: 'harmless',
  activityType: 'harmless',
  activity: 'free text',
  applicationActivityType: 'harmless',
  activatedPermissionsAvailable: 'harmless',
  activatedPermissionSets: 'personal',
  globalActivatedPermissionSets: 'personal',
  activityMetadata: 'personal',
  actorAccountId: 'identifier',
  globalActorAccountId: 'identifier',
  actorAccountFederation: 'personal',
  actorAuthenticationContext: 'secret',
  authenticationContextHistory: 'secret',
  actorAuthenticationMethods: 'harmless',
  actorAuthenticationScopes: 'free text',
  actorImpersonatorReference: 'personal',
  globalActorImpersonatorReference: 'personal',
  actorLocation: 'personal',
  requestorAccountId: 'identifier',
  globalRequestorAccountId: 'identifier',
  requestorAccountFederation: 'personal',
  affectedObjectId: 'identifier',
  globalAffectedObjectId: 'identifier',
  affectedObjectType: 'harmless',
  affectedObjectFederation: 'personal',
  secondaryAffectedObjects: 'personal',
  globalSecondaryAffectedObjects: 'identifier',
  objectDirectoryContainerId: 'identifier',
  globalObjectDirectoryContainerId: 'identifier',
  objectDirectoryContainerFederation: 'personal',
  browserName: 'harmless',
  browserVersion: 'harmless',
  osName: 'harmless',
  osVersion: 'harmless',
  ipAddress: 'personal',
  pageUri: 'free text',
  enrichedUserAgent: 'harmless',
  errorCode: 'harmless',
  errorCodeType: 'harmless',
  errorDescription: 'free text',
  platformActivityTypeSpecificData: 'free text',
  enrichedActivatedPermissionFlags: 'harmless',
  analyticsActorAccountAlias: 'personal',
  analyticsActorAccountName: 'personal',
  analyticsActorAccountSubType: 'harmless',
  analyticsActorAccountType: 'harmless',
  analyticsActorEmployeeType: 'harmless',
  analyticsAffectedObjectName: 'personal',
  analyticsSecondaryAffectedObjectNames: 'personal',
};

const access: Classes<EntityAssignedAccessToObject> = {
  ...record,
  entityId: 'identifier',
  entityType: 'harmless',
  assignedObjectId: 'identifier',
  assignedObjectType: 'harmless',
  entitlementSpecification: 'personal',
  globalEntityId: 'identifier',
  globalEntityType: 'harmless',
  globalAssignedObjectId: 'identifier',
  globalAssignedObjectType: 'harmless',
  globalEntitlementSpecification: 'personal',
  federationSpecification: 'personal',
  analyticsLoginEventCount: 'harmless',
  analyticsResourceAccessEventCount: 'harmless',
  analyticsLastActivityDate: 'harmless',
  analyticsDaysSinceLastActivity: 'harmless',
  analyticsFirstActivityDate: 'harmless',
};

const employment: Classes<PersonIsEmployee> = {
  ...record,
  employeeId: 'identifier',
  personId: 'identifier',
  globalEmployeeId: 'identifier',
  globalPersonId: 'identifier',
};

const collectionClasses: Readonly<Record<CollectionId, Readonly<Record<string, ColumnClass>>>> = {
  accounts: account,
  roles: role,
  accountRoles: accountRole,
  authenticators: authenticator,
  authenticatorEnrollments: enrollment,
  activities: activity,
  accessAssignments: access,
  personIsEmployee: employment,
  enrollmentViaAuthenticator: {
    relationship: 'identifier',
    authenticatorEnrollmentId: 'identifier',
    authenticatorId: 'identifier',
  },
};

const reviewed: Readonly<Record<string, ColumnClass>> = {
  access_global_id: 'identifier',
  account_global_id: 'identifier',
  account_alias: 'personal',
  account_name: 'personal',
  account_email: 'personal',
  account_type: 'harmless',
  department: 'harmless',
  title: 'harmless',
  account_enabled: 'harmless',
  account_is_admin: 'harmless',
  object_type: 'harmless',
  object_global_id: 'identifier',
  object_name: 'personal',
  entitlement: 'free text',
  is_privileged: 'harmless',
  has_mfa: 'harmless',
  owner_has_left: 'harmless',
  manager_emails: 'personal',
  first_used: 'harmless',
  last_used: 'harmless',
  days_since_last_use: 'harmless',
};

/** The model for access reviews, whose columns join those of the records (assumption `model-columns`). */
const governanceClasses: Readonly<Record<string, Readonly<Record<string, ColumnClass>>>> = {
  access: reviewed,
  privileged_access: reviewed,
  people: {
    directory_account_global_id: 'identifier',
    name: 'personal',
    email: 'personal',
    department: 'harmless',
    title: 'harmless',
    is_employed: 'harmless',
    manager_emails: 'personal',
    accounts: 'harmless',
    enabled_accounts: 'harmless',
    admin_accounts: 'harmless',
    last_activity_date: 'harmless',
  },
};

const governanceModel = 'platform_governance';

const key = (model: string, table: string, column: string): string =>
  `${model}.${table}.${column}`.toLowerCase();

const classes: ReadonlyMap<string, ColumnClass> = new Map([
  ...Object.entries(collectionTables).flatMap(([id, table]) =>
    Object.entries(collectionClasses[id as CollectionId]).map(
      // the object's own keys
      ([field, found]) => [key(identityModel, table, columnName(field)), found] as const,
    ),
  ),
  ...Object.entries(governanceClasses).flatMap(([table, columns]) =>
    Object.entries(columns).map(([column, found]) => [key(governanceModel, table, column), found] as const),
  ),
]);

/** Returns the class of a column; undefined if nobody classed it. */
export const classOf = (model: string, table: string, column: string): ColumnClass | undefined =>
  classes.get(key(model, table, column));
