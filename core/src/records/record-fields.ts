/**
 * The fields of each collection's records, from the contract's schemas. Loaded with the first record, because the
 * schemas are large.
 */
import type { TObject } from 'typebox';
import { EntityAssignedAccessToObject, PersonIsEmployee } from '#api/contract/records/access.ts';
import { Account } from '#api/contract/records/accounts.ts';
import { Activity } from '#api/contract/records/activities.ts';
import { Authenticator, AuthenticatorEnrollment } from '#api/contract/records/authenticators.ts';
import { AccountRole, Role } from '#api/contract/records/roles.ts';
import { columnType, type RecordCollectionId, schemaText } from '#api/contract/tables.ts';

export interface RecordField {
  /** The member name in the API. */
  readonly name: string;
  /** PostgreSQL's name for the type. */
  readonly type: string;
  readonly description: string;
  /** Whether the values are global IDs of other records. */
  readonly isReference: boolean;
}

/** `enrollmentViaAuthenticator` is missing because its items are strings. */

const schemas: Readonly<Record<RecordCollectionId, TObject>> = {
  accounts: Account,
  roles: Role,
  accountRoles: AccountRole,
  accessAssignments: EntityAssignedAccessToObject,
  personIsEmployee: PersonIsEmployee,
  authenticators: Authenticator,
  authenticatorEnrollments: AuthenticatorEnrollment,
  activities: Activity,
};

/** The most important fields, in display order. The others follow in specification order. */
const first: Readonly<Record<RecordCollectionId, readonly string[]>> = {
  accounts: [
    'alias',
    'displayName',
    'email',
    'enabled',
    'isAdmin',
    'type',
    'department',
    'title',
    'lastActivityDate',
    'globalId',
  ],
  roles: ['name', 'description', 'type', 'isCustom', 'analyticsMemberCount', 'globalId'],
  accountRoles: ['name', 'displayName', 'membership', 'globalId'],
  accessAssignments: [
    'entityId',
    'entityType',
    'assignedObjectId',
    'assignedObjectType',
    'analyticsLastActivityDate',
    'globalEntityId',
    'globalAssignedObjectId',
    'globalId',
  ],
  personIsEmployee: ['personId', 'employeeId', 'globalPersonId', 'globalEmployeeId', 'globalId'],
  authenticators: ['name', 'description', 'isActive', 'authenticationMethods', 'globalId'],
  authenticatorEnrollments: [
    'accountKey',
    'enrollmentStatus',
    'enrolledAt',
    'revokedAt',
    'authenticationMethods',
    'globalId',
  ],
  activities: [
    'timestamp',
    'activityType',
    'activity',
    'analyticsActorAccountAlias',
    'analyticsAffectedObjectName',
    'ipAddress',
    'globalId',
  ],
};

/** Provenance fields, shown last. */
const last = ['objectMetadata', 'platformObjectMetadata'];

const fields = new Map<RecordCollectionId, readonly RecordField[]>();

export function fieldsOf(collection: RecordCollectionId): readonly RecordField[] {
  let known = fields.get(collection);
  if (known === undefined) {
    const { properties } = schemas[collection];
    const names = Object.keys(properties);
    const front = first[collection].filter((name) => names.includes(name));
    const rest = names.filter((name) => !front.includes(name) && !last.includes(name));
    known = [...front, ...rest, ...last].map((name) => fieldOf(name, properties[name] ?? {}));
    fields.set(collection, known);
  }
  return known;
}

function fieldOf(name: string, schema: object): RecordField {
  const type = columnType(schema);
  return {
    name,
    type,
    description: schemaText(schema, 'description'),
    isReference:
      /^global[A-Z]/.test(name) &&
      name !== 'globalId' &&
      !/Type$/.test(name) &&
      (type === 'text' || type === 'text[]'),
  };
}
