/** Where records stand in SQL (assumption `model-columns`): tables and columns by the names of collections and fields. */

export const identityModel = 'platform_identity';

/** The table of each collection in the model platform_identity. */
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
export const collectionIds = Object.keys(collectionTables) as readonly CollectionId[]; // its own keys

/** The column of a field: hasAPIAccess is has_api_access. */
export function columnName(field: string): string {
  return field
    .replaceAll(/([A-Z]+)([A-Z][a-z])/g, '$1_$2')
    .replaceAll(/([a-z0-9])([A-Z])/g, '$1_$2')
    .toLowerCase();
}
