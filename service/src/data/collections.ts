/** Service collections, each with its schema, table and record factory. REST and SQL both use them. */
import type { TObject } from 'typebox';
import { Type } from 'typebox';
import { EntityAssignedAccessToObject, PersonIsEmployee } from '#api/contract/records/access.ts';
import { Account } from '#api/contract/records/accounts.ts';
import { Activity } from '#api/contract/records/activities.ts';
import { Authenticator, AuthenticatorEnrollment } from '#api/contract/records/authenticators.ts';
import { AccountRole, Role } from '#api/contract/records/roles.ts';
import { accessCount } from './company/access-facts.ts';
import { authenticatorKinds } from './company/words.ts';
import type { World } from './company/world.ts';
import { accessRecord, personLinkRecord } from './records/access.ts';
import { accountRecord } from './records/accounts.ts';
import { activityCount, activityRecord } from './records/activities.ts';
import {
  authenticatorRecord,
  enrollmentLinkRow,
  enrollmentPlaces,
  enrollmentRecord,
} from './records/authenticators.ts';
import { accountRoleCount, accountRoleRecord, roleRecord } from './records/roles.ts';

export interface Collection<Item extends object = object> {
  readonly table: string;
  readonly schema: TObject;
  readonly description: string;
  /** The kind in its records' global IDs. */
  readonly kind: string;
  /** The number of slots for records. Some slots may be empty. */
  readonly places: (world: World) => number;
  readonly record: (world: World, place: number) => Item | undefined;
}

const EnrollmentLinkRow = Type.Object({
  relationship: Type.String({ description: 'The link as the service lists it.' }),
  authenticatorEnrollmentId: Type.String({ description: 'Local ID of the enrollment.' }),
  authenticatorId: Type.String({ description: 'Local ID of the authenticator.' }),
});

function collection<Item extends object>(
  table: string,
  schema: TObject,
  description: string,
  kind: string,
  places: (world: World) => number,
  record: (world: World, place: number) => Item | undefined,
): Collection<Item> {
  return { table, schema, description, kind, places, record };
}

export const collections = {
  accounts: collection(
    'accounts',
    Account,
    'Accounts that can sign in, one row for each account of an application instance.',
    'account',
    (world) => world.accountCount,
    accountRecord,
  ),
  roles: collection(
    'roles',
    Role,
    'Roles that group permissions, with counts of members and reach.',
    'role',
    (world) => world.roleCount,
    roleRecord,
  ),
  accountRoles: collection(
    'account_roles',
    AccountRole,
    'The roles that accounts refer to by name, with the entitlements they imply.',
    'accountrole',
    () => accountRoleCount,
    accountRoleRecord,
  ),
  authenticators: collection(
    'authenticators',
    Authenticator,
    'Methods that people authenticate with.',
    'authenticator',
    () => authenticatorKinds.length,
    authenticatorRecord,
  ),
  enrollments: collection(
    'authenticator_enrollments',
    AuthenticatorEnrollment,
    'Enrollments of accounts in authenticators, with their status.',
    'enrollment',
    (world) => world.personCount * enrollmentPlaces,
    enrollmentRecord,
  ),
  activities: collection(
    'activities',
    Activity,
    'Actions of accounts, from audit logs, oldest first.',
    'activity',
    activityCount,
    activityRecord,
  ),
  access: collection(
    'entity_assigned_access_to_object',
    EntityAssignedAccessToObject,
    'Access of accounts and groups to objects, with its last use.',
    'access',
    accessCount,
    accessRecord,
  ),
  personLinks: collection(
    'person_is_employee',
    PersonIsEmployee,
    'Links between persons and employees.',
    'personlink',
    (world) => world.personCount,
    personLinkRecord,
  ),
  enrollmentLinks: collection(
    'enrollment_via_authenticator',
    EnrollmentLinkRow,
    'Links between enrollments and authenticators.',
    'enrollmentlink',
    (world) => world.personCount * enrollmentPlaces,
    enrollmentLinkRow,
  ),
} as const satisfies Record<string, Collection>;

export type CollectionName = keyof typeof collections;
