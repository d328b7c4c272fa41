/** References between the columns of records, from the field descriptions (assumption `model-columns`). */
import { collectionTables } from './tables.ts';

export interface ColumnPlace {
  readonly table: string;
  readonly column: string;
}

export interface DeclaredRelation {
  readonly from: ColumnPlace;
  readonly to: ColumnPlace;
}

const { accounts, roles, accountRoles, activities, accessAssignments, authenticators } = collectionTables;
const { authenticatorEnrollments, enrollmentViaAuthenticator } = collectionTables;

/** Columns that hold a record's own ID, in every record table; the first is globally unique. */
export const ownIdColumns: readonly string[] = ['global_id', 'id'];

/**
 * Defines a field that refers to a record, and its counterpart with global IDs, which are unique across applications.
 */
const byId = (table: string, field: string, ...targets: readonly string[]): readonly DeclaredRelation[] =>
  targets.flatMap((target) => [
    { from: { table, column: `global_${field}` }, to: { table: target, column: 'global_id' } },
    { from: { table, column: field }, to: { table: target, column: 'id' } },
  ]);

const byColumn = (table: string, column: string, target: string, targetColumn: string): DeclaredRelation => ({
  from: { table, column },
  to: { table: target, column: targetColumn },
});

/** If two tables are possible, the more likely one comes first. */
export const declaredRelations: readonly DeclaredRelation[] = [
  ...byId(accessAssignments, 'entity_id', accounts),
  ...byId(accessAssignments, 'assigned_object_id', roles),
  byColumn(accounts, 'account_role', accountRoles, 'name'),
  byColumn(accounts, 'secondary_account_roles', accountRoles, 'name'),
  ...byId(accounts, 'directory_entry_id', accounts),
  ...byId(accounts, 'created_by', accounts),
  ...byId(accounts, 'last_modified_by', accounts),
  ...byId(roles, 'created_by', accounts),
  ...byId(roles, 'last_modified_by', accounts),
  ...byId(accountRoles, 'membership', accountRoles),
  ...byId(activities, 'actor_account_id', accounts),
  ...byId(activities, 'requestor_account_id', accounts),
  ...byId(activities, 'affected_object_id', accounts, roles),
  byColumn(activities, 'global_secondary_affected_objects', accounts, 'global_id'),
  byColumn(activities, 'global_secondary_affected_objects', roles, 'global_id'),
  byColumn(authenticatorEnrollments, 'account_key', accounts, 'email'),
  byColumn(authenticatorEnrollments, 'account_key', accounts, 'alias'),
  byColumn(enrollmentViaAuthenticator, 'authenticator_enrollment_id', authenticatorEnrollments, 'id'),
  byColumn(enrollmentViaAuthenticator, 'authenticator_id', authenticators, 'id'),
  byColumn(roles, 'sor_primary_steward_email', accounts, 'email'),
  byColumn(accountRoles, 'sor_primary_steward_email', accounts, 'email'),
  byColumn(authenticators, 'sor_primary_steward_email', accounts, 'email'),
  byColumn(accounts, 'manager_emails', accounts, 'email'),
];
