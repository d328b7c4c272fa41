/** Two views of the same company: source applications apply a change first, and the service shows it slightly later. */
import type { TouchedRecord } from '#service/query/messages.ts';
import { accessAt, accessPlaces, seededAccessCount } from '../company/access-facts.ts';
import { World } from '../company/world.ts';
import { seededActivityCount } from '../records/activities.ts';
import type { Change, ChangeActivity, Changes } from './changes.ts';

export class ChangeLedger {
  /** The company in the state that the service shows. */
  readonly service: World;
  readonly #source: World;

  /** `recorded` holds the changes that the service already shows. */
  constructor(service: World, recorded: Iterable<Change>) {
    this.service = service;
    this.#source = new World(service.settings);
    for (const change of recorded) {
      this.apply(change);
      this.reflect(change);
    }
  }

  /** Returns whether the source application is already in this state. */
  isSo(change: Change): boolean {
    return isSo(this.#source, change);
  }

  /** Applies the change in the source application. Returns false if the application is already in this state. */
  apply(change: Change): boolean {
    if (isSo(this.#source, change)) return false;
    this.#source.changes = changed(this.#source, change);
    return true;
  }

  /** Applies the change to the service's data and returns the records that it affects. */
  reflect(change: Change): TouchedRecord[] {
    const { service } = this;
    const before = touchedBy(service, change);
    // This may repeat after a crash and restart.
    const reported = isSo(service, change) ? [] : reportOf(service, change);
    const place = seededActivityCount(service) + service.changes.activities.length;
    if (!isSo(service, change)) {
      const changes = changed(service, change);
      service.changes = { ...changes, activities: [...changes.activities, ...reported] };
    }
    const activities = reported.map(() => ({ collection: 'activities', place }) as const);
    return [...(before.length > 0 ? before : touchedBy(service, change)), ...activities];
  }
}

/** Returns the membership's current index, or undefined if it does not exist. */
export function membershipPlace(world: World, group: number, account: number): number | undefined {
  const seeded = account * accessPlaces + 3;
  const access = accessAt(world, seeded);
  if (access?.object === 'group' && access.objectIndex === group) return seeded;
  const first = seededAccessCount(world);
  const added = world.changes.memberships.findIndex(
    (each, index) =>
      each.groupIndex === group &&
      each.accountIndex === account &&
      !world.changes.removedAccess.has(first + index),
  );
  return added < 0 ? undefined : first + added;
}

/**
 * Returns the application's report of a change. Its time is never before the previous report's, whatever the clock
 * shows.
 */
function reportOf({ changes }: World, change: Change): ChangeActivity[] {
  if (change.at === undefined) return [];
  return [{ change, at: Math.max(change.at, changes.activities.at(-1)?.at ?? 0) }];
}

function isSo(world: World, change: Change): boolean {
  switch (change.kind) {
    case 'disable':
      return !world.account(change.account).isEnabled || world.changes.disabledAccounts.has(change.account);
    case 'revoke':
      return accessAt(world, change.place) === undefined;
    case 'join':
      return membershipPlace(world, change.group, change.account) !== undefined;
    case 'leave':
      return membershipPlace(world, change.group, change.account) === undefined;
  }
}

function changed(world: World, change: Change): Changes {
  const { changes } = world;
  switch (change.kind) {
    case 'disable':
      return {
        ...changes,
        disabledAccounts: new Map([...changes.disabledAccounts, [change.account, change.at]]),
      };
    case 'revoke':
      return { ...changes, removedAccess: new Set([...changes.removedAccess, change.place]) };
    case 'join':
      return {
        ...changes,
        memberships: [...changes.memberships, { groupIndex: change.group, accountIndex: change.account }],
      };
    case 'leave': {
      const place = membershipPlace(world, change.group, change.account);
      return place === undefined
        ? changes
        : { ...changes, removedAccess: new Set([...changes.removedAccess, place]) };
    }
  }
}

/** Returns the affected records: none if the membership does not exist, since it has no index. */
function touchedBy(world: World, change: Change): TouchedRecord[] {
  switch (change.kind) {
    case 'disable':
      return [{ collection: 'accounts', place: change.account }];
    case 'revoke':
      return [{ collection: 'access', place: change.place }];
    case 'join':
    case 'leave': {
      const place = membershipPlace(world, change.group, change.account);
      return place === undefined ? [] : [{ collection: 'access', place }];
    }
  }
}
