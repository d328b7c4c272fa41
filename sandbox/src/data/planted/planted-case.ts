/**
 * What a planted case is made of. The library's controls (library/) each have one account, person or role in the
 * sandbox that they must find, and one that looks much like it and must not be found. Days count back from the day that
 * the data leads up to.
 */
import type { Account } from '../../../../api/contract/accounts.ts';
import type { ActivityType } from '../../../../api/contract/activities.ts';
import type { Role } from '../../../../api/contract/roles.ts';

export type CaseKind = 'planted' | 'clean';

/** People who hold planted accounts, at the end of the directory. */
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
  /** Where it was last used before the history of activity. */
  readonly lastUsedDaysAgo?: number;
}

export interface PlantedActivity {
  readonly type: ActivityType;
  /** The account that it is about: the first planted person's, or the actor's own. */
  readonly about?: 'employee' | 'self';
  /** Outside of the offices. */
  readonly isOutside?: boolean;
}

/** What differs from a tidy account: enabled, of an employee, with a second factor, used all the time. */
export interface AccountCase {
  /** In words, for the guide. */
  readonly says: string;
  /** `nobody`: an account of a person that is linked to no directory entry. */
  readonly owner?: PersonKey | 'nobody';
  readonly kind?: 'standard' | 'admin-twin' | 'service' | 'external';
  readonly application?: string;
  readonly roleIndex?: number;
  readonly isAdmin?: boolean;
  readonly isDisabled?: boolean;
  readonly createdDaysAgo?: number;
  /** The rounds of activity in which it acts; all of them where this is not said. */
  readonly rounds?: readonly number[];
  /** Its last use where it acts in no round; never used where this is not said either. */
  readonly lastUsedDaysAgo?: number;
  readonly managers?: readonly PersonKey[];
  readonly factor?: 'FIDO2' | 'SMS' | 'none';
  readonly enforcement?: string;
  /** Members of the record whose value is a number of days ago; null for none at all. */
  readonly days?: Partial<
    Record<'expirationDate' | 'lastModifiedDate' | 'lastPasswordChangedDate', number | null>
  >;
  readonly record?: Partial<Account>;
  /** An application instance of its own, by number. */
  readonly ownInstance?: number;
  /** A directory entry that does not exist. */
  readonly isDirectoryEntryGone?: boolean;
  readonly isUsableAnywhere?: boolean;
  readonly access?: readonly PlantedAccess[];
  /** By round; signing in where nothing is said. */
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

/** Where a control looks for its cases. */
export type Case =
  | { readonly of: 'account'; readonly account: AccountCase }
  | { readonly of: 'person'; readonly person: PersonKey }
  | { readonly of: 'role'; readonly role: RoleCase };

export interface PlantedPair {
  readonly control: string;
  readonly planted: Case;
  readonly clean: Case;
}

/** `lv-01-planted`: alias of an account, name of a role. */
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
