/** Every collection of the service: its schema, its table, and how its records are made. REST and SQL both come from here. */
import type { TObject } from 'typebox';
import { Type } from 'typebox';
import { EntityAssignedAccessToObject, PersonIsEmployee } from '../../../api/contract/access.ts';
import { Account } from '../../../api/contract/accounts.ts';
import { Activity } from '../../../api/contract/activities.ts';
import { Authenticator, AuthenticatorEnrollment } from '../../../api/contract/authenticators.ts';
import { AccountRole, Role } from '../../../api/contract/roles.ts';
import { accessCount } from './access-facts.ts';
import { accessRecord, personLinkRecord } from './access.ts';
import { accountRecord } from './accounts.ts';
import { activityCount, activityRecord } from './activities.ts';
import {
  authenticatorRecord,
  enrollmentLinkRow,
  enrollmentPlaces,
  enrollmentRecord,
} from './authenticators.ts';
import { accountRoleCount, accountRoleRecord, roleRecord } from './roles.ts';
import { authenticatorKinds } from './words.ts';
import type { World } from './world.ts';

export interface Collection<Item extends object = object> {
  readonly table: string;
  readonly schema: TObject;
  readonly description: string;
  /** Names the global ids of its records. */
  readonly kind: string;
  /** Places for records; some may be empty. */
  readonly places: (world: World) => number;
  readonly record: (world: World, place: number) => Item | undefined;
}

const EnrollmentLinkRow = Type.Object({
  relationship: Type.String({ description: 'The link as the service lists it.' }),
  authenticatorEnrollmentId: Type.String({ description: 'Local id of the enrollment.' }),
  authenticatorId: Type.String({ description: 'Local id of the authenticator.' }),
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
    'Who can sign in, one row an account of an application instance.',
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
    'What people prove themselves with.',
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
    'What accounts did, from audit logs, oldest first.',
    'activity',
    activityCount,
    activityRecord,
  ),
  access: collection(
    'entity_assigned_access_to_object',
    EntityAssignedAccessToObject,
    'Which account or group has access to which object, and when it was last used.',
    'access',
    accessCount,
    accessRecord,
  ),
  personLinks: collection(
    'person_is_employee',
    PersonIsEmployee,
    'Which person is which employee.',
    'personlink',
    (world) => world.personCount,
    personLinkRecord,
  ),
  enrollmentLinks: collection(
    'enrollment_via_authenticator',
    EnrollmentLinkRow,
    'Which enrollment is in which authenticator.',
    'enrollmentlink',
    (world) => world.personCount * enrollmentPlaces,
    enrollmentLinkRow,
  ),
} as const satisfies Record<string, Collection>;

export type CollectionName = keyof typeof collections;
