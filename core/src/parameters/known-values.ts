/** Known values of columns, from the contract, offered for parameters that are compared with the column. */
import type { TObject } from 'typebox';
import { columnName } from '#api/contract/tables.ts';

/** Known values by column, such as `accounts.type`. They are only suggestions, since the service may have others. */
export type KnownValues = ReadonlyMap<string, readonly string[]>;

/** Loads the contract's schemas with the first form rather than at startup. */
export async function loadKnownValues(): Promise<KnownValues> {
  const [access, accounts, activities, authenticators, roles] = await Promise.all([
    import('#api/contract/records/access.ts'),
    import('#api/contract/records/accounts.ts'),
    import('#api/contract/records/activities.ts'),
    import('#api/contract/records/authenticators.ts'),
    import('#api/contract/records/roles.ts'),
  ]);
  const tables: readonly (readonly [string, TObject])[] = [
    ['accounts', accounts.Account],
    ['account_roles', roles.AccountRole],
    ['roles', roles.Role],
    ['activities', activities.Activity],
    ['authenticators', authenticators.Authenticator],
    ['authenticator_enrollments', authenticators.AuthenticatorEnrollment],
    ['entity_assigned_access_to_object', access.EntityAssignedAccessToObject],
    ['person_is_employee', access.PersonIsEmployee],
  ];
  return new Map(
    tables.flatMap(([table, schema]) =>
      Object.entries(schema.properties).flatMap(([member, property]) => {
        const values = listedValues(property);
        return values.length === 0 ? [] : [[`${table}.${columnName(member)}`, values] as const];
      }),
    ),
  );
}

/** Returns a closed enum's values or an open enum's examples; for a list, its items' values. */
function listedValues(schema: object): readonly string[] {
  const items: unknown = Reflect.get(schema, 'items');
  const listed: unknown = Reflect.get(schema, 'enum') ?? Reflect.get(schema, 'examples');
  if (Array.isArray(listed)) return listed.filter((value) => typeof value === 'string');
  return typeof items === 'object' && items !== null ? listedValues(items) : [];
}
