/** Iterates over the subjects of exports: people, their accounts, groups, resources and access. */
import { accessAt, accessCount, accessPlaces, type Access } from '../company/access-facts.ts';
import { applications, type Application } from '../company/words.ts';
import { iso, type AccountFacts, type Person, type World } from '../company/world.ts';
import { groupName } from '../records/access.ts';
import { activeMethods } from '../records/authenticators.ts';
import type { Columns } from './data-set.ts';

export function* people(world: World): Generator<Person, void, undefined> {
  for (let index = 0; index < world.personCount; index += 1) yield world.person(index);
}

/** Yields people with an employee record. Contractors have none. */
export function* employees(world: World): Generator<Person, void, undefined> {
  for (const person of people(world)) if (!person.isContractor) yield person;
}

export function* accounts(world: World): Generator<AccountFacts, void, undefined> {
  for (let index = 0; index < world.accountCount; index += 1) yield world.account(index);
}

export function* accountsOfKind(
  world: World,
  kind: AccountFacts['kind'],
): Generator<AccountFacts, void, undefined> {
  for (const account of accounts(world)) if (account.kind === kind) yield account;
}

/** Returns a person's accounts other than the directory account. */
export function accountsOf(world: World, person: Person): AccountFacts[] {
  const found: AccountFacts[] = [];
  for (let index = world.personCount + person.index; index < world.accountCount; index += world.personCount) {
    const account = world.account(index);
    if (account.person?.index === person.index) found.push(account);
  }
  for (const index of world.planted.accountsOf(person.index)) found.push(world.account(index));
  return found;
}

export function isEnabled(world: World, account: AccountFacts): boolean {
  return account.isEnabled && !world.changes.disabledAccounts.has(account.index);
}

export function hasMfa(world: World, { person }: AccountFacts): boolean {
  return person !== undefined && activeMethods(world, person).length > 0;
}

/**
 * Returns the email address of the account's owner: its holder or, for service and partner accounts, an employee, if
 * any.
 */
export function ownerEmail(world: World, { person, kind, index }: AccountFacts): string | undefined {
  if (person !== undefined) return person.email;
  const isOwned = kind === 'external' || world.chance.isTrue(0.6, 'owned', index);
  return isOwned ? world.person(world.chance.below(world.personCount, 'owner', index)).email : undefined;
}

export interface AccessItem {
  readonly index: number;
  readonly access: Access;
  readonly account: AccountFacts;
}

/** Yields the current access of all accounts. */
export function* accessItems(world: World): Generator<AccessItem, void, undefined> {
  for (let index = 0; index < accessCount(world); index += 1) {
    const access = accessAt(world, index);
    if (access?.entity === 'account') yield { index, access, account: world.account(access.entityIndex) };
  }
}

export interface Group {
  readonly index: number;
  readonly name: string;
  readonly applicationIndex: number;
  readonly ownerEmail: string;
}

export function groupAt(world: World, index: number): Group {
  return {
    index,
    name: groupName(index),
    applicationIndex: 1 + (index % (applications.length - 1)),
    ownerEmail: world.person(world.chance.below(world.personCount, 'group-owner', index)).email,
  };
}

export function* groups(world: World): Generator<Group, void, undefined> {
  for (let index = 0; index < world.groupCount; index += 1) yield groupAt(world, index);
}

/** Returns the group that a person joined when hired, unless that access was removed. */
export function firstGroup(world: World, person: Person): Group | undefined {
  const access = accessAt(world, person.index * accessPlaces + 3);
  return access?.object === 'group' ? groupAt(world, access.objectIndex) : undefined;
}

export interface Resource {
  readonly index: number;
  readonly name: string;
  readonly application: Application;
  readonly applicationIndex: number;
}

export const resources: readonly Resource[] = applications
  .flatMap((application, applicationIndex) =>
    application.resources.map((name) => ({ name, application, applicationIndex })),
  )
  .map((resource, index) => ({ ...resource, index }));

/** Account columns, used by most data sets. */
export const accountColumns: Columns<AccountFacts> = {
  accountGlobalId: ({ index }, world) => world.ids.of('account', index),
  alias: ({ alias }) => alias,
  email: ({ email }) => email,
  applicationInstanceId: ({ applicationIndex }, world) => world.instanceId(applicationIndex),
  applicationName: ({ application }) => application.name,
};

/** Adapts columns of an inner value to the subject that contains it. */
export function within<Outer, Inner>(get: (outer: Outer) => Inner, columns: Columns<Inner>): Columns<Outer> {
  return Object.fromEntries(
    Object.entries(columns).map(([name, valueOf]) => [
      name,
      (outer: Outer, world: World) => valueOf(get(outer), world),
    ]),
  );
}

export function isoOr(time: number | undefined): string | undefined {
  return time === undefined ? undefined : iso(time);
}

export function applicationName(index: number): string {
  return (applications[index] ?? applications[0]).name;
}
