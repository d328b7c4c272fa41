/**
 * Two views of the changes: the source applications apply them first, and the service shows them slightly
 * later. Both are the same company with different changes applied.
 */
import type { TouchedRecord } from '../../query/messages.ts';
import { accessAt, accessPlaces, seededAccessCount } from '../company/access-facts.ts';
import { seededActivityCount } from '../records/activities.ts';
import type { Change, ChangeActivity, Changes } from './changes.ts';
import { World } from '../company/world.ts';

export class ChangeLedger {
  /** The company as the service shows it. */
  readonly service: World;
  readonly #source: World;

  /** `recorded` are the changes that the service already shows. */
  constructor(service: World, recorded: Iterable<Change>) {
    this.service = service;
    this.#source = new World(service.settings);
    for (const change of recorded) {
      this.apply(change);
      this.reflect(change);
    }
  }

  /** Whether the source application is already in this state. */
  isSo(change: Change): boolean {
    return isSo(this.#source, change);
  }

  /** Applies the change in the source application. False if it is already in this state. */
  apply(change: Change): boolean {
    if (isSo(this.#source, change)) return false;
    this.#source.changes = changed(this.#source, change);
    return true;
  }

  /** Applies the change to the service's data and returns the records that now differ. */
  reflect(change: Change): TouchedRecord[] {
    const { service } = this;
    const before = touchedBy(service, change);
    // A restart after a crash may repeat this.
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

/** Current position of a membership; undefined if there is none. */
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

/** The application's report of a change, never earlier than its previous report, regardless of the clock. */
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

/** Empty for a missing membership, which has no index. */
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
