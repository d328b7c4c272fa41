/**
 * The synthetic company: its people, accounts and activities as functions of an index. All collections derive from it,
 * so they are consistent, and only a few counts are stored.
 */
import { dayMs } from '#service/options.ts';
import type { DataSettings } from '#service/query/messages.ts';
import { noChanges, type Changes } from '../changes/changes.ts';
import type { PlantedPerson } from '../planted/planted-case.ts';
import { applicationOf, ownerOf, Planted, type NamedAccount } from '../planted/planted.ts';
import { Chance, GlobalIds, Permutation } from './random.ts';
import { applications, countries, departments, familyNames, givenNames, type Application } from './words.ts';

export interface Person {
  readonly index: number;
  readonly givenName: string;
  readonly familyName: string;
  readonly name: string;
  readonly login: string;
  readonly email: string;
  readonly department: string;
  readonly costCenter: string;
  readonly jobFamily: string;
  readonly title: string;
  readonly countryCode: string;
  readonly employeeNumber: string;
  readonly managerEmail: string | undefined;
  readonly isContractor: boolean;
  /** Milliseconds since 1970. */
  readonly joinedAt: number;
  readonly leftAt: number | undefined;
}

export type AccountKind = 'directory' | 'standard' | 'admin-twin' | 'service' | 'external';

export interface AccountFacts {
  readonly index: number;
  readonly kind: AccountKind;
  readonly person: Person | undefined;
  readonly applicationIndex: number;
  readonly application: Application;
  /** Rank among the application's roles; 0 is the most powerful. */
  readonly roleIndex: number;
  readonly isAdmin: boolean;
  readonly isEnabled: boolean;
  readonly alias: string;
  readonly email: string;
  readonly createdAt: number;
  /** Share of the activity rounds in which the account is active. */
  readonly diligence: number;
  /** The account's case for a control in the library, if any. */
  readonly planted: NamedAccount | undefined;
}

/** The activity history has rounds of five days. An account acts at most once per round. */
export const roundCount = 12;
const roundMs = 5 * dayMs;

export class World {
  readonly settings: DataSettings;
  readonly chance: Chance;
  readonly ids: GlobalIds;
  readonly accountCount: number;
  readonly personCount: number;
  readonly groupCount: number;
  readonly roleCount: number;
  /** Number of roles that are assigned at random. Planted roles follow. */
  readonly seededRoleCount: number;
  readonly planted: Planted;
  /** Start of the first activity round. */
  readonly historyStart: number;
  /** The whole object is replaced on every change. */
  changes: Changes = noChanges;
  readonly #rounds: readonly Permutation[];
  readonly #instanceIds: string[] = [];

