/** Accounts, which sign in to connected applications (specification, "Account"). */
import { Type, type Static } from 'typebox';
import { ListOf } from '../lists.ts';
import {
  AuthenticationMethod,
  AuthorizedLocationPolicy,
  DateTime,
  Described,
  Federation,
  Location,
  MetadataItem,
  MethodSelectionPolicy,
  OpenEnum,
  Optionals,
  PermissionSet,
  ProvisioningParticipant,
  recordFields,
  Resource,
  Text,
  Texts,
} from './shared.ts';

export const accountEnumerations = {
  mfaRequirements: ['Required'],
  ssoRequirements: ['Required'],
  subType: ['Standard'],
  type: ['User'],
  licenseLevel: ['Paid'],
  licenseStatus: ['Active'],
  enrichedSharingRiskCategory: ['AnonymousEndpoint'],
} as const;

const MethodEntries = Optionals({ entries: Type.Array(AuthenticationMethod) });

export const EnrichedMfaStatus = Optionals({
  adaptiveAuthenticationMethodSelectionPolicies: Type.Array(
    Optionals({
      policy: MethodSelectionPolicy,
      riskLevel: OpenEnum(['Critical'], 'Minimum risk level at which the policy applies.'),
    }),
  ),
  authenticationMethodSelectionPolicies: Type.Array(MethodSelectionPolicy),
  enforcementStatus: OpenEnum(['AdaptiveAndEnforced'], 'Enforcement of multi-factor authentication.'),
  enrolledAuthenticationMethods: MethodEntries,
  enforcedAuthenticationMethods: MethodEntries,
  participatingEntities: Type.Array(
    Optionals({ objectType: Type.String(), objectData: Type.Record(Type.String(), Type.Unknown()) }),
  ),
});

