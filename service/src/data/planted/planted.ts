/** Positions of the planted cases in a world: they are the last people, the last accounts, and the last roles. */
import { applications } from '../company/words.ts';
import { heldAccounts, plantedPairs } from './cases.ts';
import { plantedPeople } from './people.ts';
import {
  caseName,
  type AccountCase,
  type Case,
  type CaseKind,
  type PersonKey,
  type PlantedPerson,
  type RoleCase,
} from './planted-case.ts';

/** In smaller companies, the cases would leave too few random accounts. */
const fewestAccounts = 1_000;

export interface NamedAccount {
  readonly name: string;
  readonly is: AccountCase;
}

export interface NamedRole {
  readonly name: string;
  readonly is: RoleCase;
}

const kinds = ['planted', 'clean'] as const satisfies readonly CaseKind[];

const named = plantedPairs.flatMap((pair) =>
  kinds.map((kind) => ({ name: caseName(pair.control, kind), is: pair[kind] })),
);

const namedAccounts: readonly NamedAccount[] = [
  ...named.flatMap(({ name, is }) => (is.of === 'account' ? [{ name, is: is.account }] : [])),
  ...heldAccounts.map(({ name, ...is }) => ({ name, is })),
];

const namedRoles: readonly NamedRole[] = named.flatMap(({ name, is }) =>
  is.of === 'role' ? [{ name, is: is.role }] : [],
);

const tidyEntry: AccountCase = { says: 'a tidy entry of the directory' };

export class Planted {
  readonly #firstPerson: number;
  readonly #firstAccount: number;
  readonly #firstRole: number;
  readonly #isThere: boolean;

  constructor(size: { readonly accounts: number; readonly people: number; readonly roles: number }) {
    this.#isThere = size.accounts >= fewestAccounts;
    this.#firstPerson = this.#isThere ? size.people - plantedPeople.length : Infinity;
    this.#firstAccount = this.#isThere ? size.accounts - namedAccounts.length : Infinity;
    this.#firstRole = size.roles;
  }

  /** Number of planted roles. They follow the seed's roles. */
  get roleCount(): number {
    return this.#isThere ? namedRoles.length : 0;
  }

  person(index: number): PlantedPerson | undefined {
    return plantedPeople[index - this.#firstPerson];
  }

  /**
   * Returns a planted person's index.
   * @throws RangeError if the company is too small for planted cases.
   */
  indexOfPerson(key: PersonKey): number {
    if (!this.#isThere) throw new RangeError(`A company of this size has no planted cases.`);
    return this.#firstPerson + plantedPeople.findIndex((person) => person.key === key);
  }

  account(index: number): NamedAccount | undefined {
    return index < this.#firstAccount ? undefined : namedAccounts[index - this.#firstAccount];
  }

  /** Returns the case of a planted person's directory account. */
  entry(index: number): AccountCase | undefined {
    return this.person(index) === undefined ? undefined : tidyEntry;
  }

  role(index: number): NamedRole | undefined {
    return index < this.#firstRole ? undefined : namedRoles[index - this.#firstRole];
  }

  indexOfRole(name: string): number {
    return this.#firstRole + namedRoles.findIndex((role) => role.name === name);
  }

  /** Returns the indexes of a planted person's accounts, except the directory account. */
  accountsOf(index: number): number[] {
    const key = this.person(index)?.key;
    return namedAccounts.flatMap(({ is }, place) =>
      key !== undefined && ownerOf(is) === key ? [this.#firstAccount + place] : [],
    );
  }

  /** Returns the kind and index of a case's account, person or role. */
  placeOf(name: string, is: Case): { readonly kind: 'account' | 'person' | 'role'; readonly index: number } {
    switch (is.of) {
      case 'account':
        return {
          kind: 'account',
          index: this.#firstAccount + namedAccounts.findIndex((each) => each.name === name),
        };
      case 'person':
        return { kind: 'person', index: this.indexOfPerson(is.person) };
      case 'role':
        return { kind: 'role', index: this.indexOfRole(name) };
    }
  }
}

/** Returns the account's holder. Undefined for accounts that belong to no one in the directory. */
export function ownerOf({ kind = 'standard', owner = 'employee' }: AccountCase): PersonKey | undefined {
  const isOfPerson = kind === 'standard' || kind === 'admin-twin';
  return isOfPerson && owner !== 'nobody' ? owner : undefined;
}

/** Returns the index of a planted account's application. Defaults to the knowledge base. */
export function applicationOf({ application = 'wiki' }: AccountCase): number {
  return applications.findIndex(({ key }) => key === application);
}
