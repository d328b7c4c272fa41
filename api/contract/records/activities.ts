/** Activities from audit logs: actions by accounts and reports by applications (specification, "Activity"). */
import { Type, type Static } from 'typebox';
import { ListOf, ListParameters } from '../lists.ts';
import {
  DateTime,
  Described,
  Federation,
  FormattedScopes,
  Location,
  MetadataItem,
  OpenEnum,
  Optionals,
  PermissionSet,
  recordFields,
  Resource,
  Text,
  Texts,
} from './shared.ts';

/** The schematized activity types that the specification names; its list is incomplete. */
export const activityTypes = [
  'AccessTo.Deleted',
  'Account.AccountRoleChanged',
  'Account.Disabled',
  'Account.Enabled',
  'Account.Impersonated',
  'Authentication.Methods.Added',
  'Authentication.Methods.Authorized',
  'Authentication.Methods.Removed',
  'Authentication.Methods.Revoked',
  'Authentication.Methods.Updated',
  'Authentication.Methods.ResetAllowed',
  'Authentication.Methods.ResetDisallowed',
  'Authentication.Policy.General.Added',
  'Authentication.Policy.General.Removed',
  'Authentication.Policy.General.Updated',
  'Authentication.Policy.Method.NotRequired',
  'Authentication.Policy.Method.Required',
  'Authentication.Policy.MFA.Adaptive',
  'Authentication.Policy.MFA.NotRequired',
  'Authentication.Policy.MFA.Required',
  'Authentication.Policy.Password.Added',
  'Authentication.Policy.Password.Removed',
  'Authentication.Policy.Password.Updated',
  'Authentication.Policy.SSO.NotRequired',
  'Authentication.Policy.SSO.Required',
  'Authentication.Policy.SSO.Updated',
  'Authentication.Secret.Added',
  'Authentication.Secret.Removed',
  'Authentication.Secret.Rotated',
  'Authentication.Secret.Updated',
  'Authorization.Access.Authorized',
  'Authorization.Access.Denied',
  'Authorization.Access.Granted',
  'Authorization.Access.Requested',
  'Authorization.Access.Revoked',
  'Authorization.Access.Updated',
  'Authorization.Requirements.Created',
  'Authorization.Requirements.Deleted',
  'Login.Success',
] as const;
export type ActivityType = (typeof activityTypes)[number];

const ImpersonatorReference = Optionals({
  type: Type.String(),
  accountReference: Optionals({
    authenticationKey: Type.String(),
    federationId: Type.String(),
    federationProtocol: Type.String(),
  }),
});

export const Activity = Resource(
  { ...recordFields, timestamp: DateTime('Time of the activity.') },
  {
    activityType: OpenEnum(activityTypes, "Type of the activity, in the service's terms."),
    activity: Text('Readable description of the activity.'),
    applicationActivityType: Text("The application's own name for the activity."),
    activatedPermissionsAvailable: Type.Boolean({
      description: 'Whether activatedPermissionSets is reliable, even when empty.',
    }),
    activatedPermissionSets: Type.Array(PermissionSet, { description: 'Permissions that were used.' }),
    globalActivatedPermissionSets: Type.Array(PermissionSet, {
      description: 'As activatedPermissionSets, with global references.',
    }),
    activityMetadata: Type.Array(MetadataItem, { description: 'Further facts.' }),
    actorAccountId: Text('Local ID of the account that acted.'),
    globalActorAccountId: Text('Global ID of the account that acted.'),
    actorAccountFederation: Described(Federation, 'Federation of the actor.'),
    actorAuthenticationContext: Text('The session or context the actor was authenticated in.'),
    authenticationContextHistory: Texts('Earlier contexts of the same actor.'),
    actorAuthenticationMethods: Texts('Methods the actor was authenticated with.'),
    actorAuthenticationScopes: Described(FormattedScopes, 'Scopes the actor had.'),
    actorImpersonatorReference: Described(
      ImpersonatorReference,
      'The account that acted on behalf of the actor.',
    ),
    globalActorImpersonatorReference: Described(
      ImpersonatorReference,
      'As actorImpersonatorReference, with global references.',
    ),
    actorLocation: Described(Location, 'Location of the actor.'),
    requestorAccountId: Text('Local ID of the account that asked for it.'),
    globalRequestorAccountId: Text('Global ID of the account that asked for it.'),
    requestorAccountFederation: Described(Federation, 'Federation of the account that asked for it.'),
    affectedObjectId: Text('Local ID of the affected object.'),
    globalAffectedObjectId: Text('Global ID of the affected object.'),
    affectedObjectType: Text('Kind of the affected object.'),
    affectedObjectFederation: Described(Federation, 'Federation of the affected object.'),
    secondaryAffectedObjects: Type.Array(
      Optionals({
        federationInformation: Federation,
        objectId: Type.String(),
        objectType: Type.String(),
      }),
      { description: 'Other affected objects.' },
    ),
    globalSecondaryAffectedObjects: Texts('Global IDs of the other affected objects.'),
    objectDirectoryContainerId: Text('Local ID of the directory container.'),
    globalObjectDirectoryContainerId: Text('Global ID of the directory container.'),
    objectDirectoryContainerFederation: Described(Federation, 'Federation of the directory container.'),
    browserName: Text('Browser.'),
    browserVersion: Text('Version of the browser.'),
    osName: Text('Operating system.'),
    osVersion: Text('Version of the operating system.'),
    ipAddress: Text('Address from which the actor connected.'),
    pageUri: Text('Page or resource that was used.'),
    enrichedUserAgent: Text('The user agent, in words.'),
    errorCode: Type.Integer({ description: 'Error of the application, if the activity failed.' }),
    errorCodeType: OpenEnum(['HTTP'], 'Type of the error code.'),
    errorDescription: Text('The error in words.'),
    platformActivityTypeSpecificData: Described(
      Optionals({ fromId: Type.String(), toId: Type.String() }),
      'Both ends of the link, if the activity is about a link.',
    ),
    enrichedActivatedPermissionFlags: Type.Array(Type.Integer(), {
      description: 'Permissions that were used, as flags.',
    }),
    analyticsActorAccountAlias: Text('Alias of the actor.'),
    analyticsActorAccountName: Text('Name of the actor.'),
    analyticsActorAccountSubType: Text('Sub-type of the actor.'),
    analyticsActorAccountType: Text('Type of the actor.'),
    analyticsActorEmployeeType: Text('Employment type of the actor.'),
    analyticsAffectedObjectName: Text('Name of the affected object.'),
    analyticsSecondaryAffectedObjectNames: Texts('Names of the other affected objects.'),
  },
  'An action of an account, or a notification of an application.',
);
export type Activity = Static<typeof Activity>;
export const ActivityList = ListOf(Activity);

export const ActivityListParameters = Type.Evaluate(
  Type.Intersect([
    ListParameters,
    Type.Partial(
      Type.Object({
        from: Type.String({ format: 'date-time', description: 'Start of the window, inclusive.' }),
        to: Type.String({ format: 'date-time', description: 'End of the window, exclusive.' }),
      }),
    ),
  ]),
);
export type ActivityListParameters = Static<typeof ActivityListParameters>;
