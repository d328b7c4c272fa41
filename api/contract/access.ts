/** Who has access to what, and which person is which employee (specification). */
import { Type, type Static } from 'typebox';
import { ListOf } from './lists.ts';
import {
  DateTime,
  Described,
  EntitlementSpecification,
  OpenEnum,
  Optionals,
  recordFields,
  Resource,
  Text,
} from './shared.ts';

export const EntityAssignedAccessToObject = Resource(
  { ...recordFields },
  {
    entityId: Text('Local id of who has the access.'),
    entityType: Text('What has the access, for example an account or a group.'),
    assignedObjectId: Text('Local id of what the access is to.'),
    assignedObjectType: Text('What the access is to, for example a role or an application.'),
    entitlementSpecification: Described(EntitlementSpecification, 'What may be done, and why.'),
    globalEntityId: Text('Global id of who has the access.'),
    globalEntityType: Text('As entityType, in the words of the whole system.'),
    globalAssignedObjectId: Text('Global id of what the access is to.'),
    globalAssignedObjectType: OpenEnum(
      ['Platform_IntegratedApplication'],
      'As assignedObjectType, in the words of the whole system.',
    ),
    globalEntitlementSpecification: Described(
      EntitlementSpecification,
      'As entitlementSpecification, with global references.',
    ),
    federationSpecification: Described(
      Optionals({
        isFederated: Type.Boolean(),
        connectionType: OpenEnum(['Source'], 'Which side it is.'),
        sourceAuthenticationKey: Type.String(),
        targetAuthenticationKey: Type.String(),
      }),
      'How the access is federated.',
    ),
    analyticsLoginEventCount: Type.Number({ description: 'Sign-ins through this access.' }),
    analyticsResourceAccessEventCount: Type.Number({ description: 'Uses of resources through this access.' }),
    analyticsLastActivityDate: DateTime('When the access was last used; absent when never.'),
    analyticsDaysSinceLastActivity: Type.Number({ description: 'Days since the access was last used.' }),
    analyticsFirstActivityDate: DateTime('When the access was first used.'),
  },
  'Access that an account or a group has to an object.',
);
export type EntityAssignedAccessToObject = Static<typeof EntityAssignedAccessToObject>;
export const EntityAssignedAccessToObjectList = ListOf(EntityAssignedAccessToObject);

export const PersonIsEmployee = Resource(
  { ...recordFields },
  {
    employeeId: Text('Local id of the employee record.'),
    personId: Text('Local id of the person.'),
    globalEmployeeId: Text('Global id of the employee record.'),
    globalPersonId: Text('Global id of the person.'),
  },
  'Links a person to an employee record.',
);
export type PersonIsEmployee = Static<typeof PersonIsEmployee>;
export const PersonIsEmployeeList = ListOf(PersonIsEmployee);
