/**
 * Access assignments by index. First come five slots per account: its application, two roles, a group, and an
 * application with single sign-on. Then comes one slot per group, for an application. Some slots are empty.
 */
import type { PlantedAccess } from '../planted/planted-case.ts';
import { applications } from './words.ts';
import type { AccountFacts, World } from './world.ts';

export const accessPlaces = 5;
const rolePlaces = [1, 2] as const;

export interface Access {
  readonly entity: 'account' | 'group';
  readonly entityIndex: number;
  readonly object: 'application' | 'assigned-application' | 'role' | 'group';
  readonly objectIndex: number;
  /** The application that the object belongs to. */
  readonly applicationIndex: number;
  readonly isPrivileged: boolean;
  /** Number of uses in the activity history. */
  readonly uses: number;
  readonly firstUsed: number | undefined;
  readonly lastUsed: number | undefined;
}

export function accessCount(world: World): number {
  return seededAccessCount(world) + world.changes.memberships.length;
}

/** Returns the number of slots in the seed. Memberships added later follow. */
export function seededAccessCount(world: World): number {
  return world.accountCount * accessPlaces + world.groupCount;
}

/** Returns the current access in a slot. */
export function accessAt(world: World, index: number): Access | undefined {
  return world.changes.removedAccess.has(index) ? undefined : accessEverAt(world, index);
}

/** Returns the access in a slot, even if it was removed. */
export function accessEverAt(world: World, index: number): Access | undefined {
  const addedPlace = index - seededAccessCount(world);
  // Negative array indexes are slow property lookups.
  const added = addedPlace < 0 ? undefined : world.changes.memberships[addedPlace];
  if (added === undefined) return seededAccess(world, index);
  return {
    entity: 'account',
    entityIndex: added.accountIndex,
    object: 'group',
    objectIndex: added.groupIndex,
    applicationIndex: 0,
    isPrivileged: false,
    uses: 0,
    firstUsed: undefined,
    lastUsed: undefined,
  };
}

function seededAccess(world: World, index: number): Access | undefined {
  const { chance } = world;
  const ofGroup = index - world.accountCount * accessPlaces;
  if (ofGroup >= 0) {
    const objectIndex = 1 + (ofGroup % (applications.length - 1));
    return {
      entity: 'group',
      entityIndex: ofGroup,
      object: 'assigned-application',
      objectIndex,
      applicationIndex: 0,
      isPrivileged: false,
      uses: 0,
      firstUsed: undefined,
      lastUsed: undefined,
    };
  }
  const entityIndex = Math.floor(index / accessPlaces);
  const place = index % accessPlaces;
  const planted = plantedAccess(world, entityIndex);
  if (planted !== undefined) return accessOfCase(world, entityIndex, planted[place]);
  if (!isTaken(world, index)) return undefined;
  const account = world.account(entityIndex);
  const { applicationIndex } = account;
  const base = { entity: 'account', entityIndex, applicationIndex, isPrivileged: false } as const;
  const usage = world.usage(account);
  const isUsed = mayBeUsed(world, index);
  const used = {
    uses: isUsed ? Math.ceil(usage.count * (place === 0 ? 1 : chance.unit('access-share', index))) : 0,
    firstUsed: isUsed ? usage.first : undefined,
    lastUsed: isUsed ? usage.last : undefined,
  };
  switch (place) {
    case 0:
      return {
        ...base,
        ...used,
        object: 'application',
        objectIndex: applicationIndex,
        isPrivileged: account.isAdmin,
      };
    case 1:
    case 2: {
      const objectIndex = roleFor(world, index, applicationIndex, account.isAdmin);
      const isPrivileged = isPrivilegedRole(world, objectIndex);
      return { ...base, ...used, object: 'role', objectIndex, isPrivileged };
    }
    case 3:
      return account.kind === 'directory'
        ? { ...base, ...used, object: 'group', objectIndex: chance.below(world.groupCount, 'group', index) }
        : undefined;
    default:
      return account.kind === 'directory'
        ? {
            ...base,
            ...used,
            object: 'assigned-application',
            objectIndex: 1 + chance.below(applications.length - 1, 'assigned', index),
          }
        : undefined;
  }
}

