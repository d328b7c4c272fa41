/** Access assignments, and links from people to employees (specification). */
import { Type, type Static } from 'typebox';
import { ListOf } from '../lists.ts';
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
    entityId: Text('Local ID of the entity that has the access.'),
    entityType: Text('Type of the entity, for example an account or a group.'),
    assignedObjectId: Text('Local ID of the assigned object.'),
    assignedObjectType: Text('Type of the assigned object, for example a role or an application.'),
    entitlementSpecification: Described(EntitlementSpecification, 'The entitlement and its reason.'),
    globalEntityId: Text('Global ID of the entity that has the access.'),
    globalEntityType: Text('entityType in system-wide terms.'),
    globalAssignedObjectId: Text('Global ID of the assigned object.'),
    globalAssignedObjectType: OpenEnum(
      ['Platform_IntegratedApplication'],
      'assignedObjectType in system-wide terms.',
    ),
    globalEntitlementSpecification: Described(
      EntitlementSpecification,
      'As entitlementSpecification, with global references.',
    ),
    federationSpecification: Described(
      Optionals({
        isFederated: Type.Boolean(),
        connectionType: OpenEnum(['Source'], 'Side of the connection.'),
        sourceAuthenticationKey: Type.String(),
        targetAuthenticationKey: Type.String(),
      }),
      'Federation of the access.',
    ),
    analyticsLoginEventCount: Type.Number({ description: 'Sign-ins through this access.' }),
    analyticsResourceAccessEventCount: Type.Number({ description: 'Uses of resources through this access.' }),
    analyticsLastActivityDate: DateTime(
      'Time at which the access was last used. Absent if it was never used.',
    ),
    analyticsDaysSinceLastActivity: Type.Number({ description: 'Days since the access was last used.' }),
    analyticsFirstActivityDate: DateTime('Time at which the access was first used.'),
  },
  'Access that an account or a group has to an object.',
);
export type EntityAssignedAccessToObject = Static<typeof EntityAssignedAccessToObject>;
export const EntityAssignedAccessToObjectList = ListOf(EntityAssignedAccessToObject);

export const PersonIsEmployee = Resource(
  { ...recordFields },
  {
    employeeId: Text('Local ID of the employee record.'),
    personId: Text('Local ID of the person.'),
    globalEmployeeId: Text('Global ID of the employee record.'),
    globalPersonId: Text('Global ID of the person.'),
  },
  'Links a person to an employee record.',
);
export type PersonIsEmployee = Static<typeof PersonIsEmployee>;
export const PersonIsEmployeeList = ListOf(PersonIsEmployee);