  constructor(settings: DataSettings) {
    this.settings = settings;
    this.chance = new Chance(settings.seed);
    this.ids = new GlobalIds(this.chance);
    this.accountCount = settings.accounts;
    this.personCount = Math.max(3, Math.floor(settings.accounts * 0.3));
    this.groupCount = Math.max(6, Math.floor(settings.accounts / 50));
    this.seededRoleCount = Math.max(2 * applications.length, Math.floor(settings.accounts / 20));
    this.planted = new Planted({
      accounts: this.accountCount,
      people: this.personCount,
      roles: this.seededRoleCount,
    });
    this.roleCount = this.seededRoleCount + this.planted.roleCount;
    this.historyStart = settings.now - roundCount * roundMs;
    this.#rounds = Array.from(
      { length: roundCount },
      (_, round) => new Permutation(settings.accounts, this.chance, 'round', round),
    );
  }

  get now(): number {
    return this.settings.now;
  }

  person(index: number): Person {
    const { chance } = this;
    const planted = this.planted.person(index);
    const { givenName, familyName, login } = this.#names(index);
    const work =
      planted === undefined ? chance.pick(departments, 'department', index) : departmentOf(planted);
    const joinedAt =
      this.now -
      (planted === undefined ? 30 + chance.below(2_400, 'joined', index) : plantedJoinedDaysAgo) * dayMs;
    const hasLeft =
      planted === undefined
        ? index > 0 && chance.isTrue(0.08, 'left', index)
        : planted.leftDaysAgo !== undefined;
    const daysSinceLeft = planted?.leftDaysAgo ?? 3 + chance.below(300, 'left-on', index);
    return {
      index,
      givenName,
      familyName,
      name: `${givenName} ${familyName}`,
      login,
      email: mailOf(login),
      department: work.name,
      costCenter: work.costCenter,
      jobFamily: work.jobFamily,
      title: chance.pick(work.titles, 'title', index),
      countryCode: chance.pick(countries, 'country', index),
      employeeNumber: String(100_000 + index),
      managerEmail: index === 0 ? undefined : mailOf(this.#names(Math.floor((index - 1) / 8)).login),
      isContractor: planted === undefined && chance.isTrue(0.07, 'contractor', index),
      joinedAt,
      leftAt: hasLeft ? Math.max(this.now - daysSinceLeft * dayMs, joinedAt + 10 * dayMs) : undefined,
    };
  }

  /** Adjacent people get different names. A second person with the same name gets a number. */
  #names(index: number): { givenName: string; familyName: string; login: string } {
    const count = givenNames.length * familyNames.length;
    const place = (index * 2_741 + 17) % count;
    const givenName = givenNames[place % givenNames.length] ?? givenNames[0];
    const familyName = familyNames[Math.floor(place / givenNames.length)] ?? familyNames[0];
    const repeat = Math.floor(index / count);
    const login = `${plain(givenName)}.${plain(familyName)}${repeat === 0 ? '' : String(repeat + 1)}`;
    return { givenName, familyName, login };
  }

  /** Directory accounts come first: one per person, in the same order as people. */
  account(index: number): AccountFacts {
    const { chance } = this;
    const planted = this.planted.account(index);
    if (planted !== undefined) return this.#plantedAccount(index, planted);
    if (index < this.personCount) {
      const person = this.person(index);
      const entry = this.planted.entry(index);
      if (entry !== undefined) return this.#plantedEntry(index, person, { name: person.login, is: entry });
      const isAdmin = person.department === 'IT Operations' && chance.isTrue(0.3, 'directory-admin', index);
      return this.#facts(index, 'directory', person, 0, isAdmin, person.login, person.email);
    }
    const other = index - this.personCount;
    const personIndex = other % this.personCount;
    // Planted people have no accounts beyond those of their cases.
    const kind =
      this.planted.person(personIndex) === undefined
        ? chance.pickWeighted(
            [
              ['standard', 86],
              ['admin-twin', 3],
              ['service', 7],
              ['external', 4],
            ] as const,
            'kind',
            index,
          )
        : 'service';
    const layer = Math.floor(other / this.personCount);
    // Steps of five reach all eleven applications before repeating one.
    const start = chance.below(applications.length - 1, 'application', personIndex);
    const applicationIndex = 1 + ((start + 5 * layer) % (applications.length - 1));
    const { key } = applications[applicationIndex] ?? applications[0];
    if (kind === 'service') {
      const purpose = chance.bits('purpose', index) % serviceNames.length;
      const alias = serviceAlias(serviceNames[purpose] ?? 'sync', key, other);
      const isAdmin = chance.isTrue(0.25, 'service-admin', index);
      return this.#facts(index, kind, undefined, applicationIndex, isAdmin, alias, `${alias}@example.com`);
    }
    const person = this.person(personIndex);
    if (kind === 'external') {
      const alias = `${person.familyName.slice(0, 1).toLowerCase()}${plain(person.givenName)}${other}`;
      const email = `${alias}@partner.example.org`;
      return this.#facts(index, kind, undefined, applicationIndex, false, alias, email);
    }
    if (kind === 'admin-twin') {
      // A second account for the same person, in the same application as their first one outside the directory.
      const twin = 1 + (start % (applications.length - 1));
      return this.#facts(index, kind, person, twin, true, adminAlias(person, other), person.email);
    }
    const isAdmin = chance.isTrue(person.jobFamily === 'Technology' ? 0.12 : 0.03, 'admin', index);
    return this.#facts(index, kind, person, applicationIndex, isAdmin, person.login, person.email);
  }

  #facts(
    index: number,
    kind: AccountKind,
    person: Person | undefined,
    applicationIndex: number,
    isAdmin: boolean,
    alias: string,
    email: string,
  ): AccountFacts {
    const { chance } = this;
    const application = applications[applicationIndex] ?? applications[0];
    const lowest = application.roles.length - 1;
    const createdAt = Math.min(
      (person?.joinedAt ?? this.now - chance.below(1_500, 'created', index) * dayMs) +
        chance.below(200, 'created-later', index) * dayMs,
      this.now - 2 * dayMs,
    );
    // As in real companies, three in ten leavers' accounts were forgotten, except in the directory.
    const isForgotten = kind !== 'directory' && chance.isTrue(0.3, 'forgotten', index);
    const isEnabled = person?.leftAt === undefined ? !chance.isTrue(0.05, 'disabled', index) : isForgotten;
    return {
      index,
      kind,
      person,
      applicationIndex,
      application,
      roleIndex: isAdmin
        ? chance.below(2, 'admin-role', index)
        : 2 + chance.below(Math.max(1, lowest - 1), 'role', index),
      isAdmin,
      isEnabled,
      alias,
      email,
      createdAt,
      planted: undefined,
      diligence: chance.pickWeighted(
        [
          [0.95, 35],
          [0.7, 35],
          [0.3, 12],
          [0, 18],
        ] as const,
        'diligence',
        index,
      ),
    };
  }

  /** Returns a planted person's directory account. */
  #plantedEntry(index: number, person: Person, planted: NamedAccount): AccountFacts {
    const facts = this.#facts(index, 'directory', person, 0, false, person.login, person.email);
    return { ...facts, isEnabled: person.leftAt === undefined, createdAt: person.joinedAt, planted };
  }

  #plantedAccount(index: number, planted: NamedAccount): AccountFacts {
    const { is, name } = planted;
    const { kind = 'standard', isAdmin = false, isDisabled = false, createdDaysAgo = 400 } = is;
    const owner = ownerOf(is);
    const person = owner === undefined ? undefined : this.person(this.planted.indexOfPerson(owner));
    const application = applicationOf(is);
    const alias = plantedAlias(index, { kind, person, key: applications[application]?.key ?? name });
    const email = person?.email ?? `${alias}@${kind === 'external' ? 'partner.example.org' : 'example.com'}`;
    const facts = this.#facts(index, kind, person, application, isAdmin, alias, email);
    return {
      ...facts,
      roleIndex: is.roleIndex ?? facts.roleIndex,
      isEnabled: !isDisabled,
      createdAt: this.now - createdDaysAgo * dayMs,
      planted,
    };
  }

  /** Returns whether the account is active in this round. A disabled account never is, unless it is planted. */
  isActive(account: AccountFacts, round: number): boolean {
    if (account.planted !== undefined) {
      const { rounds } = account.planted.is;
      return rounds === undefined ? account.isEnabled : rounds.includes(round);
    }
    const time = this.historyStart + round * roundMs;
    if (account.diligence === 0 || account.createdAt > time) return false;
    if (!account.isEnabled) return false;
    // Former employees' scripts sometimes still use a forgotten account, which gives the controls something to find.
    if (account.person?.leftAt !== undefined && account.person.leftAt < time + roundMs)
      return this.chance.isTrue(0.08, 'after-leaving', account.index, round);
    return this.chance.isTrue(account.diligence, 'active', account.index, round);
  }

  /** Returns whether the account is active in any round. */
  isEverActive(account: AccountFacts): boolean {
    for (let round = 0; round < roundCount; round += 1) {
      if (this.isActive(account, round)) return true;
    }
    return false;
  }

  /** Returns the index of the account's activity in this round. Activities are ordered by time. */
  activityIndex(accountIndex: number, round: number): number {
    return round * this.accountCount + (this.#rounds[round]?.forward(accountIndex) ?? 0);
  }

  /** Returns the actor and round of the activity at this index. */
  actorAt(activityIndex: number): { accountIndex: number; round: number } {
    const round = Math.floor(activityIndex / this.accountCount);
    const accountIndex = this.#rounds[round]?.backward(activityIndex % this.accountCount) ?? 0;
    return { accountIndex, round };
  }

  /** Each activity has its own time slot and takes place at a random time within it. */
  activityTime(activityIndex: number): number {
    const step = roundMs / this.accountCount;
    const within = this.chance.unit('moment', activityIndex) * 0.999;
    return Math.floor(this.historyStart + (activityIndex + within) * step);
  }

  /** Returns the index of the first activity at `time` or later. */
  activityIndexAt(time: number): number {
    const step = roundMs / this.accountCount;
    const total = roundCount * this.accountCount;
    let index = Math.min(Math.max(Math.floor((time - this.historyStart) / step), 0), total);
    while (index < total && this.activityTime(index) < time) index += 1;
    return index;
  }

  /** Returns the first use, last use and number of uses in the history. Only the date of earlier use is known. */
  usage(account: AccountFacts): { first: number | undefined; last: number | undefined; count: number } {
    let first: number | undefined;
    let last: number | undefined;
    let count = 0;
    for (let round = 0; round < roundCount; round += 1) {
      if (!this.isActive(account, round)) continue;
      last = this.activityTime(this.activityIndex(account.index, round));
      first ??= last;
      count += 1;
    }
    if (last === undefined && account.planted !== undefined) {
      const daysAgo = account.planted.is.lastUsedDaysAgo;
      const old = daysAgo === undefined ? undefined : this.now - daysAgo * dayMs;
      return { first: old, last: old, count };
    }
    if (last !== undefined || this.chance.isTrue(0.25, 'never-used', account.index))
      return { first, last, count };
    const since = account.createdAt;
    const until = Math.min(this.historyStart, account.person?.leftAt ?? this.historyStart);
    if (until <= since) return { first, last, count };
    const old = Math.floor(since + this.chance.unit('old-use', account.index) * (until - since));
    return { first: old, last: old, count: 0 };
  }

  /** The time of the latest data import: always the night before `now`. */
  get generatedAt(): string {
    return iso(this.now - 2 * 3_600_000);
  }

  instanceId(applicationIndex: number): string {
    return (this.#instanceIds[applicationIndex] ??= this.ids.of('instance', applicationIndex));
  }
}

const serviceNames = [
  'backup',
  'deploy',
  'etl',
  'export',
  'bind',
  'mailer',
  'metrics',
  'monitor',
  'report',
  'scan',
  'sync',
];

export function iso(time: number): string {
  return new Date(time).toISOString();
}

/** Earlier than any date in a case. */
const plantedJoinedDaysAgo = 1_000;

function departmentOf({ work = 'technology' }: PlantedPerson): (typeof departments)[number] {
  const name = work === 'technology' ? 'IT Operations' : 'Finance';
  return departments.find((department) => department.name === name) ?? departments[0];
}

function mailOf(login: string): string {
  return `${login}@example.com`;
}

const plainNames = new Map<string, string>();

/**
 * Reduces a name to letters allowed in an email address. Cached, since a few hundred names are used millions of times.
 */
function plain(name: string): string {
  const known = plainNames.get(name);
  if (known !== undefined) return known;
  const made = name
    .replaceAll('ø', 'o')
    .normalize('NFD')
    .replaceAll(/[^A-Za-z]/g, '')
    .toLowerCase();
  plainNames.set(name, made);
  return made;
}

function serviceAlias(purpose: string, application: string, number: number): string {
  return `svc-${purpose}-${application}-${number}`;
}

function adminAlias({ login }: Person, number: number): string {
  return `adm-${login}-${number}`;
}

/** Returns an alias like those of other accounts. The number keeps it unique within the application. */
function plantedAlias(
  number: number,
  {
    kind,
    person,
    key,
  }: { readonly kind: AccountKind; readonly person: Person | undefined; readonly key: string },
): string {
  if (person === undefined)
    return kind === 'external' ? `consultant${number}` : serviceAlias('sync', key, number);
  return kind === 'admin-twin' ? adminAlias(person, number) : `${person.login}${number}`;
}
