/**
 * The type of planted cases. For each control in the library (library/), the sandbox has an account, person or role
 * that the control must find, and a similar one that it must ignore. Days count back from the sandbox's current day.
 */
import type { Account } from '#api/contract/records/accounts.ts';
import type { ActivityType } from '#api/contract/records/activities.ts';
import type { Role } from '#api/contract/records/roles.ts';

export type CaseKind = 'planted' | 'clean';

/** The people who hold planted accounts. They come last in the directory. */
export type PersonKey =
  | 'employee'
  | 'accountant'
  | 'left'
  | 'left-yesterday'
  | 'left-with-key'
  | 'without-factor'
  | 'still-enrolling'
  | 'enrolling-late'
  | 'books-and-payments'
  | 'payroll-and-payments'
  | 'code-and-release'
  | 'three-applications'
  | 'separate-duties';

export interface PlantedPerson {
  readonly key: PersonKey;
  readonly says: string;
  readonly leftDaysAgo?: number;
  readonly work?: 'technology' | 'business';
  readonly enrollment?: { readonly status: 'Active' | 'Pending' | 'Revoked'; readonly daysAgo: number };
}

export interface PlantedAccess {
  readonly to: 'application' | 'group' | { readonly role: number } | { readonly plantedRole: string };
  readonly isPrivileged?: boolean;
  readonly isUsed?: boolean;
  /** Days since the last use, if that was before the activity history. */
  readonly lastUsedDaysAgo?: number;
}

export interface PlantedActivity {
  readonly type: ActivityType;
  /** The affected account: the first planted person's, or the actor's own. */
  readonly about?: 'employee' | 'self';
  /** Whether the address is outside the offices. */
  readonly isOutside?: boolean;
}

/** Differences from the default: an employee's enabled, always active account with a second factor. */
export interface AccountCase {
  /** Description for the guide. */
  readonly says: string;
  /** `nobody`: a personal account without a directory entry. */
  readonly owner?: PersonKey | 'nobody';
  readonly kind?: 'standard' | 'admin-twin' | 'service' | 'external';
  readonly application?: string;
  readonly roleIndex?: number;
  readonly isAdmin?: boolean;
  readonly isDisabled?: boolean;
  readonly createdDaysAgo?: number;
  /** Activity rounds in which the account is active. Defaults to all rounds. */
  readonly rounds?: readonly number[];
  /** Days since the last use, for an account without activities. Undefined if it was never used. */
  readonly lastUsedDaysAgo?: number;
  readonly managers?: readonly PersonKey[];
  readonly factor?: 'FIDO2' | 'SMS' | 'none';
  readonly enforcement?: string;
  /** Date fields of the record, in days before the sandbox's day. `null` omits the date. */
  readonly days?: Partial<
    Record<'expirationDate' | 'lastModifiedDate' | 'lastPasswordChangedDate', number | null>
  >;
  readonly record?: Partial<Account>;
  /** Number of an application instance that only this account uses. */
  readonly ownInstance?: number;
  /** Whether the account refers to a directory entry that does not exist. */
  readonly isDirectoryEntryGone?: boolean;
  readonly isUsableAnywhere?: boolean;
  readonly access?: readonly PlantedAccess[];
  /** Activities by round. The default activity is a sign-in. */
  readonly activities?: Readonly<Record<number, PlantedActivity>>;
}

export interface RoleCase {
  readonly says: string;
  readonly isAdministrative: boolean;
  readonly reach: number;
  readonly isOwned?: boolean;
  readonly modifiedDaysAgo?: number;
  readonly record?: Partial<Role>;
}

/** A case for the kind of object that its control examines. */
export type Case =
  | { readonly of: 'account'; readonly account: AccountCase }
  | { readonly of: 'person'; readonly person: PersonKey }
  | { readonly of: 'role'; readonly role: RoleCase };

export interface PlantedPair {
  readonly control: string;
  readonly planted: Case;
  readonly clean: Case;
}

/** Returns a case's name, for example `lv-01-planted`. Roles use it as their name. */
export function caseName(control: string, kind: CaseKind): string {
  return `${control.toLowerCase()}-${kind}`;
}

export function accounts(control: string, planted: AccountCase, clean: AccountCase): PlantedPair {
  return {
    control,
    planted: { of: 'account', account: planted },
    clean: { of: 'account', account: clean },
  };
}

export function people(control: string, planted: PersonKey, clean: PersonKey): PlantedPair {
  return { control, planted: { of: 'person', person: planted }, clean: { of: 'person', person: clean } };
}

export function roles(control: string, planted: RoleCase, clean: RoleCase): PlantedPair {
  return { control, planted: { of: 'role', role: planted }, clean: { of: 'role', role: clean } };
}
