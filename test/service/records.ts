/** The service's records: few, fixed, and without the specification's optional fields. */
import { createHash } from 'node:crypto';
import type { SwitchBoard } from './switches.ts';

export type Row = Readonly<Record<string, unknown>>;

export const collections = [
  'accounts',
  'roles',
  'account-roles',
  'authenticators',
  'authenticator-enrollments',
  'activities',
  'entity-assigned-access-to-object',
  'person-is-employee',
] as const;
export type Collection = (typeof collections)[number];

const generated = '2026-06-01T08:00:00Z';
/** One in three records belongs to the second instance. */
const instances = [idOf('instance 0'), idOf('instance 1')];

export class Records {
  readonly #switches: SwitchBoard;
  readonly #rows: Record<Collection, Row[]>;

  constructor(switches: SwitchBoard, accounts: number) {
    this.#switches = switches;
    this.#rows = build(accounts);
  }

  /** Returns records as listed, with the platform's metadata. */
  list(collection: Collection): readonly unknown[] {
    const rows = this.#rows[collection].map((row) => this.#told(collection, row));
    return this.#switches.has('odd-record') ? [...rows.slice(0, 1), 'not a record', ...rows.slice(1)] : rows;
  }

  /** Returns a record as read by ID, without the metadata: "platformObjectMetadata, on listed records". */
  find(collection: Collection, globalId: string): Row | undefined {
    const row = this.#rows[collection].find((each) => each['globalId'] === globalId);
    if (row === undefined) return undefined;
    const { platformObjectMetadata: _, ...rest } = row;
    return rest;
  }

  links(): readonly string[] {
    const isOther = this.#switches.is('link-text', 'other-text');
    return this.#rows['authenticator-enrollments'].map(({ id }) =>
      isOther
        ? `(AuthenticatorEnrollment ${String(id)})-[EnrolledVia]->(Authenticator a-0)`
        : `(:AuthenticatorEnrollment {id: "${String(id)}"})-[:EnrolledVia]->(:Authenticator {id: "a-0"})`,
    );
  }

  change(collection: Collection, globalId: string, change: Row): void {
    this.#rows[collection] = this.#rows[collection].map((row) =>
      row['globalId'] === globalId ? { ...row, ...change } : row,
    );
  }

  add(collection: Collection, row: Row): void {
    this.#rows[collection].push(row);
  }

  remove(collection: Collection, is: (row: Row) => boolean): boolean {
    const left = this.#rows[collection].filter((row) => !is(row));
    const isRemoved = left.length < this.#rows[collection].length;
    this.#rows[collection] = left;
    return isRemoved;
  }

  #told(collection: Collection, row: Row): Row {
    if (this.#switches.has('ids-only')) return { globalId: row['globalId'] };
    if (collection === 'accounts' && this.#switches.is('account-role', 'other-name')) {
      const { accountRole, ...rest } = row;
      return { ...rest, accountRoleName: accountRole };
    }
    return this.#switches.has('null-members')
      ? { ...row, sourceTag: null, sorPrimaryStewardEmail: null }
      : row;
  }
}

/** Returns a UUID that is the same in every run. */
export function idOf(name: string): string {
  const digits = createHash('sha256').update(name).digest('hex');
  return [
    digits.slice(0, 8),
    digits.slice(8, 12),
    `4${digits.slice(13, 16)}`,
    `8${digits.slice(17, 20)}`,
    digits.slice(20, 32),
  ].join('-');
}

/** Returns the fields common to all records. */
function record(kind: string, index: number): Row {
  return {
    id: `${kind[0] ?? ''}-${index}`,
    globalId: idOf(`${kind} ${index}`),
    objectMetadata: {
      ApplicationInstanceId: instances[index % 3 === 2 ? 1 : 0],
      GeneratedTime: generated,
      Profile: kind,
      ObjectOrRelationshipType: kind,
    },
    platformObjectMetadata: { enrichmentVersion: '1', generatedTime: generated },
  };
}

function times(count: number, make: (index: number) => Row): Row[] {
  return Array.from({ length: count }, (_, index) => make(index));
}

export function access(
  from: readonly [type: string, id: string],
  to: readonly [type: string, id: string],
): Row {
  return {
    ...record('EntityAssignedAccessToObject', 0),
    id: `${from[1]}-${to[1]}`,
    globalId: idOf(`access ${from[1]} ${to[1]}`),
    entityType: from[0],
    globalEntityId: from[1],
    assignedObjectType: to[0],
    globalAssignedObjectId: to[1],
  };
}

function build(accounts: number): Record<Collection, Row[]> {
  const account = (index: number) => idOf(`Account ${index}`);
  const now = Date.now();
  return {
    accounts: times(accounts, (index) => ({
      ...record('Account', index),
      accountRole: 'member',
      alias: `user${index}`,
      authenticationFunctions: ['Login'],
      email: `user${index}@example.com`,
      enabled: true,
      hasAPIAccess: false,
      isAdmin: index === 0,
      mfaRequirements: 'Required',
      ssoRequirements: 'Required',
      subType: 'Standard',
      type: 'User',
      enrichedDataClassifications: ['Confidential'],
      enrichedMFAStatus: {},
      enrichedNormalizedEmail: `user${index}@example.com`,
      enrichedSharingRiskCategory: 'AnonymousEndpoint',
    })),
    roles: times(5, (index) => ({ ...record('Role', index), name: `Role ${index}` })),
    'account-roles': times(3, (index) => ({ ...record('AccountRole', index), name: `member${index}` })),
    authenticators: times(2, (index) => ({
      ...record('Authenticator', index),
      id: `a-${index}`,
      name: `Key ${index}`,
    })),
    'authenticator-enrollments': times(4, (index) => ({
      ...record('AuthenticatorEnrollment', index),
      enrollmentStatus: 'Active',
    })),
    // The newest activity is a minute old, because the default time window is the last thirty days.
    activities: times(6, (index) => ({
      ...record('Activity', index),
      timestamp: new Date(now - (index * 86_400 + 60) * 1_000).toISOString(),
      activityType: 'Login.Success',
      globalActorAccountId: account(0),
    })),
    'entity-assigned-access-to-object': [
      access(['Account', account(0)], ['AssignedApplication', idOf('application')]),
      access(['UserGroup', idOf('group')], ['AssignedApplication', idOf('application')]),
      access(['Account', account(1)], ['UserGroup', idOf('group')]),
    ],
    'person-is-employee': times(2, (index) => ({
      ...record('PersonIsEmployee', index),
      globalPersonId: idOf(`p ${index}`),
    })),
  };
}
