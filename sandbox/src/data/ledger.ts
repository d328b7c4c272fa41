/**
 * Who knows of which change: the source applications, which take it first, and the service, which shows it a while
 * later. Both are the same company, each with the changes it has seen.
 */
import type { TouchedRecord } from '../query/messages.ts';
import { accessAt, accessPlaces, seededAccessCount } from './access-facts.ts';
import { seededActivityCount } from './activities.ts';
import type { Change, ChangeActivity, Changes } from './changes.ts';
import { World } from './world.ts';

export class ChangeLedger {
  /** As the service shows it. */
  readonly service: World;
  readonly #source: World;

  /** `recorded` are the changes that the service shows already. */
  constructor(service: World, recorded: Iterable<Change>) {
    this.service = service;
    this.#source = new World(service.settings);
    for (const change of recorded) {
      this.apply(change);
      this.reflect(change);
    }
  }

  /** Whether the source application is so already. */
  isSo(change: Change): boolean {
    return isSo(this.#source, change);
  }

  /** Changes the source application. False: it was so already. */
  apply(change: Change): boolean {
    if (isSo(this.#source, change)) return false;
    this.#source.changes = changed(this.#source, change);
    return true;
  }

  /** Shows the change in the service's own data. Answers the records that look different now. */
  reflect(change: Change): TouchedRecord[] {
    const { service } = this;
    const before = touchedBy(service, change);
    // A start after a crash may come here a second time.
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

/** The place of a membership as the world has it now; undefined when there is none. */
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

/** What the application reports of a change. Never before what it reported last, whatever the clock says. */
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

/** Empty for a membership that is not there: the place is known once it is, or as long as it is. */
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
