/** A planted account's record: it passes every control except the one in its own case. */
import type { Account } from '#api/contract/records/accounts.ts';
import { dayMs } from '#service/options.ts';
import { authenticatorKinds } from '../company/words.ts';
import { iso, type AccountFacts, type World } from '../company/world.ts';
import { anywhere } from '../records/structures.ts';
import type { AccountCase } from './planted-case.ts';

const signOn = { type: 'SSO', description: 'Single sign-on through the directory' };

/** Applies the case to the account's default record. */
export function withCase(world: World, account: AccountFacts, record: Account): Account {
  const planted = account.planted;
  if (planted === undefined) return record;
  const { is } = planted;
  const isOfPerson = account.kind !== 'service' && account.kind !== 'external';
  const written: Account = {
    ...record,
    ...(isOfPerson ? signedIn(is, record) : {}),
    ...(account.kind === 'directory' ? {} : managers(world, is)),
    hasAPIAccess: account.kind === 'service',
    licenseLevel: 'Free',
    secondaryAccountRoles: [],
    alternateEmails: [],
    enrichedDataClassifications: [],
    lastPasswordChangedDate: iso(world.now - 30 * dayMs),
    ...(is.ownInstance === undefined ? {} : instanceOf(world, is.ownInstance, record)),
    ...(is.isDirectoryEntryGone === true
      ? { globalDirectoryEntryId: world.ids.of('account', 0x7fff_ffff) }
      : {}),
    ...(is.isUsableAnywhere === true
      ? { authorizedLocations: anywhere, globalAuthorizedLocations: anywhere }
      : {}),
    ...is.record,
  };
  return withDays(world, written, is);
}

/** Returns the account's sign-in method: through the directory, with a second factor. */
function signedIn({ factor = 'FIDO2', enforcement = 'Enforced' }: AccountCase, record: Account) {
  const method = authenticatorKinds.find(({ type }) => type === factor);
  const entries = method === undefined ? [] : [{ type: method.type, description: method.description }];
  return {
    mfaRequirements: 'Required',
    ssoRequirements: 'Required',
    authenticationMethods: [signOn, ...entries],
    enrichedMFAStatus: {
      ...record.enrichedMFAStatus,
      enforcementStatus: enforcement,
      enrolledAuthenticationMethods: { entries },
      enforcedAuthenticationMethods: { entries },
    },
  };
}

function managers(world: World, { managers = ['employee'] }: AccountCase) {
  const emailOf = (key: (typeof managers)[number]): string =>
    world.person(world.planted.indexOfPerson(key)).email;
  return { managerEmails: managers.map(emailOf) };
}

function instanceOf(world: World, number: number, record: Account) {
  const ApplicationInstanceId = world.ids.of('planted-instance', number);
  return { objectMetadata: { ...record.objectMetadata, ApplicationInstanceId } };
}

function withDays(world: World, record: Account, { days = {} }: AccountCase): Account {
  const without = Object.entries(record).filter(([member]) => Reflect.get(days, member) !== null);
  const dates = Object.entries(days).flatMap(([member, ago]) =>
    ago === null ? [] : [[member, iso(world.now - ago * dayMs)] as const],
  );
  // `days` only sets or omits dates, and all dates are optional.
  return Object.fromEntries([...without, ...dates]) as Account;
}
