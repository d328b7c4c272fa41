/** Two resources (specification): roles, and the account roles that accounts refer to by name. */
import { Type, type Static } from 'typebox';
import { ListOf } from '../lists.ts';
import {
  AuthorizedLocationPolicy,
  DateTime,
  Described,
  EntitlementSpecification,
  Federation,
  recordFields,
  Resource,
  Text,
  Texts,
} from './shared.ts';

export const roleTypes = ['Custom', 'Modeled', 'Standard'] as const;

const count = (description: string) => Type.Number({ description });

export const Role = Resource(
  { ...recordFields, name: Type.String({ minLength: 1, description: 'Name of the role.' }) },
  {
    applicationRoleType: Text("The application's own name for this type of role."),
    isCustom: Type.Boolean({
      description: 'Whether administrators created the role. If so, its type is Custom.',
    }),
    type: Type.String({
      description:
        'Custom: created by administrators. Modeled: represents access for which the application has no role. Standard: included in the application.',
      examples: [...roleTypes],
    }),
    description: Text('Purpose of the role.'),
    sourceTag: Text('Tag that the application gave the record.'),
    createdBy: Text('Local ID of the account that created it.'),
    lastModifiedBy: Text('Local ID of the account that changed it last.'),
    createdByFederation: Described(Federation, 'Federation of the creator.'),
    lastModifiedByFederation: Described(Federation, 'Federation of the account that changed it last.'),
    createdDate: DateTime('Time of creation.'),
    lastModifiedDate: DateTime('Time of the last change.'),
    objectDirectoryContainerId: Text('Local ID of the directory container that holds it.'),
    objectDirectoryContainerFederation: Described(Federation, 'Federation of the directory container.'),
    authorizedLocations: Described(AuthorizedLocationPolicy, 'Locations from which the role may be used.'),
    globalAuthorizedLocations: Described(
      AuthorizedLocationPolicy,
      'As authorizedLocations, with global references.',
    ),
    globalCreatedBy: Text('Global ID of the creator.'),
    globalLastModifiedBy: Text('Global ID of the account that changed it last.'),
    globalObjectDirectoryContainerId: Text('Global ID of the directory container.'),
    analyticsAccessToResourceInstancesCount: count(
      'Resource instances the role reaches, nested ones included; above 1000 it may be approximate.',
    ),
    analyticsActiveMemberCount: count('Members that used an account recently.'),
    analyticsAssignedApplicationCount: count('Applications assigned to it.'),
    analyticsAssignedRoleCount: count('Roles assigned to it.'),
    analyticsAssignedUserGroupCount: count('Groups assigned to it.'),
    analyticsInactiveMemberCount: count('Members that did not use an account recently.'),
    analyticsMemberAccountsCount: count('Member accounts.'),
    analyticsMemberCount: count('Members of every kind.'),
    analyticsOwners: Texts('Owners of the role.'),
    sorPrimaryStewardEmail: Text('Email address of the person responsible for it.'),
  },
  'A security role that groups permissions and is assigned to accounts and groups.',
);
export type Role = Static<typeof Role>;
export const RoleList = ListOf(Role);

export const AccountRole = Resource(
  {
    ...recordFields,
    id: Type.String({ minLength: 1, description: 'Local identifier.' }),
    name: Text('Unique name, by which accounts refer to it.'),
  },
  {
    displayName: Text('Display name.'),
    impliedEntitlements: Type.Array(EntitlementSpecification, {
      description: 'Entitlements that come with it.',
    }),
    globalImpliedEntitlements: Type.Array(EntitlementSpecification, {
      description: 'As impliedEntitlements, with global references.',
    }),
    membership: Texts('Local IDs of the account roles it is a member of.'),
    globalMembership: Texts('Global IDs of the account roles it is a member of.'),
    objectDirectoryContainerId: Text('Local ID of the directory container that holds it.'),
    objectDirectoryContainerFederation: Described(Federation, 'Federation of the directory container.'),
    globalObjectDirectoryContainerId: Text('Global ID of the directory container.'),
    sorPrimaryStewardEmail: Text('Email address of the person responsible for it.'),
  },
  'A role underneath an account that implies a set of entitlements. Not the same as a role.',
);
export type AccountRole = Static<typeof AccountRole>;
export const AccountRoleList = ListOf(AccountRole);
