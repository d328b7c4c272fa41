/** What change operations did to the synthetic company, on top of what its seed says. Plain data: it goes to the query worker. */
export interface Changes {
  /** Accounts that were disabled, with the moment (milliseconds since 1970). */
  readonly disabledAccounts: ReadonlyMap<number, number>;
  /** Places of access assignments that were taken away. */
  readonly removedAccess: ReadonlySet<number>;
  /** Memberships that were added, in this order; they follow the seed's access assignments. */
  readonly memberships: readonly Membership[];
}

export interface Membership {
  readonly groupIndex: number;
  readonly accountIndex: number;
}

export const noChanges: Changes = { disabledAccounts: new Map(), removedAccess: new Set(), memberships: [] };

/** One change of one thing, as it was asked for. */
export type Change =
  | { readonly kind: 'disable'; readonly account: number; readonly at: number }
  /** An assignment of the seed, by its place. */
  | { readonly kind: 'revoke'; readonly place: number }
  | { readonly kind: 'join'; readonly group: number; readonly account: number }
  | { readonly kind: 'leave'; readonly group: number; readonly account: number };
