/**
 * A planted case. For each control of the library (library/), the sandbox has one account, person or role that the
 * control must find, and a similar one that it must not find. Days count back from the sandbox's day.
 */
import type { Account } from '../../../../api/contract/records/accounts.ts';
import type { ActivityType } from '../../../../api/contract/records/activities.ts';
import type { Role } from '../../../../api/contract/records/roles.ts';

export type CaseKind = 'planted' | 'clean';

/** People who hold planted accounts, placed at the end of the directory. */
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
  /** Last use, if it was before the activity history. */
  readonly lastUsedDaysAgo?: number;
}

export interface PlantedActivity {
  readonly type: ActivityType;
  /** The account it affects: the first planted person's, or the actor's own. */
  readonly about?: 'employee' | 'self';
  /** From an address outside the offices. */
  readonly isOutside?: boolean;
}

/** Differences from a tidy account: enabled, held by an employee, with a second factor, always active. */
export interface AccountCase {
  /** A description for the guide. */
  readonly says: string;
  /** `nobody`: a personal account without a directory entry. */
  readonly owner?: PersonKey | 'nobody';
  readonly kind?: 'standard' | 'admin-twin' | 'service' | 'external';
  readonly application?: string;
  readonly roleIndex?: number;
  readonly isAdmin?: boolean;
  readonly isDisabled?: boolean;
  readonly createdDaysAgo?: number;
  /** Activity rounds in which it acts; default: all. */
  readonly rounds?: readonly number[];
  /** The last use of an account without activities; undefined if it was never used. */
  readonly lastUsedDaysAgo?: number;
  readonly managers?: readonly PersonKey[];
  readonly factor?: 'FIDO2' | 'SMS' | 'none';
  readonly enforcement?: string;
  /** Date members of the record, as days ago; null omits the date. */
  readonly days?: Partial<
    Record<'expirationDate' | 'lastModifiedDate' | 'lastPasswordChangedDate', number | null>
  >;
  readonly record?: Partial<Account>;
  /** Number of an application instance used only by this account. */
  readonly ownInstance?: number;
  /** The account refers to a directory entry that does not exist. */
  readonly isDirectoryEntryGone?: boolean;
  readonly isUsableAnywhere?: boolean;
  readonly access?: readonly PlantedAccess[];
  /** Activities by round; the default is signing in. */
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

/** A case by the kind of object that the control examines. */
export type Case =
  | { readonly of: 'account'; readonly account: AccountCase }
  | { readonly of: 'person'; readonly person: PersonKey }
  | { readonly of: 'role'; readonly role: RoleCase };

export interface PlantedPair {
  readonly control: string;
  readonly planted: Case;
  readonly clean: Case;
}

/** For example `lv-01-planted`: an account's alias or a role's name. */
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