const applicationInUse: readonly PlantedAccess[] = [{ to: 'application', isUsed: true }];

/** Returns undefined unless the account is planted. */
function plantedAccess(world: World, accountIndex: number): readonly PlantedAccess[] | undefined {
  const planted = world.planted.account(accountIndex);
  return planted === undefined ? undefined : (planted.is.access ?? applicationInUse);
}

function accessOfCase(
  world: World,
  entityIndex: number,
  planted: PlantedAccess | undefined,
): Access | undefined {
  if (planted === undefined) return undefined;
  const account = world.account(entityIndex);
  const { applicationIndex } = account;
  const usage = planted.isUsed === true ? world.usage(account) : undefined;
  const base = { entity: 'account', entityIndex, applicationIndex } as const;
  const used = { uses: usage?.count ?? 0, firstUsed: usage?.first, lastUsed: usage?.last };
  const isPrivileged = planted.isPrivileged === true;
  switch (planted.to) {
    case 'application':
      return { ...base, ...used, isPrivileged, object: 'application', objectIndex: applicationIndex };
    case 'group':
      return { ...base, ...used, isPrivileged, object: 'group', objectIndex: 0 };
    default: {
      const objectIndex = plantedRoleIndex(world, planted.to);
      return {
        ...base,
        ...used,
        isPrivileged: isPrivilegedRole(world, objectIndex),
        object: 'role',
        objectIndex,
      };
    }
  }
}

function plantedRoleIndex(world: World, to: Exclude<PlantedAccess['to'], string>): number {
  return 'role' in to ? to.role : world.planted.indexOfRole(to.plantedRole);
}

const likelihoods = [1, 0.8, 0.25, 0.5, 0.6] as const;

function isTaken(world: World, index: number): boolean {
  return world.chance.isTrue(likelihoods[index % accessPlaces] ?? 0, 'access', index);
}

/** An application is used whenever its account is. Other access is used less often, or never. */
function mayBeUsed(world: World, index: number): boolean {
  return index % accessPlaces === 0 || world.chance.isTrue(0.65, 'access-used', index);
}

/** Yields only an account's roles, for counting the members of all roles. */
export function* rolesOf(world: World, accountIndex: number): Generator<{ role: number; isUsed: boolean }> {
  const planted = plantedAccess(world, accountIndex);
  if (planted !== undefined) {
    for (const { to, isUsed = false } of planted) {
      if (typeof to === 'string') continue;
      yield {
        role: plantedRoleIndex(world, to),
        isUsed: isUsed && world.isEverActive(world.account(accountIndex)),
      };
    }
    return;
  }
  let account: AccountFacts | undefined;
  for (const place of rolePlaces) {
    const index = accountIndex * accessPlaces + place;
    if (!isTaken(world, index)) continue;
    account ??= world.account(accountIndex);
    const role = roleFor(world, index, account.applicationIndex, account.isAdmin);
    yield { role, isUsed: mayBeUsed(world, index) && world.isEverActive(account) };
  }
}

/**
 * One in eight roles administers its application, and one in eight is for emergencies. See roles.ts for their names.
 */
export function isPrivilegedRole(world: World, roleIndex: number): boolean {
  const planted = world.planted.role(roleIndex);
  if (planted !== undefined) return planted.is.isAdministrative;
  const flavour = Math.floor(roleIndex / applications.length) % 8;
  return flavour === 0 || flavour === 5;
}

/** Picks a role of the application. Accounts that are not administrators rarely get a privileged one. */
function roleFor(world: World, index: number, applicationIndex: number, isAdmin: boolean): number {
  const { chance } = world;
  const count = Math.floor((world.seededRoleCount - 1 - applicationIndex) / applications.length) + 1;
  const wanted = chance.below(count, 'role-of', index);
  const role = wanted * applications.length + applicationIndex;
  if (!isPrivilegedRole(world, role) || isAdmin || count === 1) return role;
  return chance.isTrue(0.15, 'over-privileged', index)
    ? role
    : ((wanted + 1) % count) * applications.length + applicationIndex;
}
