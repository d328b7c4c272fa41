/** What change operations did to the synthetic company, on top of what its seed says. Plain data: it goes to the query worker. */
export interface Changes {
  /** Accounts that were disabled, with the moment (milliseconds since 1970). */
  readonly disabledAccounts: ReadonlyMap<number, number>;
  /** Places of access assignments that were taken away. */
  readonly removedAccess: ReadonlySet<number>;
  /** Memberships that were added, in this order; they follow the seed's access assignments. */
  readonly memberships: readonly Membership[];
  /** What the applications reported of it, oldest first; it follows the seed's activities. */
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

/** One change of one thing, as it was asked for. */
export type Change =
  | { readonly kind: 'disable'; readonly account: number; readonly at: number }
  /** An assignment of the seed, by its place. */
  | ({ readonly kind: 'revoke'; readonly place: number } & AskedAt)
  | ({ readonly kind: 'join'; readonly group: number; readonly account: number } & AskedAt)
  | ({ readonly kind: 'leave'; readonly group: number; readonly account: number } & AskedAt);

interface AskedAt {
  /** Milliseconds since 1970; changes kept by earlier versions do not say. */
  readonly at?: number;
}
