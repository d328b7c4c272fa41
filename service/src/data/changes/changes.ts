/**
 * Changes to the synthetic company, applied on top of its seed. Plain data, so that it can be sent to the query worker.
 */
export interface Changes {
  /** Disabled accounts, each with the time it was disabled (milliseconds since 1970). */
  readonly disabledAccounts: ReadonlyMap<number, number>;
  /** Indexes of removed access assignments. */
  readonly removedAccess: ReadonlySet<number>;
  /** Added memberships in order, numbered after the seed's access assignments. */
  readonly memberships: readonly Membership[];
  /** Reports from applications, oldest first, numbered after the seed's activities. */
  readonly activities: readonly ChangeActivity[];
}

export interface ChangeActivity {
  readonly change: Change;
  /** Milliseconds since 1970. */
  readonly at: number;
}

export interface Membership {
  readonly groupIndex: number;
  readonly accountIndex: number;
}

export const noChanges: Changes = {
  disabledAccounts: new Map(),
  removedAccess: new Set(),
  memberships: [],
  activities: [],
};

/** One requested change to one target. */
export type Change =
  | { readonly kind: 'disable'; readonly account: number; readonly at: number }
  /** Index of an access assignment in the seed. */
  | ({ readonly kind: 'revoke'; readonly place: number } & AskedAt)
  | ({ readonly kind: 'join'; readonly group: number; readonly account: number } & AskedAt)
  | ({ readonly kind: 'leave'; readonly group: number; readonly account: number } & AskedAt);

interface AskedAt {
  /** Milliseconds since 1970; absent from changes stored by earlier versions. */
  readonly at?: number;
}
