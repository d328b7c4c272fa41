/** Accounts: who can sign in to a connected application (specification, "Account"). */
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
      riskLevel: OpenEnum(['Critical'], 'The risk from which the policy applies.'),
    }),
  ),
  authenticationMethodSelectionPolicies: Type.Array(MethodSelectionPolicy),
  enforcementStatus: OpenEnum(['AdaptiveAndEnforced'], 'How multi-factor authentication is enforced.'),
  enrolledAuthenticationMethods: MethodEntries,
  enforcedAuthenticationMethods: MethodEntries,
  participatingEntities: Type.Array(
    Optionals({ objectType: Type.String(), objectData: Type.Record(Type.String(), Type.Unknown()) }),
  ),
});

export const Account = Resource(
  {
    ...recordFields,
    accountRole: Text('Name of the account role the account has (assumption `account-role`).'),
    alias: Type.String({ minLength: 1, description: 'The user name in the application instance.' }),
    authenticationFunctions: Texts('What the account can be authenticated for.'),
    email: Type.String({ format: 'email', description: 'The email address of the account.' }),
    enabled: Type.Boolean({ description: 'Whether the account can sign in.' }),
    hasAPIAccess: Type.Boolean({ description: 'Whether the account can use the programming interface.' }),
    isAdmin: Type.Boolean({ description: 'Whether the account administers the application.' }),
    mfaRequirements: OpenEnum(
      accountEnumerations.mfaRequirements,
      'Whether multi-factor authentication is required.',
    ),
    ssoRequirements: OpenEnum(accountEnumerations.ssoRequirements, 'Whether single sign-on is required.'),
    subType: OpenEnum(accountEnumerations.subType, 'A finer kind of account.'),
    type: OpenEnum(accountEnumerations.type, 'The kind of account.'),
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
    directoryEntryId: Text('Local id of the account of the same holder in the directory.'),
    directoryProviderId: Text('Local id of the directory.'),
    displayName: Text('Name to show; made from the name where the application has none.'),
    employeeNumber: Text("The holder's number in the personnel system."),
    federationId: Text('Identifier the account is federated by.'),
    jobCode: Text('Code of the job.'),
    jobFamily: Text('Family of the job.'),
    jobFamilyGroup: Text('Group of job families.'),
    jobFunction: Text('Function of the job.'),
    licenseType: Text('License the account uses.'),
    name: Type.String({ minLength: 1, description: "The holder's name." }),
    sourceTag: Text('Tag the application gave the record.'),
    specialization: Text('Specialization of the holder.'),
    title: Text('Job title of the holder.'),
    createdBy: Text('Local id of the account that created this one.'),
    lastModifiedBy: Text('Local id of the account that changed this one last.'),
    objectDirectoryContainerId: Text('Local id of the directory container that holds the account.'),
    createdDate: DateTime('When the account was created.'),
    expirationDate: DateTime('When the account expires.'),
    lastActivityDate: DateTime('When the account was last used; absent when never.'),
    lastModifiedDate: DateTime('When the account was last changed.'),
    lastPasswordChangedDate: DateTime('When the password was last changed.'),
    alternateEmails: Type.Array(Type.String({ format: 'email' }), {
      description: 'Other email addresses of the account.',
    }),
    approvedApplicationUsages: Texts('What the account may be used for.'),
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
      'Which methods apply to the account, and when.',
    ),
    authorizedLocations: Described(AuthorizedLocationPolicy, 'Where the account may be used from.'),
    createdByFederation: Described(Federation, 'Federation of the creator.'),
    directoryEntryFederation: Described(Federation, 'Federation of the directory entry.'),
    directoryProviderFederation: Described(Federation, 'Federation of the directory.'),
    lastModifiedByFederation: Described(Federation, 'Federation of the account that changed it last.'),
    objectDirectoryContainerFederation: Described(Federation, 'Federation of the directory container.'),
    licenseLevel: OpenEnum(accountEnumerations.licenseLevel, 'Level of the license.'),
    licenseStatus: OpenEnum(accountEnumerations.licenseStatus, 'Whether the license is in use.'),
    profileMetadata: Type.Array(MetadataItem, { description: 'Further fields of the profile.' }),
    provisioning: Type.Array(ProvisioningParticipant, {
      description: 'The source that synchronises the account, and its method.',
    }),
    globalAuthorizedLocations: Described(
      AuthorizedLocationPolicy,
      'As authorizedLocations, with global references.',
    ),
    globalCreatedBy: Text('Global id of the creator.'),
    globalDirectoryEntryId: Text('Global id of the account of the same holder in the directory.'),
    globalDirectoryProviderId: Text('Global id of the directory.'),
    globalLastModifiedBy: Text('Global id of the account that changed this one last.'),
    globalObjectDirectoryContainerId: Text('Global id of the directory container.'),
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
  id: Type.String({ minLength: 1, description: 'Global id of the account.' }),
});
