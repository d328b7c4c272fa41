/** The queryable tables: the collections, and the information schema. */
import type { Collection, Records } from '../records.ts';

export interface Column {
  readonly name: string;
  readonly type: string;
}

export interface Table {
  readonly columns: readonly Column[];
  readonly rows: readonly (readonly unknown[])[];
}

const collectionOf: Readonly<Record<string, Collection>> = {
  accounts: 'accounts',
  roles: 'roles',
  account_roles: 'account-roles',
  authenticators: 'authenticators',
  authenticator_enrollments: 'authenticator-enrollments',
  activities: 'activities',
  entity_assigned_access_to_object: 'entity-assigned-access-to-object',
  person_is_employee: 'person-is-employee',
};

export function tableOf(name: string, records: Records): Table | undefined {
  const collection = collectionOf[name];
  if (collection === undefined) return undefined;
  const items = records.list(collection).filter((row) => typeof row === 'object' && row !== null);
  const members = [...new Set(items.flatMap((row) => Object.keys(row)))];
  return {
    columns: members.map((member) => ({
      name: snake(member),
      type: typeOf(items.map((row) => valueOf(row, member))),
    })),
    rows: items.map((row) => members.map((member) => valueOf(row, member) ?? null)),
  };
}

/** Returns information_schema.columns. */
export function columnsTable(records: Records): Table {
  const rows = Object.keys(collectionOf).flatMap((table) =>
    (tableOf(table, records)?.columns ?? []).map(({ name, type }, index) => [
      'platform_identity',
      table,
      name,
      type === 'bool' ? 'boolean' : type,
      type,
      'YES',
      index + 1,
    ]),
  );
  const names = ['table_schema', 'table_name', 'column_name', 'data_type', 'udt_name', 'is_nullable'];
  return {
    columns: [...names.map((name) => ({ name, type: 'text' })), { name: 'ordinal_position', type: 'int4' }],
    rows,
  };
}

function valueOf(row: object, member: string): unknown {
  return Reflect.get(row, member);
}

function typeOf(values: readonly unknown[]): string {
  const first = values.find((value) => value !== undefined && value !== null);
  if (typeof first === 'object') return 'jsonb';
  return typeof first === 'boolean' ? 'bool' : typeof first === 'number' ? 'int4' : 'text';
}

function snake(member: string): string {
  return member
    .replaceAll(/([A-Z]+)([A-Z][a-z])/g, '$1_$2')
    .replaceAll(/([a-z0-9])([A-Z])/g, '$1_$2')
    .toLowerCase();
}
