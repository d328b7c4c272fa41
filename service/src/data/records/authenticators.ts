/** The directory's authenticators and their enrollments. Each person has three enrollment slots, some of them empty. */
import {
  enrollmentLinkText,
  type Authenticator,
  type AuthenticatorEnrollment,
} from '#api/contract/records/authenticators.ts';
import { dayMs } from '#service/options.ts';
import { authenticatorKinds } from '../company/words.ts';
import { iso, type Person, type World } from '../company/world.ts';
import { localId, recordBase } from './record.ts';

export const enrollmentPlaces = 3;

interface Enrollment {
  readonly index: number;
  readonly person: Person;
  readonly authenticatorIndex: number;
  readonly status: 'Active' | 'Pending' | 'Revoked' | 'Suspended';
  readonly enrolledAt: number;
}

export function authenticatorRecord(world: World, index: number): Authenticator | undefined {
  const kind = authenticatorKinds[index];
  if (kind === undefined) return undefined;
  return {
    ...recordBase(world, {
      kind: 'authenticator',
      index,
      applicationIndex: 0,
      profile: 'Authenticator',
      type: 'Authenticator',
    }),
    authenticationKeys: ['email', 'alias'],
    authenticationMethods: [{ type: kind.type, description: kind.description }],
    isActive: kind.type !== 'X509',
    name: kind.name,
    description: kind.description,
    sorPrimaryStewardEmail: world.person(0).email,
  };
}

function enrollmentAt(world: World, index: number): Enrollment | undefined {
  const { chance } = world;
  const place = index % enrollmentPlaces;
  const person = world.person(Math.floor(index / enrollmentPlaces));
  const planted = world.planted.person(person.index);
  if (planted !== undefined) {
    const { enrollment } = planted;
    if (enrollment === undefined || place > 0) return undefined;
    const enrolledAt = world.now - enrollment.daysAgo * dayMs;
    return { index, person, authenticatorIndex: 2, status: enrollment.status, enrolledAt };
  }
  if (!chance.isTrue([0.82, 0.34, 0.12][place] ?? 0, 'enrolled', index)) return undefined;
  const authenticatorIndex = [
    chance.below(2, 'authenticator', index),
    chance.isTrue(0.6, 'authenticator', index) ? 2 : 4,
    chance.isTrue(0.9, 'authenticator', index) ? 3 : 5,
  ][place];
  const status = chance.pickWeighted(
    [
      ['Active', 82],
      ['Pending', 9],
      ['Revoked', 6],
      ['Suspended', 3],
    ] as const,
    'enrollment-status',
    index,
  );
  const latest = status === 'Pending' ? 45 : 900;
  const enrolledAt = Math.max(
    person.joinedAt,
    world.now - (1 + chance.below(latest, 'enrolled-on', index)) * dayMs,
  );
  return {
    index,
    person,
    authenticatorIndex: authenticatorIndex ?? 0,
    // Most enrollments of leavers were revoked.
    status: person.leftAt !== undefined && chance.isTrue(0.8, 'taken-back', index) ? 'Revoked' : status,
    enrolledAt,
  };
}

/** Returns the methods a person can now authenticate with. */
export function activeMethods(world: World, person: Person): { type: string; description: string }[] {
  const methods: { type: string; description: string }[] = [];
  for (let place = 0; place < enrollmentPlaces; place += 1) {
    const enrollment = enrollmentAt(world, person.index * enrollmentPlaces + place);
    const kind = authenticatorKinds[enrollment?.authenticatorIndex ?? -1];
    if (enrollment?.status === 'Active' && kind !== undefined)
      methods.push({ type: kind.type, description: kind.description });
  }
  return methods;
}

export function enrollmentRecord(world: World, index: number): AuthenticatorEnrollment | undefined {
  const { chance } = world;
  const enrollment = enrollmentAt(world, index);
  const kind = authenticatorKinds[enrollment?.authenticatorIndex ?? -1];
  if (enrollment === undefined || kind === undefined) return undefined;
  const { person, status, enrolledAt } = enrollment;
  const revokedAt = Math.min(
    Math.max(person.leftAt ?? 0, enrolledAt + chance.below(60, 'revoked-after', index) * dayMs),
    world.now - dayMs,
  );
  const device = kind.device;
  return {
    ...recordBase(world, {
      kind: 'enrollment',
      index,
      applicationIndex: 0,
      profile: 'AuthenticatorEnrollment',
      type: 'AuthenticatorEnrollment',
    }),
    // Providers choose the account key. It is usually the email address, sometimes the user name.
    accountKey: chance.isTrue(0.8, 'key-is-email', index) ? person.email : person.login,
    authenticationMethods: [{ type: kind.type, description: kind.description }],
    enrollmentStatus: status,
    enrolledAt: iso(enrolledAt),
    ...(status === 'Revoked' ? { revokedAt: iso(Math.max(revokedAt, enrolledAt)) } : {}),
    ...(device === undefined
      ? {}
      : {
          deviceInfo: {
            deviceId: world.ids.of('device', index),
            deviceType: device,
            deviceName: `${person.givenName}'s ${device.toLowerCase()}`,
            ...(status === 'Pending' ? {} : { registeredAt: iso(enrolledAt) }),
          },
        }),
    sorPrimaryStewardEmail: world.person(0).email,
  };
}

export interface EnrollmentLinkRow {
  readonly relationship: string;
  readonly authenticatorEnrollmentId: string;
  readonly authenticatorId: string;
}

export function enrollmentLinkRow(world: World, index: number): EnrollmentLinkRow | undefined {
  const enrollment = enrollmentAt(world, index);
  if (enrollment === undefined) return undefined;
  const authenticatorEnrollmentId = localId('enrollment', index);
  const authenticatorId = localId('authenticator', enrollment.authenticatorIndex);
  return {
    relationship: enrollmentLinkText(authenticatorEnrollmentId, authenticatorId),
    authenticatorEnrollmentId,
    authenticatorId,
  };
}
