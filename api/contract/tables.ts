/**
 * The mapping of records to SQL (assumption `model-columns`): tables and columns are named after collections and
 * fields.
 */

export const identityModel = 'platform_identity';

/** Each collection's table in the platform_identity model. */
export const collectionTables = {
  accounts: 'accounts',
  roles: 'roles',
  accountRoles: 'account_roles',
  authenticators: 'authenticators',
  authenticatorEnrollments: 'authenticator_enrollments',
  activities: 'activities',
  accessAssignments: 'entity_assigned_access_to_object',
  personIsEmployee: 'person_is_employee',
  enrollmentViaAuthenticator: 'enrollment_via_authenticator',
} as const;
export type CollectionId = keyof typeof collectionTables;
export const collectionIds = Object.keys(collectionTables) as readonly CollectionId[]; // the object's own keys

/** Collections of objects with their own IDs; links between enrollments and authenticators are strings. */
export type RecordCollectionId = Exclude<CollectionId, 'enrollmentViaAuthenticator'>;
export const recordCollectionIds: readonly RecordCollectionId[] = collectionIds.filter(
  (id) => id !== 'enrollmentViaAuthenticator',
);

/** Returns the column name for a field: hasAPIAccess becomes has_api_access. */
export function columnName(field: string): string {
  return field
    .replaceAll(/([A-Z])(?=[A-Z][a-z])/g, '$1_')
    .replaceAll(/([a-z0-9])([A-Z])/g, '$1_$2')
    .toLowerCase();
}

/** PostgreSQL types that columns use. */
export type ColumnType =
  | 'text'
  | 'timestamptz'
  | 'boolean'
  | 'integer'
  | 'numeric'
  | 'text[]'
  | 'integer[]'
  | 'jsonb';

/** Returns a field's column type, derived from its JSON Schema. */
export function columnType(schema: object): ColumnType {
  switch (schemaText(schema, 'type')) {
    case 'string':
      return schemaText(schema, 'format') === 'date-time' ? 'timestamptz' : 'text';
    case 'boolean':
      return 'boolean';
    case 'integer':
      return 'integer';
    case 'number':
      return 'numeric';
    case 'array': {
      const items: unknown = Reflect.get(schema, 'items');
      const type = typeof items === 'object' && items !== null ? schemaText(items, 'type') : '';
      return type === 'string' ? 'text[]' : type === 'integer' ? 'integer[]' : 'jsonb';
    }
    default:
      return 'jsonb';
  }
}

/** Returns a text of a schema; empty if it has none. */
export function schemaText(schema: object, key: string): string {
  const value: unknown = Reflect.get(schema, key);
  return typeof value === 'string' ? value : '';
}
