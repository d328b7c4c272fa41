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
    applicationRoleType: Text('What the application calls this kind of role.'),
    isCustom: Type.Boolean({ description: 'Whether administrators made it; then its type is Custom.' }),
    type: Type.String({
      description:
        'Custom: made by administrators. Modeled: stands for access the application has no role for. Standard: comes with the application.',
      examples: [...roleTypes],
    }),
    description: Text('What the role is for.'),
    sourceTag: Text('Tag the application gave the record.'),
    createdBy: Text('Local id of the account that created it.'),
    lastModifiedBy: Text('Local id of the account that changed it last.'),
    createdByFederation: Described(Federation, 'Federation of the creator.'),
    lastModifiedByFederation: Described(Federation, 'Federation of the account that changed it last.'),
    createdDate: DateTime('When it was created.'),
    lastModifiedDate: DateTime('When it was last changed.'),
    objectDirectoryContainerId: Text('Local id of the directory container that holds it.'),
    objectDirectoryContainerFederation: Described(Federation, 'Federation of the directory container.'),
    authorizedLocations: Described(AuthorizedLocationPolicy, 'Where the role may be used from.'),
    globalAuthorizedLocations: Described(
      AuthorizedLocationPolicy,
      'As authorizedLocations, with global references.',
    ),
    globalCreatedBy: Text('Global id of the creator.'),
    globalLastModifiedBy: Text('Global id of the account that changed it last.'),
    globalObjectDirectoryContainerId: Text('Global id of the directory container.'),
    analyticsAccessToResourceInstancesCount: count(
      'Resource instances the role reaches, nested ones included; above 1000 it may be approximate.',
    ),
    analyticsActiveMemberCount: count('Members that used an account lately.'),
    analyticsAssignedApplicationCount: count('Applications assigned to it.'),
    analyticsAssignedRoleCount: count('Roles assigned to it.'),
    analyticsAssignedUserGroupCount: count('Groups assigned to it.'),
    analyticsInactiveMemberCount: count('Members that did not use an account lately.'),
    analyticsMemberAccountsCount: count('Member accounts.'),
    analyticsMemberCount: count('Members of every kind.'),
    analyticsOwners: Texts('Who owns the role.'),
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
    displayName: Text('Name to show.'),
    impliedEntitlements: Type.Array(EntitlementSpecification, {
      description: 'Entitlements that come with it.',
    }),
    globalImpliedEntitlements: Type.Array(EntitlementSpecification, {
      description: 'As impliedEntitlements, with global references.',
    }),
    membership: Texts('Local ids of the account roles it is a member of.'),
    globalMembership: Texts('Global ids of the account roles it is a member of.'),
    objectDirectoryContainerId: Text('Local id of the directory container that holds it.'),
    objectDirectoryContainerFederation: Described(Federation, 'Federation of the directory container.'),
    globalObjectDirectoryContainerId: Text('Global id of the directory container.'),
    sorPrimaryStewardEmail: Text('Email address of the person responsible for it.'),
  },
  'A role underneath an account that implies a set of entitlements. Not the same as a role.',
);
export type AccountRole = Static<typeof AccountRole>;
export const AccountRoleList = ListOf(AccountRole);