export const Account = Resource(
  {
    ...recordFields,
    accountRole: Text('Name of the account role that the account has.'),
    alias: Type.String({ minLength: 1, description: 'The user name in the application instance.' }),
    authenticationFunctions: Texts('Purposes for which the account can authenticate.'),
    email: Type.String({ format: 'email', description: 'The email address of the account.' }),
    enabled: Type.Boolean({ description: 'Whether the account can sign in.' }),
    hasAPIAccess: Type.Boolean({ description: 'Whether the account can use the API.' }),
    isAdmin: Type.Boolean({ description: 'Whether the account administers the application.' }),
    mfaRequirements: OpenEnum(
      accountEnumerations.mfaRequirements,
      'Whether multi-factor authentication is required.',
    ),
    ssoRequirements: OpenEnum(accountEnumerations.ssoRequirements, 'Whether single sign-on is required.'),
    subType: OpenEnum(accountEnumerations.subType, 'Subtype of the account.'),
    type: OpenEnum(accountEnumerations.type, 'Type of the account.'),
    enrichedMFAStatus: Described(
      EnrichedMfaStatus,
      'Enrolled and enforced authentication methods, and how they are enforced.',
    ),
    enrichedNormalizedEmail: Text('The email address in a form that can be compared.'),
    enrichedSharingRiskCategory: OpenEnum(
      accountEnumerations.enrichedSharingRiskCategory,
      'The risk of what is shared with this account.',
    ),
  },
  {
    accountRoleDisplayName: Text('Display name of the account role.'),
    companyName: Text('Company of the holder.'),
    costCenter: Text('Cost center of the holder.'),
    countryCode: Text('Country of the holder, ISO 3166-1 alpha-2.'),
    department: Text('Department of the holder.'),
    directoryEntryId: Text('Local ID of the account of the same holder in the directory.'),
    directoryProviderId: Text('Local ID of the directory.'),
    displayName: Text('Display name. It is derived from the name if the application has none.'),
    employeeNumber: Text("The holder's number in the personnel system."),
    federationId: Text('Identifier the account is federated by.'),
    jobCode: Text('Code of the job.'),
    jobFamily: Text('Family of the job.'),
    jobFamilyGroup: Text('Group of job families.'),
    jobFunction: Text('Function of the job.'),
    licenseType: Text('License the account uses.'),
    name: Type.String({ minLength: 1, description: "The holder's name." }),
    sourceTag: Text('Tag that the application gave the record.'),
    specialization: Text('Specialization of the holder.'),
    title: Text('Job title of the holder.'),
    createdBy: Text('Local ID of the account that created this one.'),
    lastModifiedBy: Text('Local ID of the account that changed this one last.'),
    objectDirectoryContainerId: Text('Local ID of the directory container that holds the account.'),
    createdDate: DateTime('Time at which the account was created.'),
    expirationDate: DateTime('Time at which the account expires.'),
    lastActivityDate: DateTime('Time at which the account was last used. Absent if it was never used.'),
    lastModifiedDate: DateTime('Time of the last change to the account.'),
    lastPasswordChangedDate: DateTime('Time of the last password change.'),
    alternateEmails: Type.Array(Type.String({ format: 'email' }), {
      description: 'Other email addresses of the account.',
    }),
    approvedApplicationUsages: Texts('Approved uses of the account.'),
    hashIdentifiers: Texts('Hash algorithm and hash, mainly of machine and token accounts.'),
    managerEmails: Texts('Email addresses of the people responsible for the account.'),
    secondaryAccountRoles: Texts('Names of further account roles.'),
    approvedApplicationPermissions: Type.Array(PermissionSet, {
      description: 'Permissions approved for applications that act as the account.',
    }),
    assignedLocations: Type.Array(Location, { description: 'Locations assigned to the account.' }),
    authenticationMethods: Type.Array(AuthenticationMethod, {
      description: 'Methods the account can authenticate with.',
    }),
    authenticationMethodSelectionPolicy: Described(
      MethodSelectionPolicy,
      'Authentication methods that apply to the account, and their conditions.',
    ),
    authorizedLocations: Described(AuthorizedLocationPolicy, 'Locations from which the account may be used.'),
    createdByFederation: Described(Federation, 'Federation of the creator.'),
    directoryEntryFederation: Described(Federation, 'Federation of the directory entry.'),
    directoryProviderFederation: Described(Federation, 'Federation of the directory.'),
    lastModifiedByFederation: Described(Federation, 'Federation of the account that changed it last.'),
    objectDirectoryContainerFederation: Described(Federation, 'Federation of the directory container.'),
    licenseLevel: OpenEnum(accountEnumerations.licenseLevel, 'Level of the license.'),
    licenseStatus: OpenEnum(accountEnumerations.licenseStatus, 'Whether the license is in use.'),
    profileMetadata: Type.Array(MetadataItem, { description: 'Further fields of the profile.' }),
    provisioning: Type.Array(ProvisioningParticipant, {
      description: 'The source that synchronizes the account, and its method.',
    }),
    globalAuthorizedLocations: Described(
      AuthorizedLocationPolicy,
      'As authorizedLocations, with global references.',
    ),
    globalCreatedBy: Text('Global ID of the creator.'),
    globalDirectoryEntryId: Text('Global ID of the account of the same holder in the directory.'),
    globalDirectoryProviderId: Text('Global ID of the directory.'),
    globalLastModifiedBy: Text('Global ID of the account that changed this one last.'),
    globalObjectDirectoryContainerId: Text('Global ID of the directory container.'),
    globalProfileMetadata: Type.Array(MetadataItem, {
      description: 'As profileMetadata, with global references.',
    }),
    enrichedDataClassifications: Texts('Classes of data the account reaches.'),
  },
  'A person or machine that can sign in to a connected application.',
);
export type Account = Static<typeof Account>;

export const AccountList = ListOf(Account);

export const AccountPath = Type.Object({
  id: Type.String({ minLength: 1, description: 'Global ID of the account.' }),
});
